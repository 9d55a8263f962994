// What ethtool tells of one netdev: driver, link modes, pause, FEC, rings, private flags (ethtool netlink and ioctl;
// linux/ethtool.h, linux/ethtool_netlink.h).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/fields.h"

namespace rocert {

struct DriverIdentity {  // ETHTOOL_GDRVINFO
  std::string driver;
  std::string version;
  std::string firmware;
  std::string bus;  // "0000:40:00.0" for PCI
  bool operator==(const DriverIdentity&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"driver", &DriverIdentity::driver}, Field{"version", &DriverIdentity::version},
                      Field{"firmware", &DriverIdentity::firmware}, Field{"bus", &DriverIdentity::bus}};
  }
};

struct LinkModes {
  std::optional<uint32_t> speed;  // Mb/s; none: unknown, e.g. link down
  std::optional<bool> full_duplex;
  std::optional<bool> autoneg;
  std::optional<uint32_t> lanes;
  std::optional<bool> link;          // LINKSTATE_LINK
  std::optional<uint8_t> ext_state;  // ETHTOOL_LINK_EXT_STATE_*
  std::optional<uint8_t> ext_substate;
  std::vector<std::string> supported;  // link mode names as the kernel's string set gives them
  std::vector<std::string> advertised;
  bool operator==(const LinkModes&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"speed", &LinkModes::speed},
                      Field{"full_duplex", &LinkModes::full_duplex},
                      Field{"autoneg", &LinkModes::autoneg},
                      Field{"lanes", &LinkModes::lanes},
                      Field{"link", &LinkModes::link},
                      Field{"ext_state", &LinkModes::ext_state},
                      Field{"ext_substate", &LinkModes::ext_substate},
                      Field{"supported", &LinkModes::supported},
                      Field{"advertised", &LinkModes::advertised}};
  }
};

struct Pause {  // 802.3x, global
  bool autoneg = false;
  bool rx = false;
  bool tx = false;
  std::optional<uint64_t> rx_frames;
  std::optional<uint64_t> tx_frames;
  bool operator==(const Pause&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"autoneg", &Pause::autoneg}, Field{"rx", &Pause::rx}, Field{"tx", &Pause::tx},
                      Field{"rx_frames", &Pause::rx_frames}, Field{"tx_frames", &Pause::tx_frames}};
  }
};

struct Fec {
  std::vector<std::string> configured;  // link mode names "RS", "BASER", "LLRS", "None"
  bool automatic = false;
  std::optional<std::string> active;
  std::optional<uint64_t> corrected_blocks;
  std::optional<uint64_t> uncorrectable_blocks;
  std::optional<uint64_t> corrected_bits;
  bool operator==(const Fec&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"configured", &Fec::configured},
                      Field{"automatic", &Fec::automatic},
                      Field{"active", &Fec::active},
                      Field{"corrected_blocks", &Fec::corrected_blocks},
                      Field{"uncorrectable_blocks", &Fec::uncorrectable_blocks},
                      Field{"corrected_bits", &Fec::corrected_bits}};
  }
};

struct Rings {
  std::optional<uint32_t> rx_max, rx, tx_max, tx;  // descriptors
  bool operator==(const Rings&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"rx_max", &Rings::rx_max}, Field{"rx", &Rings::rx}, Field{"tx_max", &Rings::tx_max},
                      Field{"tx", &Rings::tx}};
  }
};

using PrivateFlags = std::map<std::string, bool>;
using Counters = std::map<std::string, uint64_t>;  // by the driver's own name, spaces included

}  // namespace rocert
