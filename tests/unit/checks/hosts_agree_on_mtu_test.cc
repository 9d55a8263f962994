#include <gtest/gtest.h>

#include "support/checking.h"
#include "support/fabric_builder.h"

namespace rocert::checks {
extern const Check hosts_agree_on_mtu;
namespace {

using samples::findings_of;

Fabric fabric(const std::vector<uint32_t>& mtus) {
  Fabric result;
  for (unsigned i = 0; i < mtus.size(); ++i) {
    const std::string name = fmt::format("n{}", i + 1);
    result.hosts.push_back(
        {.name = name,
         .snapshot = samples::good_snapshot({.name = name, .number = i + 1, .ports = 1, .mtu = mtus[i]})});
  }
  return result;
}

TEST(HostsAgreeOnMtu, EqualRdmaMtusPassOverDifferentNetdevs) {
  const auto findings = findings_of(hosts_agree_on_mtu, fabric({4200, 9000, 9216}));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kPass);
  EXPECT_EQ(findings[0].seen, "4096 bytes on 3 ports (netdev 4200 and 9000 and 9216)");
}

TEST(HostsAgreeOnMtu, TheOneThatDiffersIsNamed) {
  const auto findings = findings_of(hosts_agree_on_mtu, fabric({9000, 1500, 9000}));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kFail);
  EXPECT_EQ(findings[0].subject.host, "n2");
  EXPECT_EQ(findings[0].subject.port, "ens1np0");
  EXPECT_EQ(findings[0].seen, "1024 bytes (netdev 1500)");
  EXPECT_EQ(findings[0].wanted, "4096 bytes, as most ports of the rail");
  EXPECT_EQ(findings[0].says,
            "Where the two ends of a connection do not settle on the smaller one, packets are refused as too long.");
}

TEST(HostsAgreeOnMtu, OfTwoTheSmallerIsNamed) {
  EXPECT_EQ(findings_of(hosts_agree_on_mtu, fabric({1500, 9000}))[0].subject.host, "n1");
}

TEST(HostsAgreeOnMtu, PortsWithoutARoleDoNotCount) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].match.netdev = "eth*";
  Fabric unmatched = fabric({1500, 9000});
  unmatched.profile = &profile;
  EXPECT_EQ(findings_of(hosts_agree_on_mtu, unmatched)[0].verdict, Verdict::kUnknown);
}

TEST(HostsAgreeOnMtu, WithoutSnapshotsNothingIsKnown) {
  Fabric blind = fabric({9000});
  blind.hosts[0].snapshot = gap(GapReason::kTimedOut, "n1");
  EXPECT_EQ(findings_of(hosts_agree_on_mtu, blind)[0].says, "not asked: no host told of a port on a rail");
}

}  // namespace
}  // namespace rocert::checks
