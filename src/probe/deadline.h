// A moment after which waiting ends. Every wait of a probe takes one.
#pragma once
#include <algorithm>
#include <chrono>
#include <limits>

namespace rocert {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Deadline(Clock::time_point at) : at_(at) {}
  static Deadline in(std::chrono::nanoseconds duration) { return Deadline(Clock::now() + duration); }

  bool passed() const { return Clock::now() >= at_; }
  Deadline sooner(const Deadline& other) const { return Deadline(std::min(at_, other.at_)); }
  // What is left for poll(2), rounded up so that a wait does not spin through the last millisecond.
  int milliseconds_left() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, std::numeric_limits<int>::max()));
  }

 private:
  Clock::time_point at_;
};

}  // namespace rocert
