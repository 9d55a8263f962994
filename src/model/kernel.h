// The kernel objects that the door can be asked for: one query type each, whose Answer is a plain value. A query's path
// names it in recordings ("dcb/eth2.json"); the door's backends and the recording's codec are the only places that list
// them.
#pragma once
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/dcb.h"
#include "model/ethtool.h"
#include "model/gap.h"
#include "model/link.h"
#include "model/rdma.h"
#include "model/route.h"

namespace rocert {

struct Links {
  using Answer = std::vector<Link>;
  auto operator<=>(const Links&) const = default;
};
struct Addresses {
  using Answer = std::vector<Address>;
  auto operator<=>(const Addresses&) const = default;
};
struct Routes {
  using Answer = std::vector<Route>;
  auto operator<=>(const Routes&) const = default;
};
struct Rules {
  using Answer = std::vector<Rule>;
  auto operator<=>(const Rules&) const = default;
};
struct Neighbours {
  using Answer = std::vector<Neighbour>;
  auto operator<=>(const Neighbours&) const = default;
};
struct RdmaPorts {
  using Answer = std::vector<RdmaPort>;
  auto operator<=>(const RdmaPorts&) const = default;
};
struct RdmaSystemOf {
  using Answer = RdmaSystem;
  auto operator<=>(const RdmaSystemOf&) const = default;
};
struct DcbOf {
  std::string netdev;
  using Answer = Dcb;
  auto operator<=>(const DcbOf&) const = default;
};
struct DriverOf {
  std::string netdev;
  using Answer = DriverIdentity;
  auto operator<=>(const DriverOf&) const = default;
};
struct LinkModesOf {
  std::string netdev;
  using Answer = LinkModes;
  auto operator<=>(const LinkModesOf&) const = default;
};
struct PauseOf {
  std::string netdev;
  using Answer = Pause;
  auto operator<=>(const PauseOf&) const = default;
};
struct FecOf {
  std::string netdev;
  using Answer = Fec;
  auto operator<=>(const FecOf&) const = default;
};
struct RingsOf {
  std::string netdev;
  using Answer = Rings;
  auto operator<=>(const RingsOf&) const = default;
};
struct PrivateFlagsOf {
  std::string netdev;
  using Answer = PrivateFlags;
  auto operator<=>(const PrivateFlagsOf&) const = default;
};
struct StatisticsOf {
  std::string netdev;
  using Answer = Counters;
  auto operator<=>(const StatisticsOf&) const = default;
};
// Hardware counters of an RDMA port (nldev STAT_GET).
struct RdmaStatisticsOf {
  std::string device;
  uint32_t port = 1;
  using Answer = Counters;
  auto operator<=>(const RdmaStatisticsOf&) const = default;
};
struct RdmaPortAttributesOf {
  std::string device;
  uint32_t port = 1;
  using Answer = RdmaPortAttributes;
  auto operator<=>(const RdmaPortAttributesOf&) const = default;
};

using KernelQuery =
    std::variant<Links, Addresses, Routes, Rules, Neighbours, RdmaPorts, RdmaSystemOf, DcbOf, DriverOf, LinkModesOf,
                 PauseOf, FecOf, RingsOf, PrivateFlagsOf, StatisticsOf, RdmaStatisticsOf, RdmaPortAttributesOf>;
using KernelAnswer = std::variant<std::vector<Link>, std::vector<Address>, std::vector<Route>, std::vector<Rule>,
                                  std::vector<Neighbour>, std::vector<RdmaPort>, RdmaSystem, Dcb, DriverIdentity,
                                  LinkModes, Pause, Fec, Rings, PrivateFlags, Counters, RdmaPortAttributes>;

// A name as one path component; whatever could be more than that, or be hidden, becomes %XX, one to one.
std::string component_of(std::string_view name);
// Path of the query's answer inside a recording, e.g. "kernel/dcb/eth2.json"; netdev names are checked to be one
// component.
std::string recording_path(const KernelQuery& query);
// JSON of an answer at rest, and back; counters are `name value` lines. Errors are kMalformed and name the field.
std::string encode_answer(const KernelAnswer& answer);
Result<KernelAnswer> decode_answer(const KernelQuery& query, std::string_view text);

// --- what can be written; each value is absolute, so that writing it twice is writing it once
// -------------------------

struct SetMtu {
  int ifindex = 0;
  uint32_t mtu = 0;
};
struct SetLinkUp {
  int ifindex = 0;
  bool up = true;
};
struct SetPfc {
  std::string netdev;
  Pfc pfc;
};
struct SetEts {
  std::string netdev;
  Ets ets;
};
struct SetDcbBuffers {
  std::string netdev;
  DcbBuffers buffers;
};
struct AddApp {
  std::string netdev;
  App app;
};
struct RemoveApp {
  std::string netdev;
  App app;
};
struct SetTrustOrder {
  std::string netdev;
  std::vector<uint8_t> order;
};
struct SetDcbx {
  std::string netdev;
  uint8_t mode = 0;
};
struct SetPause {
  std::string netdev;
  bool autoneg = false, rx = false, tx = false;
};
struct AddAddress {
  Address address;
};
struct RemoveAddress {
  Address address;
};
struct AddRoute {
  Route route;
};
struct RemoveRoute {
  Route route;
};
struct AddRule {
  Rule rule;
};
struct RemoveRule {
  Rule rule;
};
struct AddNeighbour {
  Neighbour neighbour;
};
struct RemoveNeighbour {
  Neighbour neighbour;
};
struct SetPrivateFlag {
  std::string netdev;
  std::string flag;
  bool on = false;
};

using KernelWrite = std::variant<SetMtu, SetLinkUp, SetPfc, SetEts, SetDcbBuffers, AddApp, RemoveApp, SetTrustOrder,
                                 SetDcbx, SetPause, AddAddress, RemoveAddress, AddRoute, RemoveRoute, AddRule,
                                 RemoveRule, AddNeighbour, RemoveNeighbour, SetPrivateFlag>;

// "dcb pfc eth2" and the like, for messages and for the door's log.
std::string to_text(const KernelWrite& write);

}  // namespace rocert
