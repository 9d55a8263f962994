#include <gmock/gmock.h>

#include "host/manifest.h"
#include "host/memory_host.h"
#include "host/recorded_host.h"
#include "unit/host/temporary_folder.h"

namespace rocert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void fill(MemoryHost& host) {
  host.files["/sys/class/net/eth0/mtu"] = "9000\n";
  host.files["/sys/kernel/debug/mlx5/x"] = gap(GapReason::kDenied, "needs root");
  host.files["/sys/bus/pci/devices/0000:40:00.0/config"] = std::string("\x15\x00\xb3\x21", 4);
  host.links["/sys/class/net/eth0/device"] = "../../../0000:40:00.0";
  Dcb dcb;
  dcb.pfc = Pfc{8, 8};
  host.objects.emplace(DcbOf{"eth0"}, KernelAnswer(dcb));
  host.objects.emplace(StatisticsOf{"eth0"}, KernelAnswer(Counters{{"rx_prio3_pause", 7}}));
  host.objects.emplace(PauseOf{"eth0"}, gap(GapReason::kNotSupported, "no pause"));
}

void ask_everything(Host& host) {
  (void)host.read("/sys/class/net/eth0/mtu");
  (void)host.read("/sys/kernel/debug/mlx5/x");
  (void)host.read("/absent");
  (void)host.read_at("/sys/bus/pci/devices/0000:40:00.0/config", 1, 2);
  (void)host.list("/sys/class/net/eth0");
  (void)host.list("/nothing");
  (void)host.link("/sys/class/net/eth0/device");
  (void)host.get(DcbOf{"eth0"});
  (void)host.get(StatisticsOf{"eth0"});
  (void)host.get(PauseOf{"eth0"});
}

// A recording of what fill() holds, in `folder`.
void record(const std::string& folder) {
  MemoryHost host;
  fill(host);
  RecordingHost recording(host, {});
  ask_everything(recording);
  const auto saved = recording.save(folder);
  ASSERT_TRUE(saved) << to_text(saved.error());
}

TEST(Recording, ReplaysWhatTheHostSaid) {
  const TemporaryFolder temporary;
  record(temporary / "rec");
  const auto host = open_recorded_host(temporary / "rec");
  ASSERT_TRUE(host) << to_text(host.error());
  Host& h = **host;
  EXPECT_EQ(h.read("/sys/class/net/eth0/mtu"), "9000\n");
  EXPECT_EQ(h.read("/sys/class/net/eth0/mtu", 2).error().reason, GapReason::kMalformed);
  EXPECT_EQ(h.read("/sys/kernel/debug/mlx5/x").error(), (Gap{GapReason::kDenied, "needs root"}));
  EXPECT_EQ(h.read("/absent").error().reason, GapReason::kAbsent);
  EXPECT_EQ(h.read_at("/sys/bus/pci/devices/0000:40:00.0/config", 1, 2), std::string("\x00\xb3", 2));
  EXPECT_THAT(h.list("/sys/class/net/eth0").value(), ElementsAre("device", "mtu"));
  EXPECT_EQ(h.list("/nothing").error().reason, GapReason::kAbsent);
  EXPECT_EQ(h.link("/sys/class/net/eth0/device"), "../../../0000:40:00.0");
  EXPECT_EQ(h.get(DcbOf{"eth0"})->pfc, (Pfc{8, 8}));
  EXPECT_EQ(h.get(StatisticsOf{"eth0"}), (Counters{{"rx_prio3_pause", 7}}));
  EXPECT_EQ(h.get(PauseOf{"eth0"}).error(), (Gap{GapReason::kNotSupported, "no pause"}));
}

