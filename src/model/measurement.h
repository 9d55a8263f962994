// Measurement: what one probe measured between two ends, with both ends' addresses and counter deltas around it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/fields.h"
#include "model/gap.h"

namespace rocert {

struct End {
  std::string host;
  std::string netdev;
  std::string rdma_device;
  uint32_t rdma_port = 1;
  std::string gid;  // text of the address it stands for
  uint32_t gid_index = 0;
  uint64_t speed = 0;  // Mb/s of the port, 0: not told
  auto operator<=>(const End&) const = default;
  static constexpr auto fields() {
    return std::tuple{
        Field{"host", &End::host},           Field{"netdev", &End::netdev}, Field{"rdma_device", &End::rdma_device},
        Field{"rdma_port", &End::rdma_port}, Field{"gid", &End::gid},       Field{"gid_index", &End::gid_index},
        Field{"speed", &End::speed}};
  }
};

// What counters did around a probe. A counter that `moved` does not name stood still only if nothing is `missing`.
struct CounterDeltas {
  std::map<std::string, int64_t> moved;  // by source and name: "ethtool.rx_prio3_packets", "rdma.sent_pkts"
  std::vector<std::string> missing;      // sources that did not answer, with the reason
  bool operator==(const CounterDeltas&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"moved", &CounterDeltas::moved}, Field{"missing", &CounterDeltas::missing}};
  }
};

// Names of figures carry their unit: "bits_per_second", "p50_ns", "p99_ns", "duration_ns", "bytes", "messages".
using Figures = std::map<std::string, double>;

struct Measurement {
  std::string probe;  // name, e.g. "write_bw"
  std::string rail;
  uint32_t round = 0;
  End from;  // the active end: it posts the work
  End to;
  std::string traffic_class;                                  // name in the profile; empty: none stated
  uint32_t traffic_class_byte = 0;                            // of the GRH: DSCP << 2 | ECN
  uint32_t mtu = 0;                                           // RDMA MTU used, bytes
  Observed<Figures> figures = gap(GapReason::kNotAsked, "");  // a Gap: the probe did not come to a result, and why
  bool data_intact = false;                                   // the pattern arrived whole; only meaningful with figures
  std::vector<std::string> errors;                            // completion statuses and what they mean, per end
  CounterDeltas from_counters;
  CounterDeltas to_counters;
  bool operator==(const Measurement&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"probe", &Measurement::probe},
                      Field{"rail", &Measurement::rail},
                      Field{"round", &Measurement::round},
                      Field{"from", &Measurement::from},
                      Field{"to", &Measurement::to},
                      Field{"traffic_class", &Measurement::traffic_class},
                      Field{"traffic_class_byte", &Measurement::traffic_class_byte},
                      Field{"mtu", &Measurement::mtu},
                      Field{"figures", &Measurement::figures},
                      Field{"data_intact", &Measurement::data_intact},
                      Field{"errors", &Measurement::errors},
                      Field{"from_counters", &Measurement::from_counters},
                      Field{"to_counters", &Measurement::to_counters}};
  }
};

std::string encode_measurement(const Measurement& measurement);  // one line of JSON
Result<Measurement> decode_measurement(std::string_view text);

}  // namespace rocert
