// What tests of checks and settings share: a profile with one lossless class, facts of two drivers, and a finding by
// its subject.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/driver_facts.h"
#include "model/finding.h"
#include "model/profile.h"
#include "support/snapshot_builder.h"

namespace rocert::samples {

// RDMA on priority 3, DSCP 26, lossless; one role that takes every mlx5 port.
inline Profile lossless_profile() {
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

// mlx5_core tells trust as it does: DSCP where entries for it exist. A member fact "trust" goes before.
inline Observed<std::string> sample_trust(const Member& member) {
  if (const auto stated = find_fact(member.facts, "trust"); stated || stated.error().reason != GapReason::kNotAsked)
    return stated;
  if (!member.dcb) return tl::unexpected(member.dcb.error());
  const bool dscp = std::ranges::any_of(member.dcb->apps, [](const App& a) { return a.selector == kAppDscp; });
  return std::string(dscp ? "dscp" : "pcp");
}

inline constexpr std::array kSampleCounters{
    CounterFact{"rx_discards_phy", CounterMeaning::kLoss, "received and dropped for want of buffers"},
    CounterFact{"out_of_sequence", CounterMeaning::kLoss, "packets that arrived out of order: some were lost"},
    CounterFact{"rx_prio*_pause", CounterMeaning::kPause, "pause frames received"}};

inline DriverTable drivers() {
  static constexpr DriverFacts kMlx5{
      .module = "mlx5_core", .supports_pfc = true, .trust = sample_trust, .counters = kSampleCounters};
  static constexpr DriverFacts kMlx5Ib{.module = "mlx5_ib", .counters = kSampleCounters};
  static constexpr DriverFacts kGeneric{.module = "generic"};
  static constexpr std::array<const DriverFacts*, 3> kAll{&kMlx5, &kMlx5Ib, &kGeneric};
  return DriverTable(kAll);
}

// The finding about a port (empty: the host) and item; a finding with the code "none" when there is no such one.
inline Finding finding_on(const std::vector<Finding>& findings, std::string_view port, std::string_view item = {}) {
  const auto found = std::ranges::find_if(
      findings, [&](const Finding& f) { return f.subject.port == port && f.subject.item == item; });
  if (found != findings.end()) return *found;
  Finding none;
  none.code = "none";
  none.verdict = Verdict::kNotApplicable;
  return none;
}

}  // namespace rocert::samples