TEST(Recording, WhatWasNeverAskedIsNotRecorded) {
  const TemporaryFolder temporary;
  record(temporary / "rec");
  const auto host = open_recorded_host(temporary / "rec");
  ASSERT_TRUE(host);
  Host& h = **host;
  EXPECT_EQ(h.read("/etc/passwd").error().reason, GapReason::kNotRecorded);
  EXPECT_EQ(h.list("/sys").error().reason, GapReason::kNotRecorded);
  EXPECT_EQ(h.link("/sys/class/net/eth0/mtu").error().reason, GapReason::kNotRecorded);
  EXPECT_EQ(h.get(DcbOf{"eth1"}).error().reason, GapReason::kNotRecorded);
  EXPECT_EQ(h.read_at("/sys/bus/pci/devices/0000:40:00.0/config", 0, 4).error().reason, GapReason::kNotRecorded);
  EXPECT_EQ(h.read_at("/sys/class/net/eth0/mtu", 1, 2), "00");
}

TEST(Recording, IsReadOnlyBothWays) {
  const TemporaryFolder temporary;
  MemoryHost memory;
  fill(memory);
  RecordingHost recording(memory, {});
  EXPECT_FALSE(recording.write("/sys/class/net/eth0/mtu", "1500"));
  EXPECT_FALSE(recording.apply(SetMtu{1, 1500}));
  EXPECT_FALSE(recording.make("/x"));
  EXPECT_EQ(memory.files["/sys/class/net/eth0/mtu"], "9000\n");
  EXPECT_TRUE(memory.log.empty());
  record(temporary / "rec");
  const auto host = open_recorded_host(temporary / "rec");
  ASSERT_TRUE(host);
  EXPECT_FALSE((*host)->write("/sys/class/net/eth0/mtu", "1500"));
  EXPECT_FALSE((*host)->apply(SetMtu{1, 1500}));
}

TEST(Recording, GoesIntoANewOrEmptyFolderOnly) {
  const TemporaryFolder temporary;
  MemoryHost memory;
  RecordingHost recording(memory, {});
  put_text(temporary / "full/file", "x");
  EXPECT_FALSE(recording.save(temporary / "full"));
  put_text(temporary / "file", "x");
  EXPECT_FALSE(recording.save(temporary / "file"));
  EXPECT_FALSE(recording.save(temporary / "file/below"));
  std::filesystem::create_directory(temporary / "empty");
  EXPECT_TRUE(recording.save(temporary / "empty"));
  EXPECT_TRUE(recording.save(temporary / "new/"));
  size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(temporary.path())) {
    (void)entry;
    ++entries;
  }
  EXPECT_EQ(entries, 4u) << "drafts must not be left behind";
}

TEST(Recording, HostilePathsStayInside) {
  const TemporaryFolder temporary;
  MemoryHost memory;
  memory.files["/../../escape"] = "x";
  memory.objects.emplace(PauseOf{"../../../escape"}, KernelAnswer(Pause{}));
  RecordingHost recording(memory, {});
  Host& asked = recording;
  (void)asked.read("/../../escape");
  (void)asked.get(PauseOf{"../../../escape"});
  const auto saved = recording.save(temporary / "a/b/rec");
  ASSERT_TRUE(saved) << to_text(saved.error());
  EXPECT_FALSE(std::filesystem::exists(temporary / "a/escape"));
  EXPECT_FALSE(std::filesystem::exists(temporary / "a/b/escape"));
  const auto host = open_recorded_host(temporary / "a/b/rec");
  ASSERT_TRUE(host);
  EXPECT_EQ((*host)->read("/../../escape"), "x");
  EXPECT_EQ((*host)->get(PauseOf{"../../../escape"}), Pause{});
}

TEST(Recording, LinksInsideItAreNotFollowed) {
  const TemporaryFolder temporary;
  record(temporary / "rec");
  put_text(temporary / "secret/mtu", "secret");
  std::filesystem::remove(temporary / "rec/files/sys/class/net/eth0/mtu");
  std::filesystem::create_symlink(temporary / "secret/mtu", temporary / "rec/files/sys/class/net/eth0/mtu");
  const auto host = open_recorded_host(temporary / "rec");
  ASSERT_TRUE(host);
  EXPECT_EQ((*host)->read("/sys/class/net/eth0/mtu").error().reason, GapReason::kUnreadable);

  std::filesystem::remove_all(temporary / "rec/files/sys/class/net/eth0");
  std::filesystem::create_directory_symlink(temporary / "secret", temporary / "rec/files/sys/class/net/eth0");
  EXPECT_EQ((*host)->read("/sys/class/net/eth0/mtu").error().reason, GapReason::kUnreadable);
}

