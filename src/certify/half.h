// Half: one end of a probe while it runs on a worker: its exchange with the other end, through the coordinator.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "certify/messages.h"
#include "probe/probe.h"

namespace rocert {

// Safe between threads: the probe's thread waits in the exchange, the loop's thread tells it what comes.
class Half {
 public:
  // `say` sends to the coordinator from any thread. Waiting ends at the deadline.
  Half(uint64_t id, std::chrono::steady_clock::time_point deadline, std::function<void(const FromWorker&)> say);

  uint64_t id() const { return id_; }
  // Refers to this Half, which must outlive it.
  Exchange exchange();

  void meet(const Endpoint& peer);
  void release(const std::string& step);
  // Nobody will come any more: waits fail with kClosed and this reason.
  void cancel(const std::string& why);

 private:
  template <class Condition>
  Result<> wait(const char* what, Condition condition);

  const uint64_t id_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::function<void(const FromWorker&)> say_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Endpoint> peer_;
  std::set<std::string> released_;
  std::optional<std::string> cancelled_;
};

}  // namespace rocert
