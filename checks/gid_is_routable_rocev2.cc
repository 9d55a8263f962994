#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "audit/check.h"
#include "base/text.h"
#include "checks/netdevs.h"

namespace rocert::checks {
namespace {

constexpr std::array<std::string_view, 1> kCovers{"own-address-leaves-by-own-port"};
constexpr std::string_view kWanted = "a RoCE v2 GID with a routable address on the port's own netdev";

enum class Use { kUsable, kLinkLocal, kVersion1, kElsewhere, kStale };

// What decides whether a GID can be used; lists that are Gaps decide nothing against it.
struct Scene {
  std::vector<std::string> netdevs;  // of the port; without a list of links its own and its members' alone
  std::optional<std::vector<IpAddress>> addresses;  // of those devices
};

Scene scene_of(const Snapshot& snapshot, const Port& port) {
  Scene scene{.netdevs = {port.netdev()}};
  for (const Member& member : port.members) scene.netdevs.push_back(member.netdev);
  std::vector<int> devices{port.link.ifindex};
  if (snapshot.links) {
    devices = devices_of(*snapshot.links, port);
    for (const Link& link : *snapshot.links) {
      if (std::ranges::find(devices, link.ifindex) != devices.end()) scene.netdevs.push_back(link.name);
    }
  }
  if (!snapshot.links || !snapshot.addresses) return scene;
  scene.addresses.emplace();
  for (const Address& address : *snapshot.addresses) {
    if (std::ranges::find(devices, address.ifindex) != devices.end()) scene.addresses->push_back(address.local.address);
  }
  return scene;
}

Use use_of(const Gid& gid, const Scene& scene) {
  if (!gid.is_routable()) return Use::kLinkLocal;
  if (gid.type != GidType::kRoceV2) return Use::kVersion1;
  const bool own = gid.netdev.empty() || std::ranges::find(scene.netdevs, gid.netdev) != scene.netdevs.end();
  if (!own) return Use::kElsewhere;
  if (scene.addresses && std::ranges::find(*scene.addresses, gid.address()) == scene.addresses->end())
    return gid.netdev.empty() ? Use::kElsewhere : Use::kStale;
  return Use::kUsable;
}

std::string text_of(const Gid& gid) {
  return fmt::format("GID {}: {}, {}{}", gid.index, to_text(gid.address()), word_of(gid.type),
                     gid.netdev.empty() ? "" : ", " + gid.netdev);
}

std::string consequence(Use best, const Gid& gid, const Port& port) {
  switch (best) {
    case Use::kStale:
      return fmt::format("{} is no longer an address of {}: packets with this GID get no answer.",
                         to_text(gid.address()), gid.netdev);
    case Use::kElsewhere:
      return fmt::format(
          "The routable GIDs of {} belong to another netdev than {}: traffic would not leave by this "
          "port.",
          port.rdma.device, port.netdev());
    case Use::kVersion1:
      return "RoCE v1 alone is not routed and carries no DSCP; libraries that ask for v2 find nothing to use.";
    case Use::kLinkLocal:
    case Use::kUsable:
      break;
  }
  return "Link-local addresses are not routed, and libraries that look for a routable GID find none.";
}

bool has_routable_address(const Scene& scene, const Port& port) {
  const auto routable = [](const IpAddress& ip) { return !ip.is_link_local() && !ip.is_loopback(); };
  if (scene.addresses) return std::ranges::any_of(*scene.addresses, routable);
  return std::ranges::any_of(port.addresses, [&](const Address& a) { return routable(a.local.address); });
}

std::vector<Judgement> judge(const View& view, const Port& port) {
  if (!port.gids) return {unknown(port.gids.error(), std::string(kWanted))};
  const Scene scene = scene_of(view.host, port);
  const Gid* nearest = nullptr;  // to being usable
  for (const Gid& gid : *port.gids) {
    const Use use = use_of(gid, scene);
    if (use == Use::kUsable) return {pass(text_of(gid))};
    if (nearest == nullptr || use > use_of(*nearest, scene)) nearest = &gid;
  }
  if (!view.host.links && nearest != nullptr && use_of(*nearest, scene) == Use::kElsewhere)
    return {unknown(view.host.links.error(), std::string(kWanted))};
  Judgement judgement =
      nearest == nullptr
          ? failure("an empty GID table", std::string(kWanted),
                    fmt::format("{} has no netdev with an address in this network namespace, so no queue pair can "
                                "connect.",
                                port.rdma.device))
          : failure(text_of(*nearest), std::string(kWanted), consequence(use_of(*nearest, scene), *nearest, port));
  for (const Gid& gid : *port.gids) judgement.evidence.push_back(text_of(gid));
  // Without a profile nobody said that the port is meant to carry traffic: one without an address is worth a warning.
  if (!view.wants.stated() && !has_routable_address(scene, port)) judgement.severity = Severity::kWarn;
  return {judgement};
}

}  // namespace

extern constinit const Check gid_is_routable_rocev2{
    .page = {.code = "gid-is-routable-rocev2",
             .title = "The port has a routable RoCE v2 GID on its own netdev",
             .why =
                 "A queue pair names its sender by a GID. Only a RoCE v2 GID that stands for a routable address of the "
                 "port crosses a router and carries a DSCP. The index does not matter and differs between hosts; the "
                 "address, the version and the netdev do.",
             .remedy =
                 "ip addr add ADDRESS/LENGTH dev NETDEV            (the GID follows the address)\n"
                 "In a container: attach the NIC's netdev (macvlan, host-device or a virtual function), or use the "
                 "host's network.\n"
                 "After a change: restart jobs that cached a GID index; leave NCCL_IB_GID_INDEX unset.",
             .source =
                 "drivers/infiniband/core/roce_gid_mgmt.c; sysfs-class-infiniband (gid_attrs); InfiniBand annex A17"},
    .severity = Severity::kError,
    .covers = kCovers,
    .rule = PortRule(judge),
};

}  // namespace rocert::checks
