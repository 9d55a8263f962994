// One direction of one port: faults, a queue with a bound, and a rate. Pure: the time is what the caller says it is.
// Per-priority queues, their pausing (802.1Qbb) and ECN marks by depth belong here; a lane has one queue so far.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "packet.h"

namespace rocert::lab {

using Nanoseconds = std::chrono::nanoseconds;
using SharedPacket = std::shared_ptr<const Packet>;

struct DscpRewrite {
  std::uint8_t from = 0, to = 0;
};

struct Faults {
  bool cut = false;
  double drop = 0;      // share of the frames, 0 to 1
  std::size_t mtu = 0;  // larger payloads are dropped; 0 is no bound
  Nanoseconds delay{0};
  std::uint64_t rate = 0;  // bits a second instead of the lane's own; 0 is none
  std::optional<DscpRewrite> rewrite;
};

struct LaneCounters {
  std::uint64_t frames = 0, bytes = 0;  // that left the lane
  std::uint64_t dropped_by_cut = 0, dropped_by_share = 0, dropped_by_mtu = 0, dropped_by_queue = 0;
  std::uint64_t rewritten = 0;
};

class Lane {
 public:
  // `rate` in bits a second, 0 for none; `seed` decides which frames a drop share hits.
  Lane(std::uint64_t rate, std::size_t queue_bytes, std::uint64_t seed);

  void offer(SharedPacket packet, Nanoseconds now);
  // When the first frame may leave; it may be past.
  [[nodiscard]] std::optional<Nanoseconds> next_departure() const;
  [[nodiscard]] const Packet& front() const { return *queue_.front().packet; }
  // Takes the first frame off; needs next_departure() <= now.
  SharedPacket pop(Nanoseconds now);

  Faults faults;
  [[nodiscard]] const LaneCounters& counters() const { return counters_; }

 private:
  struct Queued {
    SharedPacket packet;
    Nanoseconds ready;
  };

  [[nodiscard]] std::uint64_t rate() const { return faults.rate ? faults.rate : own_rate_; }
  bool chance(double share);

  std::uint64_t own_rate_;
  std::size_t queue_limit_;
  std::uint64_t random_;
  std::deque<Queued> queue_;
  std::size_t queued_bytes_ = 0;
  Nanoseconds line_free_{0};  // when the line has sent what it was given
  LaneCounters counters_;
};

}  // namespace rocert::lab
