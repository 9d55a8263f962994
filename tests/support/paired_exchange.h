// An exchange between two threads of one test, as the coordinator relays it between two hosts: bounded, and closed when
// an end leaves early.
#pragma once
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "probe/probe.h"

namespace rocert::testing_support {

class PairedExchange {
 public:
  explicit PairedExchange(std::chrono::milliseconds patience = std::chrono::seconds(60)) : patience_(patience) {}

  // What the end (0 or 1) is given; valid while this lives.
  Exchange end(size_t which);
  // The end has left: the other one's waits fail with kClosed.
  void leave(size_t which);
  // Changes what the end's peer is told, as a hostile or broken peer would.
  void alter(size_t which, std::function<void(Endpoint&)> change);

 private:
  Result<Endpoint> meet(size_t which, const Endpoint& mine);
  Result<> barrier(size_t which, std::string_view step);

  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::optional<Endpoint>, 2> endpoints_;
  std::array<std::set<std::string, std::less<>>, 2> reached_;
  std::array<bool, 2> left_{};
  std::array<std::function<void(Endpoint&)>, 2> alter_;
};

}  // namespace rocert::testing_support
