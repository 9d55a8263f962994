// A port's counters around a probe: "ethtool.<name>" of the netdev's driver and "rdma.<name>" of the RDMA port.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "model/measurement.h"

namespace rocert {

struct CounterReading {
  Counters values;        // by prefixed name
  std::vector<Gap> gaps;  // one for each of the two sources that did not answer
};
CounterReading read_counters(Host& host, const End& end);

// What moved; a source that one reading lacks is missing, a counter that only one has is left out. `narrow`: globs of
// prefixed names that the driver is known to count in 32 bits ("rdma.*" of mlx5): they may have wrapped once. Any other
// counter that fell shows as it did, below zero: it was reset.
CounterDeltas delta(const CounterReading& before, const CounterReading& after,
                    std::span<const std::string_view> narrow = {});

}  // namespace rocert
