// Runs a probe between two fake devices: both ends in a thread each, over a paired exchange.
#pragma once
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "probe/probe.h"
#include "support/fake_verbs.h"
#include "support/paired_exchange.h"

namespace rocert::testing_support {

inline FakeDevice device(const std::string& name, const std::string& address) {
  return {.name = name, .gids = {{.address = "fe80::1"}, {.address = address}}};
}

// fake0 with 198.18.0.1 and fake1 with 198.18.0.2, each at GID index 1.
inline std::vector<FakeDevice> two_devices() { return {device("fake0", "198.18.0.1"), device("fake1", "198.18.0.2")}; }

inline ProbeOrder order_for(Side side) {
  const bool active = side == Side::kActive;
  return {.probe = "test",
          .side = side,
          .self = {.host = active ? "n1" : "n2",
                   .netdev = "lo",
                   .rdma_device = active ? "fake0" : "fake1",
                   .gid = active ? "198.18.0.1" : "198.18.0.2"},
          .traffic_class = 104,
          .size = 1000,
          .messages = 100,
          .depth = 8,
          .deadline_ns = 30'000'000'000};
}

struct BothEnds {
  Result<HalfResult> active = fail(ErrorKind::kInternal, "did not run");
  Result<HalfResult> passive = fail(ErrorKind::kInternal, "did not run");
};

using Orders = std::array<ProbeOrder, 2>;  // active, passive
inline Orders both_orders() { return {order_for(Side::kActive), order_for(Side::kPassive)}; }

inline BothEnds run_both(const FakeFabric& fabric, const Probe& probe, const Orders& orders, PairedExchange& exchange) {
  BothEnds result;
  const auto run_end = [&](size_t which, Result<HalfResult>& into) {
    into = probe.run(fabric.verbs(), orders[which], exchange.end(which));
    exchange.leave(which);
  };
  std::thread passive([&] { run_end(1, result.passive); });
  run_end(0, result.active);
  passive.join();
  return result;
}

inline BothEnds run_both(const FakeFabric& fabric, const Probe& probe, const Orders& orders = both_orders()) {
  PairedExchange exchange;
  return run_both(fabric, probe, orders, exchange);
}

}  // namespace rocert::testing_support

namespace rocert::probes {
extern const Probe write_bw;
extern const Probe send_lat;
}  // namespace rocert::probes
