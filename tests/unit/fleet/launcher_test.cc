#include "fleet/launcher.h"

#include <gmock/gmock.h>

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

TEST(LaunchArgv, LabRunsExec) {
  const auto argv =
      launch_argv({.kind = LauncherKind::kLab, .options = {"--dir", "/tmp/x"}, .rocert = "/opt/my rocert"}, "h1", 30s);
  ASSERT_TRUE(argv);
  EXPECT_THAT(*argv, ElementsAre("lab", "--dir", "/tmp/x", "exec", "h1", "--", "/opt/my rocert", "worker"));
}

TEST(LaunchArgv, SshNeverAsksAndLetsTheInventoryWin) {
  const auto argv = launch_argv({.kind = LauncherKind::kSsh, .options = {"-o", "ConnectTimeout=3"}}, "n1", 30s);
  ASSERT_TRUE(argv);
  EXPECT_THAT(*argv,
              ElementsAre("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=3", "-T", "-o", "ConnectTimeout=30", "-o",
                          "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "n1", "--", "'rocert'", "worker"));
}

TEST(LaunchArgv, SshQuotesForTheRemoteShell) {
  const auto argv =
      launch_argv({.kind = LauncherKind::kSsh, .program = "/usr/bin/ssh", .rocert = "/o'k/$(x) y"}, "n1", 1s);
  ASSERT_TRUE(argv);
  EXPECT_EQ(argv->front(), "/usr/bin/ssh");
  EXPECT_EQ(argv->at(argv->size() - 2), R"('/o'\''k/$(x) y')");
}

TEST(LaunchArgv, NoHostIsReadAsAnOption) {
  const auto argv = launch_argv({.kind = LauncherKind::kSsh}, "-oProxyCommand=x", 1s);
  ASSERT_FALSE(argv);
  EXPECT_EQ(argv.error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(launch_argv({.kind = LauncherKind::kLab}, "", 1s));
}

TEST(LaunchArgv, NamesTheLaunchersThatStartWorkers) {
  for (const LauncherKind kind : {LauncherKind::kSlurm, LauncherKind::kManual}) {
    const auto argv = launch_argv({.kind = kind}, "n1", 1s);
    ASSERT_FALSE(argv);
    EXPECT_EQ(argv.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(argv.error().message, HasSubstr("wanted ssh or lab"));
  }
}

}  // namespace
}  // namespace rocert
