#include <map>
#include <set>

#include "base/text.h"
#include "checks/pairs.h"

namespace rocert::checks {
namespace {

struct Place {
  std::string name;  // "host/netdev"
  uint32_t rdma_mtu = 0;
  uint32_t netdev_mtu = 0;
};

std::map<std::string, std::vector<Place>> places_by_rail(const Fabric& fabric) {
  std::map<std::string, std::vector<Place>> rails;
  for (const FabricHost& host : fabric.hosts) {
    if (!host.snapshot) continue;
    const auto rail_of = rails_of(fabric.profile == nullptr ? Rails{} : fabric.profile->rails, *host.snapshot);
    for (const Port& port : host.snapshot->ports) {
      const auto rail = rail_of.find(port.netdev());
      if (rail == rail_of.end() || (fabric.profile != nullptr && role_of(*fabric.profile, port) == nullptr)) continue;
      const uint32_t mtu = port.attributes ? port.attributes->active_mtu : rdma_mtu_for(port.link.mtu);
      rails[rail->second].push_back({host.name + "/" + port.netdev(), mtu, port.link.mtu});
    }
  }
  return rails;
}

// The RDMA MTU that most ports of the rail have; of equals the larger, since the smaller costs.
uint32_t common_mtu(const std::vector<Place>& places) {
  std::map<uint32_t, size_t> counts;
  for (const Place& place : places) ++counts[place.rdma_mtu];
  uint32_t common = 0;
  for (const auto& [mtu, count] : counts) {  // ascending, so the larger of equals comes last
    if (!counts.contains(common) || count >= counts.at(common)) common = mtu;
  }
  return common;
}

// Equal RDMA MTUs over different netdevs' are no fault: TCP alone sees the difference.
std::string netdevs_text(const std::vector<Place>& places) {
  std::set<std::string> mtus;
  for (const Place& place : places) mtus.insert(std::to_string(place.netdev_mtu));
  return join(std::vector<std::string>(mtus.begin(), mtus.end()), " and ");
}

std::vector<Judgement> judge(const Fabric& fabric, const Wants&) {
  std::vector<Judgement> judgements;
  for (const auto& [rail, places] : places_by_rail(fabric)) {
    const uint32_t common = common_mtu(places);
    const size_t before = judgements.size();
    for (const Place& place : places) {
      if (place.rdma_mtu == common) continue;
      Judgement judgement = failure(
          fmt::format("{} bytes (netdev {})", place.rdma_mtu, place.netdev_mtu),
          fmt::format("{} bytes, as most ports of the rail", common),
          "Where the two ends of a connection do not settle on the smaller one, packets are refused as too long.");
      judgement.port = place.name;
      judgement.item = "rail " + rail;
      judgement.settings = {"link.mtu"};
      judgements.push_back(std::move(judgement));
    }
    if (judgements.size() == before)
      judgements.push_back(rail_summary(
          rail, fmt::format("{} bytes on {} ports (netdev {})", common, places.size(), netdevs_text(places))));
  }
  if (judgements.empty()) judgements.push_back(unknown({GapReason::kNotAsked, "no host told of a port on a rail"}));
  return judgements;
}

}  // namespace

extern constinit const Check hosts_agree_on_mtu{
    .page =
        {.code = "hosts-agree-on-mtu",
         .title = "All ports of a rail have the same RDMA MTU",
         .why =
             "Some libraries negotiate the smaller MTU of two ends, others assume their own: then the larger end sends "
             "packets that the other refuses (local length errors, or a connection that breaks).",
         .remedy =
             "ip link set dev NETDEV mtu 4200                   (on the ports that are named; 4192 and more give 4096)",
         .source = "include/rdma/ib_addr.h (iboe_get_mtu); ibv_query_port(3)"},
    .severity = Severity::kError,
    .rule = FabricRule(judge),
};

}  // namespace rocert::checks
