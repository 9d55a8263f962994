// What is known about a NIC family, as values that audit can use: how it expresses trust, what its counters mean.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "model/gap.h"
#include "model/snapshot.h"

namespace rocert {

enum class CounterMeaning { kLoss, kReceiverNotReady, kCongestion, kError, kPause, kActivity };

struct CounterFact {
  std::string_view pattern;  // glob over the driver's name, compared without case
  CounterMeaning meaning;
  std::string_view says;  // one line, what growth means
};

struct DriverFacts {
  std::string_view module;       // kernel module of its netdevs, e.g. "mlx5_core"; of RDMA alone "rxe"
  std::string_view rdma_module;  // that serves its RDMA devices where it is another, e.g. "mlx5_ib"
  bool supports_pfc = false;
  // "dscp", "pcp" or "none" as this driver expresses it; null: it has no such notion, the netdev's driver decides.
  Observed<std::string> (*trust)(const Member& member) = nullptr;
  std::span<const CounterFact> counters;
  std::span<const std::string_view> deviations;  // where the hardware differs from the standard, each with its source

  constexpr bool serves(std::string_view name) const {
    return !name.empty() && (name == module || name == rdma_module);
  }
};

// Kernel module that serves a member: the bound PCI driver's, else what ethtool names. Empty when neither tells.
std::string kernel_module(const Member& member);

class DriverTable {
 public:
  explicit DriverTable(std::span<const DriverFacts* const> facts) : facts_(facts) {}
  // Facts of a module; those of "generic" for an unknown one, and none at all where the table lacks even that.
  const DriverFacts& find(std::string_view module) const;
  // Meaning of a counter for the module, null when nothing is known.
  const CounterFact* find_counter(std::string_view module, std::string_view counter) const;

 private:
  std::span<const DriverFacts* const> facts_;
};

}  // namespace rocert
