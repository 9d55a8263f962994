// RDMA devices, ports and their hardware counters over RDMA netlink (nldev; drivers/infiniband/core/nldev.c).
#pragma once
#include <map>

#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

class Rdma {
 public:
  // An errno, or 0; EPROTONOSUPPORT where the kernel has no RDMA subsystem, which is not the same as no device.
  int open();
  bool is_open() const { return socket_.is_open(); }
  uint64_t requests() const { return socket_.requests(); }

  // Every port of every device: one message for all devices, and for each device one for its ports and one for its
  // driver.
  Observed<std::vector<RdmaPort>> ports();
  Observed<RdmaSystem> system();
  // One message, and one more when the device's number is not known yet.
  Observed<Counters> statistics(const std::string& device, uint32_t port);

 private:
  Observed<uint32_t> index_of(const std::string& device);
  std::string driver_of(uint32_t index);

  Socket socket_;
  std::map<std::string, uint32_t> indices_;
};

// Bodies of the replies. A device comes as a port without a number (0).
Observed<std::optional<RdmaPort>> parse_rdma_device(Octets body);
Observed<std::optional<RdmaPort>> parse_rdma_port(Octets body);
Observed<RdmaSystem> parse_rdma_system(Octets body);
Observed<Counters> parse_rdma_statistics(Octets body);
// The kernel module that serves the device, by its uverbs driver number; empty when it is not told.
std::string parse_rdma_driver(Octets body);

}  // namespace rocert::netlink
