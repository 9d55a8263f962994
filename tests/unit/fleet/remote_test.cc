#include "fleet/remote.h"

#include <gmock/gmock.h>

#include <csignal>

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

// Runs one remote to its end. `cat` is a worker that greets and answers with what it was told.
struct Stage {
  Loop loop;
  Timer guard{loop, 60s, [this] { ADD_FAILURE() << "no end", loop.stop(); }};
  std::vector<std::string> messages;
  std::vector<Error> why;
  std::optional<Remote> remote;
  std::function<void()> on_message = [] {};

  pid_t start(const std::vector<std::string>& argv) {
    auto started = Remote::start(loop, argv,
                                 {[this](std::string payload) {
                                    messages.push_back(std::move(payload));
                                    on_message();
                                  },
                                  [this](const Error& error) {
                                    why.push_back(error);
                                    loop.stop();
                                  }});
    EXPECT_TRUE(started);
    remote.emplace(std::move(*started));
    return remote->pid();
  }
};

bool is_gone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

TEST(Remote, TalksAndEndsOnRequest) {
  Stage stage;
  stage.on_message = [&] { stage.remote->end(60s, {ErrorKind::kClosed, "done", {}}); };
  const pid_t pid = stage.start({"cat"});
  stage.remote->send("ping");
  stage.loop.run();
  EXPECT_THAT(stage.messages, ElementsAre("ping"));
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_TRUE(is_gone(pid));
}

TEST(Remote, TellsExitStatusAndLastWords) {
  Stage stage;
  const pid_t pid = stage.start({"sh", "-c", "echo one >&2; echo 'ssh: connect to host n3: refused' >&2; exit 255"});
  stage.loop.run();
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_EQ(stage.why[0], (Error{ErrorKind::kClosed, "sh exited with 255: one; ssh: connect to host n3: refused", {}}));
  EXPECT_TRUE(is_gone(pid));
}

TEST(Remote, KeepsOnlyTheEndOfALongComplaint) {
  Stage stage;
  stage.start({"sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; echo last >&2"});
  stage.loop.run();
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_LT(stage.why[0].message.size(), 1000u);
  EXPECT_THAT(stage.why[0].message, HasSubstr("last"));
}

TEST(Remote, KillsWhoTalksAnotherProtocol) {
  Stage stage;
  const pid_t pid = stage.start({"sh", "-c", "echo Welcome; exec sleep 600"});
  stage.loop.run();
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_EQ(stage.why[0].kind, ErrorKind::kMalformed);
  EXPECT_THAT(stage.why[0].message, HasSubstr("\"Welcome\""));
  EXPECT_TRUE(is_gone(pid));
}

TEST(Remote, KillsWhoClosesItsStreamAndStays) {
  Stage stage;
  const pid_t pid = stage.start({"sh", "-c", "exec >&- 2>&-; exec sleep 600"});
  stage.loop.run();
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_EQ(stage.why[0].message, "sh ended by signal 9 (Killed)");
  EXPECT_TRUE(is_gone(pid));
}

TEST(Remote, EndKillsAStoppedOne) {
  Stage stage;
  const pid_t pid = stage.start({"cat"});
  ASSERT_EQ(::kill(pid, SIGSTOP), 0);
  stage.remote->end(1ms, {ErrorKind::kTimeout, "no answer within 5s", {}});
  stage.loop.run();
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_EQ(stage.why[0].message, "no answer within 5s");
  EXPECT_TRUE(is_gone(pid));
}

TEST(Remote, ReportsAnExitAlthoughAStrangerHoldsItsPipes) {
  Stage stage;
  stage.start({"sh", "-c", "setsid sleep 5 & exit 3"});
  stage.loop.run();
  ASSERT_EQ(stage.why.size(), 1u);
  EXPECT_EQ(stage.why[0].message, "sh exited with 3");
}

TEST(Remote, DestroyedIsGone) {
  Stage stage;
  const pid_t pid = stage.start({"cat"});
  stage.remote.reset();
  EXPECT_TRUE(is_gone(pid));
}

}  // namespace
}  // namespace rocert
