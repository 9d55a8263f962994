// LinuxHost: the machine this process runs on: files, rtnetlink, ethtool and RDMA netlink, libibverbs where present.
#pragma once
#include <memory>

#include "host/host.h"

namespace rocert {

// Sockets and libibverbs are opened on first use and kept.
std::unique_ptr<Host> open_linux_host();

}  // namespace rocert
