// Work in flight on a connection: posted, accounted for as it completes, and ended in bounded time when it fails.
#pragma once
#include "probe/completion.h"
#include "probe/connection.h"

namespace rocert {

// What a work request says of itself in its completion: how many messages it stands for, and a number of the probe's.
struct WorkTag {
  uint32_t messages = 1;  // this one and the unsignaled ones before it; 0: unsignaled itself
  uint32_t number = 0;
  constexpr uint64_t packed() const { return uint64_t{number} << 32 | messages; }
  static constexpr WorkTag of(uint64_t id) {
    return {.messages = static_cast<uint32_t>(id), .number = static_cast<uint32_t>(id >> 32)};
  }
};

class Traffic {
 public:
  Traffic(const Verbs& verbs, const ProbeOrder& order, Connection& connection)
      : verbs_(&verbs), order_(&order), connection_(&connection) {}

  // A chain of requests that stands for that many messages.
  Result<> post(ibv_send_wr& first, uint32_t messages);
  Result<> post(ibv_recv_wr& request);
  // Accounts for all of the completions; an Error when one of them is in error.
  Result<> take(std::span<const ibv_wc> completions);

  uint64_t outstanding() const { return outstanding_; }  // messages posted and not completed, receives included

  // Moves the queue pair to ERR, collects what is flushed (for a second at most) and says why there is no figure.
  HalfResult give_up(const Error& why);

 private:
  void drain(std::vector<std::string>& errors);

  const Verbs* verbs_;
  const ProbeOrder* order_;
  Connection* connection_;
  uint64_t outstanding_ = 0;
  Failures failures_;
};

// A Gap for what ended an end's part without traffic having failed: the deadline, the exchange, the device.
Gap gap_for(const Error& why);

}  // namespace rocert
