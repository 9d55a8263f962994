// Finds this end's GID in the device's table by what it stands for. An index alone is never trusted: indices differ
// between hosts and move when addresses and links change.
#pragma once
#include <array>

#include "model/measurement.h"
#include "probe/verbs_objects.h"

namespace rocert {

struct GidChoice {
  uint32_t index = 0;
  std::array<uint8_t, 16> gid{};
};

// The RoCE v2 entry of `end.gid` on the end's port, on `end.netdev` where several netdevs carry the address (a VLAN or
// a bond above the port may). `entries`: length of the table. The Error tells what the table holds for the address, or
// which addresses it holds.
Result<GidChoice> find_gid(const Verbs& verbs, ibv_context& device, const End& end, uint32_t entries);

}  // namespace rocert
