#include "support/paired_exchange.h"

namespace rocert::testing_support {

Exchange PairedExchange::end(size_t which) {
  return {.meet = [this, which](const Endpoint& mine) { return meet(which, mine); },
          .barrier = [this, which](std::string_view step) { return barrier(which, step); }};
}

void PairedExchange::leave(size_t which) {
  const std::lock_guard lock(mutex_);
  left_[which] = true;
  changed_.notify_all();
}

void PairedExchange::alter(size_t which, std::function<void(Endpoint&)> change) {
  const std::lock_guard lock(mutex_);
  alter_[which] = std::move(change);
}

Result<Endpoint> PairedExchange::meet(size_t which, const Endpoint& mine) {
  std::unique_lock lock(mutex_);
  Endpoint told = mine;
  if (alter_[which]) alter_[which](told);
  endpoints_[which] = told;
  changed_.notify_all();
  const size_t other = 1 - which;
  if (!changed_.wait_for(lock, patience_, [&] { return endpoints_[other] || left_[other]; })) {
    return fail(ErrorKind::kTimeout, "the other end told no endpoint in time");
  }
  if (!endpoints_[other]) return fail(ErrorKind::kClosed, "the other end left");
  return *endpoints_[other];
}

Result<> PairedExchange::barrier(size_t which, std::string_view step) {
  std::unique_lock lock(mutex_);
  reached_[which].emplace(step);
  changed_.notify_all();
  const size_t other = 1 - which;
  if (!changed_.wait_for(lock, patience_, [&] { return reached_[other].contains(step) || left_[other]; })) {
    return fail(ErrorKind::kTimeout, "the other end did not reach '" + std::string(step) + "' in time");
  }
  if (!reached_[other].contains(step))
    return fail(ErrorKind::kClosed, "the other end left before '" + std::string(step) + "'");
  return {};
}

}  // namespace rocert::testing_support
