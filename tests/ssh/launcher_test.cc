// The ssh launcher against a real sshd.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/syscall.h>

#include <fstream>

#include "fleet/launcher.h"
#include "fleet/remote.h"
#include "ssh/sshd.h"

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

class Ssh : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = Sshd::start();
    if (started) {
      sshd_ = std::move(*started);
    } else {
      why_not_ = to_text(started.error());
    }
  }
  static void TearDownTestSuite() { sshd_.reset(); }
  void SetUp() override {
    if (!sshd_) GTEST_SKIP() << why_not_;
  }

  // A worker that greets, echoes, and leaves its process id beside it.
  static std::string echo_worker() {
    const fs::path path = sshd_->folder() / "a $(worker)'s path";
    std::ofstream(path) << "#!/bin/sh\n[ \"$*\" = worker ] || exit 9\necho $$ >'" << (sshd_->folder() / "pid").string()
                        << "'\nexec cat\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  // Starts the worker by ssh and runs until it has ended; each message is answered by `on_message`.
  Error run(const Launch& launch, const std::function<void(Remote&)>& begin,
            const std::function<void(Remote&, const std::string&)>& on_message) {
    Loop loop;
    Timer guard(loop, 120s, [&] { ADD_FAILURE() << "no end", loop.stop(); });
    Error ended;
    std::optional<Remote> remote;
    const auto argv = launch_argv(launch, "127.0.0.1", 60s);
    auto started = Remote::start(loop, *argv,
                                 {[&](const std::string& payload) { on_message(*remote, payload); },
                                  [&](const Error& why) {
                                    ended = why;
                                    loop.stop();
                                  }});
    if (!started) return started.error();
    remote.emplace(std::move(*started));
    begin(*remote);
    loop.run();
    return ended;
  }

  static std::unique_ptr<Sshd> sshd_;
  static std::string why_not_;
};
std::unique_ptr<Sshd> Ssh::sshd_;
std::string Ssh::why_not_;

TEST_F(Ssh, CarriesMessagesBothWaysAndLeavesNoWorker) {
  const Launch launch{.kind = LauncherKind::kSsh, .options = sshd_->options(), .rocert = echo_worker()};
  std::string large(3 << 20, '\0');
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 131);
  std::vector<size_t> sizes;
  Fd worker;
  const Error ended = run(
      launch,
      [&](Remote& remote) {
        remote.send("ping");
        remote.send(large);
      },
      [&](Remote& remote, const std::string& payload) {
        sizes.push_back(payload.size());
        if (sizes.size() < 2) return;
        EXPECT_TRUE(payload == large) << "binary-safe";
        pid_t pid = 0;
        std::ifstream(sshd_->folder() / "pid") >> pid;
        worker = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        remote.end(60s, {ErrorKind::kClosed, "done", {}});
      });
  EXPECT_THAT(sizes, ElementsAre(4u, large.size()));
  EXPECT_EQ(ended.kind, ErrorKind::kClosed);
  ASSERT_TRUE(worker);
  pollfd event{worker.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&event, 1, 60000), 1) << "the worker has lost its stdin and still runs";
}

TEST_F(Ssh, TellsThatTheCommandIsNotThere) {
  const Launch launch{.kind = LauncherKind::kSsh, .options = sshd_->options(), .rocert = "/no/such/rocert"};
  const Error ended = run(launch, [](Remote&) {}, [](Remote&, const std::string&) { ADD_FAILURE(); });
  EXPECT_THAT(ended.message, HasSubstr("ssh exited with 127"));
  EXPECT_THAT(ended.message, HasSubstr("/no/such/rocert"));
}

TEST_F(Ssh, TellsThatTheKeyIsRefusedWithoutAsking) {
  const Launch launch{.kind = LauncherKind::kSsh, .options = sshd_->options(false), .rocert = "rocert"};
  const Error ended = run(launch, [](Remote&) {}, [](Remote&, const std::string&) { ADD_FAILURE(); });
  EXPECT_THAT(ended.message, HasSubstr("ssh exited with 255"));
  EXPECT_THAT(ended.message, HasSubstr("Permission denied"));
}

TEST_F(Ssh, TellsThatNobodyListens) {
  const Launch launch{
      .kind = LauncherKind::kSsh, .options = {"-F", "none", "-p", std::to_string(free_port())}, .rocert = "rocert"};
  const Error ended = run(launch, [](Remote&) {}, [](Remote&, const std::string&) { ADD_FAILURE(); });
  EXPECT_THAT(ended.message, HasSubstr("ssh exited with 255"));
  EXPECT_THAT(ended.message, HasSubstr("Connection refused"));
}

}  // namespace
}  // namespace rocert
