// The wire of the fake verbs: objects as devices keep them, and the thread that carries messages between them.
#pragma once
#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_verbs.h"

namespace rocert::testing_support {

struct Device : ibv_device {
  FakeDevice is;
  uint64_t sent = 0;
};

struct Channel : ibv_comp_channel {
  std::deque<ibv_cq*> events;
};

struct Queue : ibv_cq {
  std::deque<ibv_wc> entries;
  bool armed = false;
  int unacknowledged = 0;
};

struct Receive {
  uint64_t id = 0;
  ibv_sge target{};
};

struct Pair : ibv_qp {
  FakeConnection told;
  std::array<uint8_t, 16> gid{};  // its own, once in RTR
  std::deque<Receive> receives;
};

// One message on its way: what the requester posted.
struct Message {
  Pair* from = nullptr;
  uint64_t id = 0;
  ibv_sge source{};
  ibv_wr_opcode opcode = IBV_WR_SEND;
  bool signaled = false;
  uint64_t remote_address = 0;
  uint32_t remote_key = 0;
  uint64_t number = 0;  // of its device
};

std::array<uint8_t, 16> raw_gid(const std::string& address);
inline Device& device_of(ibv_context* context) { return *static_cast<Device*>(context->device); }

struct FakeFabric::Wire {
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<Device>> devices;
  std::map<uint32_t, ibv_mr*> regions;  // by key
  std::map<uint32_t, Pair*> pairs;      // by number
  std::vector<FakeConnection> past;
  std::deque<Message> messages;  // on the wire, in order
  std::deque<Message> lost;      // posted, and never to arrive: they complete when flushed
  uint32_t next_number = 17;
  int alive = 0;
  bool stopping = false;
  std::thread thread;

  void run();
  void deliver(const Message& message);
  ibv_wc_status move(const Message& message);
  void complete(ibv_cq* queue, const ibv_wc& completion) const;
  void finish(const Message& message, ibv_wc_status status) const;
  void flush(Pair& pair);
  void forget(const Pair& pair);
  Pair* peer_of(const Pair& pair) const;
};

}  // namespace rocert::testing_support
