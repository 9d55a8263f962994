#include "lane.h"

#include <algorithm>

namespace rocert::lab {
namespace {

// How far a lane may run ahead of its rate to make up for a late wakeup of the process.
constexpr Nanoseconds kCatchUp = std::chrono::milliseconds(1);

Nanoseconds time_on_line(std::size_t bytes, std::uint64_t rate) {
  return Nanoseconds(rate ? static_cast<std::int64_t>(static_cast<double>(bytes) * 8e9 / static_cast<double>(rate))
                          : 0);
}

}  // namespace

Lane::Lane(std::uint64_t rate, std::size_t queue_bytes, std::uint64_t seed)
    : own_rate_(rate), queue_limit_(queue_bytes), random_(seed) {}

// splitmix64: the same seed drops the same frames of a sequence.
bool Lane::chance(double share) {
  if (share <= 0) return false;
  std::uint64_t z = random_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) < share * static_cast<double>(1ULL << 53);
}

void Lane::offer(SharedPacket packet, Nanoseconds now) {
  const std::size_t size = packet->size();
  if (faults.cut) return void(counters_.dropped_by_cut++);
  if (faults.mtu && payload_size(*packet) > faults.mtu) return void(counters_.dropped_by_mtu++);
  if (chance(faults.drop)) return void(counters_.dropped_by_share++);
  if (queued_bytes_ + size > queue_limit_) return void(counters_.dropped_by_queue++);
  if (faults.rewrite && dscp_of(*packet) == faults.rewrite->from) {
    Packet changed = *packet;  // the other receivers of a flood keep theirs
    set_dscp(changed, faults.rewrite->to);
    packet = std::make_shared<const Packet>(std::move(changed));
    counters_.rewritten++;
  }
  Nanoseconds ready = now + faults.delay;
  if (!queue_.empty()) ready = std::max(ready, queue_.back().ready);  // a shorter delay overtakes nothing
  queue_.push_back({std::move(packet), ready});
  queued_bytes_ += size;
}

std::optional<Nanoseconds> Lane::next_departure() const {
  if (queue_.empty()) return std::nullopt;
  return rate() ? std::max(queue_.front().ready, line_free_) : queue_.front().ready;
}

SharedPacket Lane::pop(Nanoseconds now) {
  SharedPacket packet = std::move(queue_.front().packet);
  queue_.pop_front();
  queued_bytes_ -= packet->size();
  counters_.frames++;
  counters_.bytes += packet->size();
  line_free_ = std::max(line_free_, now - kCatchUp) + time_on_line(packet->size(), rate());
  return packet;
}

}  // namespace rocert::lab
