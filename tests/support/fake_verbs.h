// Verbs without a device: RoCE devices in memory, joined by a wire of their own thread, with faults by name. Reliable
// connections, RDMA WRITE, SEND and receive, completion events by poll(2).
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/verbs.h"

namespace rocert::testing_support {

// What goes wrong at one device.
struct FakeFaults {
  // errno by call: "open_device", "query_port", "query_gid_ex", "alloc_pd", "reg_mr", "create_comp_channel",
  // "create_cq", "create_qp", "modify_qp INIT", "modify_qp RTR", "modify_qp RTS", "modify_qp ERR", "post_send",
  // "post_recv".
  std::map<std::string, int> refuse;
  // What the device sends from its message `after` on (counted from 0) ...
  uint64_t after = 0;
  std::optional<ibv_wc_status> fails_with;  // completes in error, and the queue pair is then in ERR
  bool vanishes = false;                    // neither arrives nor completes: a black hole that retries for ever
  bool arrives_damaged = false;             // one bit is changed on the way
  bool never_flushes = false;               // ERR does not complete what is outstanding: a driver that hangs
  std::chrono::microseconds slow{};         // each message takes so long on the wire
};

struct FakeGid {
  std::string address;  // "198.18.0.1"
  ibv_gid_type type = IBV_GID_TYPE_ROCE_V2;
  std::string netdev = "lo";  // a netdev that exists; empty: none
  bool populated = true;
};

struct FakeDevice {
  std::string name;
  std::vector<FakeGid> gids;  // by index
  ibv_mtu active_mtu = IBV_MTU_4096;
  ibv_port_state state = IBV_PORT_ACTIVE;
  uint8_t link_layer = IBV_LINK_LAYER_ETHERNET;
  FakeFaults faults;
};

// What a queue pair was told, for tests to look at after the run.
struct FakeConnection {
  std::string device;
  ibv_qp_attr rtr{};
  ibv_qp_attr rts{};
};

// One at a time: verbs are C functions, which find the fabric by a process-wide pointer.
class FakeFabric {
 public:
  explicit FakeFabric(std::vector<FakeDevice> devices);
  FakeFabric(const FakeFabric&) = delete;
  FakeFabric& operator=(const FakeFabric&) = delete;
  ~FakeFabric();

  const Verbs& verbs() const;
  // Objects that were made and not released yet: none after a run, whatever happened.
  int alive() const;
  std::vector<FakeConnection> connections() const;

  struct Wire;

 private:
  std::unique_ptr<Wire> wire_;
};

}  // namespace rocert::testing_support