TEST(Recording, ADamagedFileIsAGapAndNotAnAnswer) {
  const TemporaryFolder temporary;
  record(temporary / "rec");
  const auto whole = open_recorded_host(temporary / "rec");
  ASSERT_TRUE((*whole)->get(DcbOf{"eth0"}));
  EXPECT_FALSE((*whole)->damage());
  std::filesystem::remove(temporary / "rec/files/sys/class/net/eth0/mtu");
  put_text(temporary / "rec/kernel/dcb/eth0.json", "{\"pfc\": 3}");
  const auto host = open_recorded_host(temporary / "rec");
  ASSERT_TRUE(host);
  EXPECT_EQ((*host)->read("/sys/class/net/eth0/mtu").error().reason, GapReason::kUnreadable);
  const auto dcb = (*host)->get(DcbOf{"eth0"});
  EXPECT_EQ(dcb.error().reason, GapReason::kMalformed);
  EXPECT_THAT(dcb.error().detail, HasSubstr("kernel/dcb/eth0.json"));
  ASSERT_TRUE((*host)->damage()) << "what the manifest promises and the recording lacks makes it malformed";
  EXPECT_EQ((*host)->damage()->kind, ErrorKind::kMalformed);
  EXPECT_EQ((*host)->damage()->place.file, temporary / "rec/files/sys/class/net/eth0/mtu");
}

std::string refusal_of(const std::string& manifest) {
  const auto decoded = decode_manifest(manifest, "manifest.json");
  if (decoded) return "accepted";
  EXPECT_EQ(decoded.error().kind, ErrorKind::kMalformed);
  EXPECT_EQ(decoded.error().place.file, "manifest.json");
  return decoded.error().message;
}

TEST(Manifest, MalformedOnesSayWhy) {
  EXPECT_THAT(refusal_of("[]"), HasSubstr("rocert/recording/1"));
  EXPECT_THAT(refusal_of("{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal_of(R"({"schema": "rocert/recording/2", "redacted": false, "asked": []})"),
              HasSubstr("seen \"rocert/recording/2\", wanted \"rocert/recording/1\""));
  EXPECT_THAT(refusal_of(R"({"schema": "rocert/recording/1", "redacted": false, "asked": [{"kind": "file"}]})"),
              HasSubstr("asked[0].path: missing"));
  const auto with = [](const std::string& asked) {
    return refusal_of(R"({"schema": "rocert/recording/1", "redacted": false, "asked": [)" + asked + "]}");
  };
  EXPECT_EQ(with(""), "accepted");
  EXPECT_EQ(with(R"({"kind": "list", "path": "/a", "names": ["b"]})"), "accepted");
  EXPECT_THAT(with(R"({"kind": "list", "path": "/a"})"), HasSubstr("list /a"));
  EXPECT_THAT(with(R"({"kind": "file", "path": "/a", "names": []})"), HasSubstr("file /a"));
  EXPECT_THAT(with(R"({"kind": "bytes", "path": "/a", "offset": 0})"), HasSubstr("bytes /a"));
  EXPECT_THAT(with(R"({"kind": "file", "path": "/a"}, {"kind": "file", "path": "/a"})"), HasSubstr("there twice"));
  EXPECT_THAT(with(R"({"kind": "film", "path": "/a"})"), HasSubstr("asked[0].kind"));
  EXPECT_THAT(with(R"({"kind": "file", "path": "/a", "gap": "tired"})"), HasSubstr("asked[0].gap"));
}

TEST(OpenRecordedHost, NamesWhatIsMissing) {
  const TemporaryFolder temporary;
  const auto nothing = open_recorded_host(temporary / "nothing");
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("nothing"));
  const auto no_manifest = open_recorded_host(temporary.path());
  ASSERT_FALSE(no_manifest);
  EXPECT_EQ(no_manifest.error().kind, ErrorKind::kMalformed);
  EXPECT_THAT(to_text(no_manifest.error()), HasSubstr("manifest.json"));
}

}  // namespace
}  // namespace rocert
