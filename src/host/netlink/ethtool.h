// Ethtool over generic netlink: link modes, pause, FEC, rings, private flags (linux/ethtool_netlink.h).
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

// A NETLINK_GENERIC socket that knows the number of the kernel's "ethtool" family.
class Ethtool {
 public:
  // An errno, or 0; ENOENT in a kernel without ethtool netlink (before 5.6).
  int open();
  bool is_open() const { return family_ != 0; }
  uint64_t requests() const { return socket_.requests(); }

  Observed<LinkModes> link_modes(const std::string& netdev);
  Observed<Pause> pause(const std::string& netdev);
  Observed<Fec> fec(const std::string& netdev);
  Observed<Rings> rings(const std::string& netdev);
  Observed<PrivateFlags> private_flags(const std::string& netdev);
  Result<> write(const SetPause& change);
  Result<> write(const SetPrivateFlag& change);

 private:
  template <class T>
  Observed<T> get(const std::string& netdev, uint8_t command, std::string_view what, Observed<T> (*parse)(Octets));

  Socket socket_;
  uint16_t family_ = 0;
};

// Bodies of the replies, behind the generic netlink header.
Observed<LinkModes> parse_link_modes(Octets body);
Observed<LinkModes> parse_link_state(Octets body);  // link and the extended state only
Observed<Pause> parse_pause(Octets body);
Observed<Fec> parse_fec(Octets body);
Observed<Rings> parse_rings(Octets body);
Observed<PrivateFlags> parse_private_flags(Octets body);

}  // namespace rocert::netlink
