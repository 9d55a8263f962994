#include "host/linux_host.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "support/directory_host.h"
#include "unit/host/temporary_folder.h"

namespace rocert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(GapOf, SaysWhyAndWhatWouldHelp) {
  EXPECT_EQ(gap_of(ENOENT, "/x").reason, GapReason::kAbsent);
  EXPECT_EQ(gap_of(ENODEV, "eth9").reason, GapReason::kAbsent);
  EXPECT_EQ(gap_of(EACCES, "/x").reason, GapReason::kDenied);
  EXPECT_THAT(gap_of(EACCES, "/x").detail, HasSubstr("needs root"));
  EXPECT_THAT(gap_of(EPERM, "/x").detail, HasSubstr("CAP_NET_ADMIN"));
  EXPECT_EQ(gap_of(EOPNOTSUPP, "dcb").reason, GapReason::kNotSupported);
  EXPECT_EQ(gap_of(EINVAL, "/x").reason, GapReason::kNotSupported);
  EXPECT_EQ(gap_of(524, "dcb").reason, GapReason::kNotSupported);
  EXPECT_EQ(gap_of(EIO, "/x").reason, GapReason::kUnreadable);
  EXPECT_EQ(gap_of(ETIMEDOUT, "/x").reason, GapReason::kTimedOut);
  EXPECT_EQ(error_of(ETIMEDOUT, "/x").kind, ErrorKind::kTimeout);
  EXPECT_THAT(error_of(EBUSY, "/x").message, HasSubstr("/x: "));
  EXPECT_THAT(error_of(EBUSY, "/x").message, HasSubstr("EBUSY"));
  EXPECT_THAT(error_of(9999, "/x").message, HasSubstr("9999"));
}

TEST(LinuxHost, FilesAreBoundedAndNamed) {
  const TemporaryFolder folder;
  const auto host = open_linux_host();
  put_text(folder / "mtu", "9000\n");
  EXPECT_EQ(host->read(folder / "mtu"), "9000\n");
  EXPECT_EQ(host->read(folder / "mtu", 5), "9000\n");
  EXPECT_EQ(host->read(folder / "mtu", 4).error().reason, GapReason::kMalformed);
  EXPECT_EQ(host->read(folder / "none").error().reason, GapReason::kAbsent);
  EXPECT_THAT(host->read(folder / "none").error().detail, HasSubstr("none"));
  EXPECT_EQ(host->read(folder.path()).error().reason, GapReason::kUnreadable);
  EXPECT_EQ(host->read(folder / "mtu/below").error().reason, GapReason::kAbsent);
  EXPECT_EQ(host->read_at(folder / "mtu", 1, 2), "00");
  EXPECT_EQ(host->read_at(folder / "mtu", 3, 100), "0\n");
  EXPECT_EQ(host->read_at(folder / "mtu", 300, 100), "");
  // A pipe without a writer does not hang.
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(host->read(folder / "pipe"), "");
  EXPECT_FALSE(host->read("/proc/self/status")->empty());
  EXPECT_EQ(host->cost().file_accesses, 12u);
  EXPECT_EQ(host->cost().netlink_requests, 0u);
}

TEST(LinuxHost, DeniedSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root is denied nothing";
  const TemporaryFolder folder;
  put_text(folder / "secret", "x");
  ASSERT_EQ(chmod((folder / "secret").c_str(), 0), 0);
  const auto secret = open_linux_host()->read(folder / "secret");
  EXPECT_EQ(secret.error().reason, GapReason::kDenied);
  EXPECT_THAT(secret.error().detail, HasSubstr("needs root"));
}

TEST(LinuxHost, ListsLinksAndFolders) {
  const TemporaryFolder folder;
  const auto host = open_linux_host();
  put_text(folder / "b", "");
  put_text(folder / "a", "");
  ASSERT_EQ(symlink("../target", (folder / "c").c_str()), 0);
  EXPECT_THAT(host->list(folder.path()).value(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(host->list(folder / "none").error().reason, GapReason::kAbsent);
  EXPECT_EQ(host->link(folder / "c"), "../target");
  EXPECT_EQ(host->link(folder / "a").error().reason, GapReason::kNotSupported);
  ASSERT_TRUE(host->make(folder / "d"));
  EXPECT_FALSE(host->make(folder / "d"));
  ASSERT_TRUE(host->remove(folder / "d"));
  EXPECT_FALSE(host->remove(folder / "d"));
}

TEST(LinuxHost, WritesIntoWhatExists) {
  const TemporaryFolder folder;
  const auto host = open_linux_host();
  put_text(folder / "knob", "12345\n");
  ASSERT_TRUE(host->write(folder / "knob", "7\n"));
  EXPECT_EQ(get_text(folder / "knob"), "7\n");
  EXPECT_FALSE(host->write(folder / "none", "7\n"));
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
  put_text(folder / "config", "abcdef");
  ASSERT_TRUE(host->write_at(folder / "config", 2, "XY"));
  EXPECT_EQ(get_text(folder / "config"), "abXYef");
  const auto refused = host->write("/proc/self/status", "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kSystem);
}

TEST(LinuxHost, ReadsThisMachinesKernel) {
  const auto host = open_linux_host();
  const auto links = host->get(Links{});
  ASSERT_TRUE(links) << to_text(links.error());
  const auto loopback = std::find_if(links->begin(), links->end(), [](const Link& link) { return link.name == "lo"; });
  ASSERT_NE(loopback, links->end());
  EXPECT_EQ(loopback->type, 772);
  EXPECT_EQ(host->cost().netlink_requests, 1u);
  const auto dcb = host->get(DcbOf{"lo"});
  EXPECT_EQ(dcb.error().reason, GapReason::kNotSupported);
  EXPECT_THAT(dcb.error().detail, HasSubstr("dcb of lo"));
  EXPECT_EQ(host->get(DcbOf{"no-such-dev"}).error().reason, GapReason::kAbsent);
  EXPECT_EQ(host->get(DriverOf{"no-such-dev"}).error().reason, GapReason::kAbsent);
  EXPECT_EQ(host->get(DriverOf{std::string(100, 'x')}).error().reason, GapReason::kAbsent);
  EXPECT_EQ(host->get(StatisticsOf{"lo"}).error().reason, GapReason::kNotSupported);
  EXPECT_EQ(host->cost().ioctls, 2u);
}

TEST(DirectoryHost, IsWrittenThrough) {
  const TemporaryFolder folder;
  DirectoryHost host(folder.path());
  put_text(folder / "sys/mtu", "1500\n");
  put_text(folder / "applied", "");
  put_text(folder / "kernel/pause/eth0.json", encode_answer(Pause{false, true, true}));
  ASSERT_TRUE(host.write("/sys/mtu", "9000\n"));
  EXPECT_EQ(host.read("/sys/mtu", 10), "9000\n");
  EXPECT_EQ(host.get(PauseOf{"eth0"}), (Pause{false, true, true}));
  EXPECT_EQ(host.get(FecOf{"eth0"}).error().reason, GapReason::kAbsent);
  ASSERT_TRUE(host.apply(SetMtu{3, 9000}));
  ASSERT_TRUE(host.apply(SetLinkUp{3, true}));
  EXPECT_EQ(get_text(folder / "applied"), "link mtu 3 9000\nlink up 3\n");
}

}  // namespace
}  // namespace rocert
