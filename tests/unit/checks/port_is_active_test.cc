#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check port_is_active;
namespace {

using samples::finding_on;
using samples::findings_of;

Snapshot down() {
  Snapshot snapshot = samples::good_snapshot();
  Port& port = snapshot.ports[0];
  port.rdma.state = "down";
  port.rdma.physical_state = "disabled";
  port.link.operstate = "down";
  port.link.carrier = false;
  port.link.carrier_down_count = 3;
  return snapshot;
}

TEST(PortIsActive, Passes) {
  const auto findings = findings_of(port_is_active, samples::good_snapshot());
  EXPECT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].verdict, Verdict::kPass);
  EXPECT_EQ(findings[0].seen, "active");
}

TEST(PortIsActive, ADownPortThatIsInUseFails) {
  const Finding finding = finding_on(findings_of(port_is_active, down()), "ens1np0");
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.seen, "down (disabled), link down, no carrier");
  EXPECT_EQ(finding.wanted, "active");
  EXPECT_EQ(finding.says, "No RDMA traffic passes this port.");
  EXPECT_EQ(finding.evidence, (std::vector<std::string>{"rdma link mlx5_0/1", "the carrier was lost 3 times"}));
}

TEST(PortIsActive, WithoutAProfileAPortWithoutAddressIsNotInUse) {
  Snapshot snapshot = down();
  snapshot.ports[0].addresses = {samples::address(10, "169.254.3.4/16")};
  const Finding finding = finding_on(findings_of(port_is_active, snapshot), "ens1np0");
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "down (disabled), link down, no carrier");
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(finding_on(findings_of(port_is_active, snapshot, &profile), "ens1np0").verdict, Verdict::kFail);
}

TEST(PortIsActive, SwitchedOffIsSaid) {
  Snapshot snapshot = down();
  snapshot.ports[0].link.admin_up = false;
  EXPECT_EQ(finding_on(findings_of(port_is_active, snapshot), "ens1np0").verdict, Verdict::kNotApplicable);
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(finding_on(findings_of(port_is_active, snapshot, &profile), "ens1np0").seen,
            "down (disabled), link down, administratively down, no carrier");
}

TEST(PortIsActive, AStateThatWasNotToldIsUnknown) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].rdma.state = "";
  const Finding finding = finding_on(findings_of(port_is_active, snapshot), "ens1np0");
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "absent: the state of mlx5_0 was not told");
}

}  // namespace
}  // namespace rocert::checks
