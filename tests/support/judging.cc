#include "support/judging.h"

#include <algorithm>
#include <array>

namespace rocert::samples {

Profile lossless_profile() {
  Profile profile;
  profile.name = "site";
  profile.classes = {{.name = "rdma",
                      .dscp = Dscp{26},
                      .priority = Priority{3},
                      .lossless = true,
                      .cnp = CnpMark{.dscp = {48}, .priority = Priority{6}}}};
  Role role{.name = "compute", .classes = {"rdma"}, .mtu = Between{.at_least = 4192}};
  role.match.driver = "mlx5_core";
  profile.roles = {role};
  return profile;
}

Observed<std::string> sample_trust(const Member& member) {
  if (const auto stated = find_fact(member.facts, "trust"); stated || stated.error().reason != GapReason::kNotAsked)
    return stated;
  if (!member.dcb) return tl::unexpected(member.dcb.error());
  const bool dscp = std::ranges::any_of(member.dcb->apps, [](const App& a) { return a.selector == kAppDscp; });
  return std::string(dscp ? "dscp" : "pcp");
}

DriverTable drivers() {
  static constexpr DriverFacts kMlx5{
      .module = "mlx5_core", .supports_pfc = true, .trust = sample_trust, .counters = kSampleCounters};
  static constexpr DriverFacts kMlx5Ib{.module = "mlx5_ib", .counters = kSampleCounters};
  static constexpr DriverFacts kGeneric{.module = "generic"};
  static constexpr std::array<const DriverFacts*, 3> kAll{&kMlx5, &kMlx5Ib, &kGeneric};
  return DriverTable(kAll);
}

Finding finding_on(const std::vector<Finding>& findings, std::string_view port, std::string_view item) {
  const auto found = std::ranges::find_if(
      findings, [&](const Finding& f) { return f.subject.port == port && f.subject.item == item; });
  if (found != findings.end()) return *found;
  Finding none;
  none.code = "none";
  none.verdict = Verdict::kNotApplicable;
  return none;
}

}  // namespace rocert::samples
