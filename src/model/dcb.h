// Data centre bridging of one netdev as its driver and the kernel's APP table tell it (RTM_GETDCB; net/dcb/dcbnl.c,
// linux/dcbnl.h). An attribute that the driver has no getter for is an empty optional: a fact about the driver.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/fields.h"

namespace rocert {

// Values of App::selector (IEEE 802.1Q-2018 table D-9; 255 is the kernel's).
enum : uint8_t { kAppEthertype = 1, kAppStream = 2, kAppDatagram = 3, kAppAny = 4, kAppDscp = 5, kAppPcp = 255 };
// Values of Ets::transmission_selection.
enum : uint8_t { kTsaStrict = 0, kTsaCreditShaper = 1, kTsaEts = 2, kTsaVendor = 255 };
// Bits of Dcb::dcbx.
enum : uint8_t { kDcbxHost = 1, kDcbxLldManaged = 2, kDcbxCee = 4, kDcbxIeee = 8, kDcbxStatic = 16 };

struct Pfc {
  uint8_t capability = 0;  // how many classes may pause
  uint8_t enabled = 0;     // bit p: priority p pauses
  bool mbc = false;
  uint16_t delay = 0;                     // mlx5: cable length in metres
  std::array<uint64_t, 8> requests{};     // pause frames sent, per priority
  std::array<uint64_t, 8> indications{};  // pause frames received, per priority
  bool operator==(const Pfc&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"capability", &Pfc::capability},
                      Field{"enabled", &Pfc::enabled},
                      Field{"mbc", &Pfc::mbc},
                      Field{"delay", &Pfc::delay},
                      Field{"requests", &Pfc::requests},
                      Field{"indications", &Pfc::indications}};
  }
};

struct Ets {
  bool willing = false;
  uint8_t capability = 0;
  bool cbs = false;
  std::array<uint8_t, 8> bandwidth{};               // percent per traffic class
  std::array<uint8_t, 8> transmission_selection{};  // kTsa* per traffic class
  std::array<uint8_t, 8> priority_to_class{};
  bool operator==(const Ets&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"willing", &Ets::willing},
                      Field{"capability", &Ets::capability},
                      Field{"cbs", &Ets::cbs},
                      Field{"bandwidth", &Ets::bandwidth},
                      Field{"transmission_selection", &Ets::transmission_selection},
                      Field{"priority_to_class", &Ets::priority_to_class}};
  }
};

struct DcbBuffers {
  std::array<uint8_t, 8> priority_to_buffer{};
  std::array<uint32_t, 8> size{};  // bytes
  uint32_t total = 0;              // bytes
  bool operator==(const DcbBuffers&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"priority_to_buffer", &DcbBuffers::priority_to_buffer}, Field{"size", &DcbBuffers::size},
                      Field{"total", &DcbBuffers::total}};
  }
};

struct App {
  uint8_t selector = 0;
  uint8_t priority = 0;
  uint16_t protocol = 0;  // DSCP for kAppDscp, UDP or TCP port, ethertype
  auto operator<=>(const App&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"selector", &App::selector}, Field{"priority", &App::priority},
                      Field{"protocol", &App::protocol}};
  }
};

struct Dcb {
  std::optional<Pfc> pfc;
  std::optional<Ets> ets;
  std::optional<DcbBuffers> buffers;
  std::optional<std::array<uint64_t, 8>> max_rate;  // kbit/s per traffic class, 0: unlimited
  std::vector<App> apps;
  std::optional<std::vector<uint8_t>> trust_order;  // selectors by precedence; none before Linux 6.3 or in the driver
  std::optional<uint8_t> dcbx;                      // kDcbx* bits
  std::optional<Pfc> peer_pfc;                      // what the neighbour said by DCBX
  std::optional<Ets> peer_ets;
  std::vector<App> peer_apps;
  bool operator==(const Dcb&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"pfc", &Dcb::pfc},           Field{"ets", &Dcb::ets},
                      Field{"buffers", &Dcb::buffers},   Field{"max_rate", &Dcb::max_rate},
                      Field{"apps", &Dcb::apps},         Field{"trust_order", &Dcb::trust_order},
                      Field{"dcbx", &Dcb::dcbx},         Field{"peer_pfc", &Dcb::peer_pfc},
                      Field{"peer_ets", &Dcb::peer_ets}, Field{"peer_apps", &Dcb::peer_apps}};
  }
};

}  // namespace rocert
