// Probe: a traffic test between two ports, run by a worker at each end. The two ends agree over an exchange that the
// coordinator relays; each end returns its half.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/verbs.h"
#include "model/measurement.h"
#include "model/page.h"

namespace rocert {

enum class Side { kActive, kPassive };
template <>
struct Words<Side> {
  static constexpr std::array<std::pair<Side, std::string_view>, 2> values{
      {{Side::kActive, "active"}, {Side::kPassive, "passive"}}};
};

// What an end is told to do.
struct ProbeOrder {
  std::string probe;  // "write_bw", "send_lat"
  Side side = Side::kActive;
  End self;
  uint32_t mtu = 0;            // RDMA MTU, bytes; 0: the port's active MTU
  uint32_t traffic_class = 0;  // GRH byte
  uint32_t size = 65536;       // bytes a message
  uint32_t messages = 0;       // how many; 0: until `duration`
  uint32_t depth = 64;         // outstanding messages
  uint64_t duration_ns = 1'000'000'000;
  uint64_t deadline_ns = 10'000'000'000;  // after which the QP is moved to ERR
  uint32_t timeout = 15;                  // local ACK timeout exponent, 4.096 us * 2^n; longer than a full queue waits
  uint32_t retries = 6;                   // transport retries: 7 means forever on rxe
  bool operator==(const ProbeOrder&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"probe", &ProbeOrder::probe},
                      Field{"side", &ProbeOrder::side},
                      Field{"self", &ProbeOrder::self},
                      Field{"mtu", &ProbeOrder::mtu},
                      Field{"traffic_class", &ProbeOrder::traffic_class},
                      Field{"size", &ProbeOrder::size},
                      Field{"messages", &ProbeOrder::messages},
                      Field{"depth", &ProbeOrder::depth},
                      Field{"duration_ns", &ProbeOrder::duration_ns},
                      Field{"deadline_ns", &ProbeOrder::deadline_ns},
                      Field{"timeout", &ProbeOrder::timeout},
                      Field{"retries", &ProbeOrder::retries}};
  }
};

// What the two ends tell each other before traffic can flow.
struct Endpoint {
  uint32_t qp_number = 0;
  uint32_t packet_sequence = 0;
  std::array<uint8_t, 16> gid{};
  uint64_t address = 0;  // of the registered buffer
  uint32_t key = 0;      // rkey
  uint32_t length = 0;
  uint32_t mtu = 0;  // RDMA MTU that this end can do, bytes
  bool operator==(const Endpoint&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"qp_number", &Endpoint::qp_number},
                      Field{"packet_sequence", &Endpoint::packet_sequence},
                      Field{"gid", &Endpoint::gid},
                      Field{"address", &Endpoint::address},
                      Field{"key", &Endpoint::key},
                      Field{"length", &Endpoint::length},
                      Field{"mtu", &Endpoint::mtu}};
  }
};

// One end's half of a measurement.
struct HalfResult {
  Observed<Figures> figures = gap(GapReason::kNotAsked, "");
  bool data_intact = false;
  uint32_t mtu = 0;
  std::vector<std::string> errors;
  CounterDeltas counters;
  bool operator==(const HalfResult&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"figures", &HalfResult::figures}, Field{"data_intact", &HalfResult::data_intact},
                      Field{"mtu", &HalfResult::mtu}, Field{"errors", &HalfResult::errors},
                      Field{"counters", &HalfResult::counters}};
  }
};

// Gives this end's Endpoint to the other and waits for the other's, for "done" likewise; each fails with kTimeout or
// kClosed.
struct Exchange {
  std::function<Result<Endpoint>(const Endpoint& mine)> meet;
  std::function<Result<>(std::string_view step)> barrier;  // both ends reached the step
};

struct Probe {
  Page page;
  Result<HalfResult> (*run)(const Verbs& verbs, const ProbeOrder& order, const Exchange& exchange) = nullptr;
};

}  // namespace rocert
