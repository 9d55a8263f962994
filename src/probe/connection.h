// What both probes stand on: a reliable connection made from an order, and the two ends' agreement over the exchange.
#pragma once
#include "probe/completion_queue.h"
#include "probe/probe.h"
#include "probe/queue_pair.h"

namespace rocert {

// What a probe needs of its end: bytes of registered memory, and how much work may be outstanding.
struct Capacity {
  size_t buffer = 0;
  QueueDepths depths;
};

struct Connection {
  Owned<ibv_context> device;
  Owned<ibv_pd> domain;
  Buffer buffer;
  CompletionQueue completions;
  Owned<ibv_qp> pair;
  uint8_t gid_index = 0;
  Endpoint mine;
  Endpoint theirs;   // from connect() on
  uint32_t mtu = 0;  // agreed, from connect() on
};

// Refuses an order that could hang or make no sense: a retry count or a timeout that never ends, no end of the traffic,
// a duration beyond the deadline. kUsage, and says what was seen and wanted.
Result<> check_order(const ProbeOrder& order);

// Opens the device, finds the GID, checks the port and brings a queue pair to INIT: receives may be posted.
Result<Connection> prepare(const Verbs& verbs, const ProbeOrder& order, const Capacity& capacity);

// Meets the other end and brings the queue pair to RTS; returns when both ends are there (barrier "ready").
Result<> connect(const Verbs& verbs, const ProbeOrder& order, const Exchange& exchange, Connection& connection);

// The longest that a working connection can be silent before its sender must have given up: all retries, four times
// over as the specification lets a timer run (InfiniBand 9.7.6.1.3), and a second. A silent end need not wait longer.
std::chrono::nanoseconds longest_silence(const ProbeOrder& order);

// "n1 mlx5_0 (active)", for messages.
std::string name_of(const ProbeOrder& order);

// Seed of the data that an end sends; both ends can tell it. Different for every connection and every `part`.
uint64_t seed_of(const Endpoint& sender, uint64_t part);

}  // namespace rocert
