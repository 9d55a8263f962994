#include "certify/half.h"

#include <fmt/format.h>

namespace rocert {

Half::Half(uint64_t id, std::chrono::steady_clock::time_point deadline, std::function<void(const FromWorker&)> say)
    : id_(id), deadline_(deadline), say_(std::move(say)) {}

template <class Condition>
Result<> Half::wait(const char* what, Condition condition) {
  std::unique_lock lock(mutex_);
  const bool in_time = changed_.wait_until(lock, deadline_, [&] { return cancelled_ || condition(); });
  if (cancelled_) return fail(ErrorKind::kClosed, *cancelled_);
  if (!in_time) return fail(ErrorKind::kTimeout, fmt::format("waited in vain for the other end's {}", what));
  return {};
}

Exchange Half::exchange() {
  return {.meet = [this](const Endpoint& mine) -> Result<Endpoint> {
            say_(OwnEndpoint{id_, mine});
            TRY(wait("endpoint", [&] { return peer_.has_value(); }));
            return *peer_;
          },
          .barrier = [this](std::string_view step) -> Result<> {
            const std::string name(step);
            say_(StepReached{id_, name});
            return wait(name.c_str(), [&] { return released_.contains(name); });
          }};
}

void Half::meet(const Endpoint& peer) {
  const std::lock_guard lock(mutex_);
  peer_ = peer;
  changed_.notify_all();
}

void Half::release(const std::string& step) {
  const std::lock_guard lock(mutex_);
  released_.insert(step);
  changed_.notify_all();
}

void Half::cancel(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (!cancelled_) cancelled_ = why;
  changed_.notify_all();
}

}  // namespace rocert
