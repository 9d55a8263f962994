#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting ethernet_pause;
namespace {

using samples::first_drift;

Snapshot pausing(bool rx, bool tx, bool autoneg = false) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].pause = Pause{.autoneg = autoneg, .rx = rx, .tx = tx, .rx_frames = 131998120};
  return snapshot;
}

TEST(EthernetPause, OffPassesWhateverTheTotalsSay) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(ethernet_pause, pausing(false, false), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "rx off, tx off, autoneg off");
  EXPECT_EQ(finding.wanted, "rx off, tx off");
}

TEST(EthernetPause, StatesTheDirection) {
  const Profile profile = samples::lossless_profile();
  const Finding both = first_drift(ethernet_pause, pausing(true, true, true), &profile);
  EXPECT_EQ(both.verdict, Verdict::kFail);
  EXPECT_EQ(both.seen, "rx on, tx on, autoneg on");
  EXPECT_EQ(both.says,
            "Either end can stop the whole link, all priorities at once: bandwidth is lost with every drop counter at "
            "zero.");
  EXPECT_EQ(first_drift(ethernet_pause, pausing(true, false), &profile).says,
            "The peer can stop everything this port sends, all priorities at once.");
  EXPECT_EQ(first_drift(ethernet_pause, pausing(false, true), &profile).says,
            "A receiver that falls behind here stops everything the peer sends, all priorities at once.");
}

TEST(EthernetPause, AProfileWithoutALosslessClassMayLiveOnIt) {
  Profile profile = samples::lossless_profile();
  profile.classes[0].lossless = false;
  const Finding finding = first_drift(ethernet_pause, pausing(true, true), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "rx on, tx on, autoneg off");
  profile.settings["ethernet.pause"] = Value(std::string("both"));
  EXPECT_EQ(first_drift(ethernet_pause, pausing(true, true), &profile).verdict, Verdict::kPass);
  EXPECT_EQ(first_drift(ethernet_pause, pausing(false, false), &profile).says,
            "The port neither sends nor obeys global pause.");
}

TEST(EthernetPause, AGapIsUnknown) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = pausing(false, false);
  snapshot.ports[0].members[0].pause = gap(GapReason::kNotSupported, "pause of ens1np0");
  EXPECT_EQ(first_drift(ethernet_pause, snapshot, &profile).verdict, Verdict::kUnknown);
}

TEST(EthernetPause, AVirtualFunctionIsNotJudged) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = pausing(true, true);
  snapshot.ports[0].members[0].pci->virtual_function = true;
  EXPECT_EQ(first_drift(ethernet_pause, snapshot, &profile).verdict, Verdict::kNotApplicable);
}

}  // namespace
}  // namespace rocert::tuning
