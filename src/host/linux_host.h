// LinuxHost: the machine this process runs on: files, rtnetlink, ethtool and RDMA netlink, libibverbs where present.
#pragma once
#include <cstdint>
#include <memory>

#include "host/host.h"

namespace rocert {

// What the door has cost so far; counted, because times are the machine's and not ours.
struct HostCost {
  uint64_t netlink_requests = 0;
  uint64_t ioctls = 0;
  uint64_t file_accesses = 0;  // reads, listings, links and writes
  bool operator==(const HostCost&) const = default;
};

class LinuxHost : public Host {
 public:
  virtual HostCost cost() const = 0;
};

// Sockets and libibverbs are opened on first use and kept. Not for use by several threads at once.
std::unique_ptr<LinuxHost> open_linux_host();

}  // namespace rocert
