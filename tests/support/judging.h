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
Profile lossless_profile();

// mlx5_core tells trust as it does: DSCP where entries for it exist. A member fact "trust" goes before.
Observed<std::string> sample_trust(const Member& member);

inline constexpr std::array kSampleCounters{
    CounterFact{"rx_discards_phy", CounterMeaning::kLoss, "received and dropped for want of buffers"},
    CounterFact{"out_of_sequence", CounterMeaning::kLoss, "packets that arrived out of order: some were lost"},
    CounterFact{"rx_prio*_pause", CounterMeaning::kPause, "pause frames received"}};

DriverTable drivers();

// The finding about a port (empty: the host) and item; a finding with the code "none" when there is no such one.
Finding finding_on(const std::vector<Finding>& findings, std::string_view port, std::string_view item = {});

}  // namespace rocert::samples
