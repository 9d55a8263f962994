// Keys for tests of profiles: the shapes that settings and limits of the product have, without its units.
#pragma once
#include <array>
#include <string_view>

#include "model/profile.h"

namespace rocert {

inline KnownKeys known_keys() {
  static constexpr std::array<std::string_view, 3> kFilter{"off", "strict", "loose"};
  static constexpr std::array<std::string_view, 2> kTrust{"pcp", "dscp"};
  static constexpr std::array<std::string_view, 3> kMode{"IB/RoCE v1", "RoCE v1", "RoCE v2"};
  KnownKeys keys;
  keys.settings = {{"link.mtu", NumberShape{68, 65535, Unit::kBytes}},
                   {"dcb.pfc", PrioritiesShape{}},
                   {"dcb.dscp_map", MapShape{64, 8}},
                   {"dcb.trust", ChoiceShape{kTrust}},
                   {"ethernet.pause", FlagShape{}},
                   {"rdma_cm.tos", NumberShape{0, 255}},
                   {"rdma_cm.mode", ChoiceShape{kMode}}};
  for (const char* scope : {"port", "all"}) {
    const std::string prefix = std::string("sysctl.") + scope + ".";
    keys.settings[prefix + "arp_ignore"] = NumberShape{0, 8};
    keys.settings[prefix + "arp_announce"] = NumberShape{0, 2};
    keys.settings[prefix + "arp_filter"] = FlagShape{};
    keys.settings[prefix + "rp_filter"] = ChoiceShape{kFilter};
  }
  keys.limits = {{"write_bw.of_line", NumberShape{0, 1, Unit::kRatio}},
                 {"write_bw.of_median", NumberShape{0, 1, Unit::kRatio}},
                 {"write_bw.at_least", NumberShape{0, 100'000'000'000'000, Unit::kBandwidth}},
                 {"send_lat.p99", NumberShape{0, 1'000'000'000, Unit::kDuration}},
                 {"send_lat.of_median", NumberShape{1, 1000, Unit::kRatio}}};
  keys.codes = {"gid-is-routable-rocev2", "every-expected-port-is-present", "firmware-is-allowed"};
  return keys;
}

}  // namespace rocert
