// Ethtool by ioctl, for what its netlink does not tell: the driver's identity and its own counters, and private flags
// of kernels before 5.6 (linux/ethtool.h).
#pragma once
#include <cstdint>

#include "base/fd.h"
#include "model/kernel.h"

namespace rocert {

class EthtoolIoctl {
 public:
  Observed<DriverIdentity> driver(const std::string& netdev);
  Observed<Counters> statistics(const std::string& netdev);
  Observed<PrivateFlags> private_flags(const std::string& netdev);

  uint64_t calls() const { return calls_; }

 private:
  // An errno, or 0.
  int call(const std::string& netdev, void* command);
  Observed<std::vector<std::string>> strings(const std::string& netdev, uint32_t set, const std::string& what);

  Fd socket_;
  uint64_t calls_ = 0;
};

}  // namespace rocert
