#include "base/process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

namespace rocert {
namespace {

using namespace std::chrono_literals;

std::string read_all(const Fd& fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(fd.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(n));
  return text;
}

bool is_gone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

TEST(Process, CarriesStdioAndExitStatusWithoutAShell) {
  auto process = Process::start({"cat", "-", "/no/such $(file)"});
  ASSERT_TRUE(process) << to_text(process.error());
  ASSERT_EQ(::write(process->input().get(), "hello", 5), 5);
  process->input() = Fd();
  EXPECT_EQ(read_all(process->output()), "hello");
  EXPECT_NE(read_all(process->errors()).find("/no/such $(file)"), std::string::npos);
  ASSERT_TRUE(process->wait_ended(60s));
  EXPECT_EQ(process->reap(), Ending{.status = 1});
  EXPECT_TRUE(is_gone(process->pid()));
}

TEST(Process, NamesAProgramThatDoesNotExist) {
  const auto process = Process::start({"rocert-no-such-program"});
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().kind, ErrorKind::kSystem);
  EXPECT_EQ(process.error().message, "rocert-no-such-program: cannot be started: No such file or directory");
}

TEST(Process, RunningChildIsNotReaped) {
  auto process = Process::start({"cat"});
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->wait_ended(0ms));
  EXPECT_EQ(process->reap(), std::nullopt);
  EXPECT_EQ(process->end(60s), Ending{.signal = SIGTERM});
}

TEST(Process, EndKillsAChildThatIgnoresTerm) {
  auto process = Process::start({"sh", "-c", "trap '' TERM; echo ready; while :; do read line || sleep 60; done"});
  ASSERT_TRUE(process);
  char ready[6];
  ASSERT_EQ(::read(process->output().get(), ready, sizeof ready), 6);
  EXPECT_EQ(process->end(1ms), Ending{.signal = SIGKILL});
}

TEST(Process, EndAlsoEndsAStoppedChild) {
  auto process = Process::start({"cat"});
  ASSERT_TRUE(process);
  process->signal(SIGSTOP);
  EXPECT_EQ(process->end(60s), Ending{.signal = SIGTERM});
}

TEST(Process, DestructorLeavesNothingOfTheGroup) {
  pid_t leader = -1;
  pid_t grandchild = -1;
  Fd output;
  {
    auto process = Process::start({"sh", "-c", "sleep 600 & echo $!; wait"});
    ASSERT_TRUE(process);
    leader = process->pid();
    char buffer[32] = {};
    ASSERT_GT(::read(process->output().get(), buffer, sizeof buffer - 1), 0);
    grandchild = static_cast<pid_t>(std::stol(buffer));
    output = std::move(process->output());
  }
  EXPECT_TRUE(is_gone(leader));
  EXPECT_EQ(read_all(output), "");  // the end of the stream: nobody holds the pipe, so the grandchild has ended
  EXPECT_NE(grandchild, leader);
}

TEST(Process, ReapKillsWhatTheLeaderLeftBehind) {
  auto process = Process::start({"sh", "-c", "sleep 600 & exit 7"});
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait_ended(60s));
  EXPECT_EQ(process->reap(), Ending{.status = 7});
  EXPECT_EQ(read_all(process->output()), "");
}

TEST(Process, ChildHoldsNoDescriptorOfOurs) {
  auto other = Process::start({"cat"});
  ASSERT_TRUE(other);
  auto process = Process::start({"sh", "-c", "echo /proc/self/fd/*"});
  ASSERT_TRUE(process);
  const std::string listing = read_all(process->output());
  EXPECT_EQ(listing.find("/fd/4"), std::string::npos) << listing;
  ASSERT_TRUE(process->wait_ended(60s));
}

TEST(Ending, SaysHow) {
  EXPECT_EQ(to_text(Ending{.status = 255}), "exited with 255");
  EXPECT_EQ(to_text(Ending{.signal = SIGKILL}), "ended by signal 9 (Killed)");
}

TEST(StopSignals, MakeADescriptorReadable) {
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  {
    auto fd = stop_signals();
    ASSERT_TRUE(fd);
    pollfd event{fd->get(), POLLIN, 0};
    EXPECT_EQ(::poll(&event, 1, 0), 0);
    ::raise(SIGTERM);
    EXPECT_EQ(::poll(&event, 1, 60000), 1);
    char buffer[128];
    EXPECT_GT(::read(fd->get(), buffer, sizeof buffer), 0);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace rocert
