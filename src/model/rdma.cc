#include "model/rdma.h"

#include <algorithm>

namespace rocert {

IpAddress Gid::address() const {
  static constexpr std::array<uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  IpAddress address;
  if (std::equal(kMapped.begin(), kMapped.end(), raw.begin())) {
    std::copy(raw.begin() + 12, raw.end(), address.bytes.begin());
    return address;
  }
  address.family = Family::kIpv6;
  address.bytes = raw;
  return address;
}

bool Gid::is_routable() const {
  const IpAddress ip = address();
  return !ip.is_link_local() && !ip.is_unspecified() && !ip.is_loopback();
}

uint32_t rdma_mtu_for(uint32_t netdev_mtu) {
  for (const uint32_t mtu : {4096u, 2048u, 1024u, 512u, 256u}) {
    if (netdev_mtu >= netdev_mtu_for(mtu)) return mtu;
  }
  return 0;
}

}  // namespace rocert
