#include "certify/lineup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "model/wants.h"

namespace rocert {
namespace {

constexpr uint32_t kEct0 = 2;
constexpr size_t kReasonsShown = 3;

uint64_t speed_of(const Port& port) {
  uint64_t speed = 0;
  for (const Member& member : port.members) {
    if (member.link_modes) speed += member.link_modes->speed.value_or(0);
  }
  return speed == 0 && port.attributes ? port.attributes->active_speed : speed;
}

const Gid* choose_gid(const Port& port, const std::string& rail) {
  if (!port.gids) return nullptr;
  const auto prefix = parse_prefix(rail);
  const auto rank = [&](const Gid& gid) {
    const IpAddress address = gid.address();
    return std::tuple(!(prefix && prefix->contains(address)), address.family != Family::kIpv4, gid.index);
  };
  const Gid* best = nullptr;
  for (const Gid& gid : *port.gids) {
    if (gid.type != GidType::kRoceV2 || !gid.is_routable()) continue;
    if (best == nullptr || rank(gid) < rank(*best)) best = &gid;
  }
  return best;
}

std::string no_gid(const Port& port) {
  return port.gids ? "no routable RoCE v2 GID" : "its GIDs are not known: " + to_text(port.gids.error());
}

// Places every port of a host on its rail, or says why not.
void place(const FabricHost& host, const Profile* profile, Lineup& lineup,
           std::map<std::pair<std::string, std::string>, RailLineup>& rails) {
  const auto by_netdev = rails_of(profile == nullptr ? Rails{} : profile->rails, *host.snapshot);
  for (const Port& port : host.snapshot->ports) {
    const Wants wants = wants_of(profile, port);
    const TrafficClass* traffic = wants.data_class();
    if (profile != nullptr && traffic == nullptr) continue;
    const auto rail = by_netdev.find(port.netdev());
    if (rail == by_netdev.end()) {
      lineup.left_out.push_back({host.name, port.netdev(), "", "it belongs to no rail"});
      continue;
    }
    const Gid* gid = choose_gid(port, rail->second);
    if (gid == nullptr) {
      lineup.left_out.push_back({host.name, port.netdev(), rail->second, no_gid(port)});
      continue;
    }
    RailLineup& line = rails[{rail->second, traffic == nullptr ? "" : traffic->name}];
    line.rail = rail->second;
    if (traffic != nullptr) {
      line.traffic_class = traffic->name;
      if (traffic->dscp) line.traffic_class_byte = uint32_t{traffic->dscp->value} << 2 | kEct0;
    }
    line.ends.push_back({.host = host.name,
                         .netdev = port.netdev(),
                         .rdma_device = port.rdma.device,
                         .rdma_port = port.rdma.port,
                         .gid = to_text(gid->address()),
                         .gid_index = gid->index,
                         .speed = speed_of(port)});
  }
}

std::vector<Round> rounds_between_hosts(const std::vector<End>& ends) {
  std::vector<Round> rounds = round_robin(ends.size());
  for (Round& round : rounds)
    std::erase_if(round, [&](const Pairing& pair) { return ends[pair.first].host == ends[pair.second].host; });
  std::erase_if(rounds, [](const Round& round) { return round.empty(); });
  return rounds;
}

}  // namespace

size_t Lineup::rounds() const {
  size_t most = 0;
  for (const RailLineup& rail : rails) most = std::max(most, rail.rounds.size());
  return most;
}

size_t Lineup::pairs() const {
  size_t count = 0;
  for (const RailLineup& rail : rails) {
    for (const Round& round : rail.rounds) count += round.size();
  }
  return count;
}

Lineup line_up(const std::vector<FabricHost>& hosts, const Profile* profile) {
  Lineup lineup;
  std::map<std::pair<std::string, std::string>, RailLineup> rails;
  for (const FabricHost& host : hosts) {
    if (host.snapshot && !host.lost) place(host, profile, lineup, rails);
  }
  for (auto& [key, rail] : rails) {
    rail.rounds = rounds_between_hosts(rail.ends);
    if (!rail.rounds.empty()) {
      lineup.rails.push_back(std::move(rail));
      continue;
    }
    for (const End& end : rail.ends)
      lineup.left_out.push_back({end.host, end.netdev, rail.rail, "no other host has a port on this rail"});
  }
  return lineup;
}

std::string why_nothing(const std::vector<FabricHost>& hosts, const Lineup& lineup) {
  size_t known = 0;
  size_t ports = 0;
  std::vector<std::string> reasons;
  for (const FabricHost& host : hosts) {
    if (host.snapshot) {
      ++known;
      ports += host.snapshot->ports.size();
    }
    if (host.lost) reasons.push_back(host.name + ": " + host.lost->detail);
  }
  for (const LeftOut& port : lineup.left_out) reasons.push_back(port.host + " " + port.netdev + ": " + port.why);
  if (reasons.empty() && ports > 0) reasons.emplace_back("no port has a role with a traffic class in the profile");
  std::string text = fmt::format("{} of {} hosts answered, with {} RoCE ports", known, hosts.size(), ports);
  for (size_t i = 0; i < std::min(reasons.size(), kReasonsShown); ++i) text += "; " + reasons[i];
  if (reasons.size() > kReasonsShown) text += fmt::format("; and {} more", reasons.size() - kReasonsShown);
  return text;
}

}  // namespace rocert
