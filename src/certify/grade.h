// Grade: how a measurement stands against the limits of the profile, as one number for all probes: its share of what is
// wanted. 1 and more is good, 0 is traffic that failed. Pure.
#pragma once
#include <optional>
#include <vector>

#include "model/fabric.h"

namespace rocert {

// One for every measurement of the fabric, in order. None: it could not be tried (an end was lost or could not start).
// The limits are those of the checks write-bandwidth-meets-limits and send-latency-meets-limits, and mean the same:
//   write_bw: the least of its shares of write_bw.at_least, of write_bw.of_line times the slower end's speed, and of
//             write_bw.of_median (0.8 when not stated) times the rail's median.
//   send_lat: the least of send_lat.p99 over its p99_ns, and of send_lat.of_median times the rail's median over its own
//             p50_ns; with no limit stated, every result is good.
// A rail's median is over its ends, each with its best pair. Damaged data is traffic that failed.
std::vector<std::optional<double>> grades_of(const Fabric& fabric);

}  // namespace rocert
