#include <fmt/format.h>

#include <algorithm>

#include "audit/check.h"
#include "base/text.h"

namespace rocert::checks {
namespace {

std::string ports_text(size_t count) { return fmt::format("{} {}", count, count == 1 ? "port" : "ports"); }

std::vector<const Port*> ports_of(const Profile& profile, const Role& role, const Snapshot& snapshot) {
  std::vector<const Port*> ports;
  for (const Port& port : snapshot.ports) {
    if (role_of(profile, port) == &role) ports.push_back(&port);
  }
  return ports;
}

std::string names_of(const std::vector<const Port*>& ports) {
  std::vector<std::string> names;
  for (const Port* port : ports) names.push_back(port->netdev());
  return ports.empty() ? std::string() : " (" + join(names, ", ") + ")";
}

// "netdev ens2np0, speed 400G"
std::string text_of(const Match& match) {
  std::vector<std::string> parts;
  if (match.netdev) parts.push_back("netdev " + *match.netdev);
  if (match.rdma) parts.push_back("RDMA device " + *match.rdma);
  if (match.driver) parts.push_back("driver " + *match.driver);
  if (match.rdma_driver) parts.push_back("RDMA driver " + *match.rdma_driver);
  if (match.speed) parts.push_back("speed " + to_text(*match.speed));
  if (match.prefix) parts.push_back("address in " + to_text(match.prefix->network()));
  return join(parts, ", ");
}

// What the host has in place of a missing port, as far as it can be told.
std::vector<std::string> traces(const Profile& profile, const Snapshot& snapshot) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < profile.rails.list.size(); ++i) {
    const Match& rail = profile.rails.list[i];
    if (std::ranges::any_of(snapshot.ports, [&](const Port& port) { return matches(rail, port); })) continue;
    lines.push_back(fmt::format("no RoCE port is on rail {} ({})", i, text_of(rail)));
    if (!snapshot.links || !rail.netdev) continue;
    for (const Link& link : *snapshot.links) {
      if (matches_glob(*rail.netdev, link.name))
        lines.push_back(fmt::format("{} is there, without a RoCE device (link {})", link.name, link.operstate));
    }
  }
  for (const OtherDevice& other : snapshot.others) {
    if (other.kind == DeviceKind::kInfiniband || other.kind == DeviceKind::kIwarp ||
        other.kind == DeviceKind::kUnknownRdma)
      lines.push_back(fmt::format("{} is {}, not RoCE ({})", other.name, word_of(other.kind), other.why));
  }
  for (const Port& port : snapshot.ports) {
    if (role_of(profile, port) == nullptr)
      lines.push_back(fmt::format("{} ({}) is a RoCE port that no role matches", port.netdev(), port.rdma.device));
  }
  return lines;
}

Judgement judge_count(const Profile& profile, const Role& role, const Snapshot& snapshot) {
  const auto found = ports_of(profile, role, snapshot);
  const std::string seen = ports_text(found.size()) + names_of(found);
  const std::string match = text_of(role.match);
  const std::string wanted =
      fmt::format("{} of role {}{}", ports_text(*role.count), role.name, match.empty() ? "" : ": " + match);
  if (found.size() == *role.count) return pass(seen);
  if (found.size() > *role.count) {
    Judgement more = failure(seen, wanted, "More ports take the role than the profile states; each is judged by it.");
    more.severity = Severity::kInfo;  // e.g. virtual functions beside their physical one
    return more;
  }
  Judgement judgement = failure(seen, wanted,
                                "A job that counts on every port of this role runs short of bandwidth, or "
                                "does not start.");
  judgement.evidence = traces(profile, snapshot);
  return judgement;
}

// Mb/s over all members, a Gap where one does not tell.
Observed<uint64_t> speed_of(const Port& port) {
  uint64_t total = 0;
  for (const Member& member : port.members) {
    if (!member.link_modes) return tl::unexpected(member.link_modes.error());
    if (!member.link_modes->speed) return gap(GapReason::kAbsent, member.netdev + " tells no speed");
    total += *member.link_modes->speed;
  }
  if (total != 0) return total;
  return gap(GapReason::kAbsent, "no physical port was found below " + port.netdev());
}

std::optional<Judgement> judge_speed(const Role& role, const Port& port) {
  // A port that is not active has no speed: port-is-active says so.
  if (!role.speed || port.rdma.state != "active") return std::nullopt;
  const std::string wanted = to_text(*role.speed);
  const auto speed = speed_of(port);
  Judgement judgement;
  if (!speed) {
    judgement = unknown(speed.error(), wanted);
  } else {
    const Bandwidth seen{static_cast<double>(*speed) * 1e6};
    judgement = seen < *role.speed
                    ? failure(to_text(seen), wanted,
                              "The link came up slower than the role's ports are: every collective waits "
                              "for it.")
                    : pass(to_text(seen));
  }
  judgement.port = port.netdev();
  judgement.item = "speed";
  return judgement;
}

std::vector<Judgement> without_counts(const Snapshot& snapshot, std::string_view why) {
  if (snapshot.ports.empty()) {
    Judgement judgement = unknown({GapReason::kAbsent, "no RoCE port, and " + std::string(why)});
    judgement.seen = "no RoCE port";
    if (!snapshot.rdma_ports) judgement.says = to_text(snapshot.rdma_ports.error());
    return {judgement};
  }
  Judgement judgement = not_applicable(std::string(why));
  judgement.seen = ports_text(snapshot.ports.size());
  return {judgement};
}

std::vector<Judgement> judge(const View& view) {
  if (view.profile == nullptr) return without_counts(view.host, "no profile states how many there should be");
  std::vector<Judgement> judgements;
  for (const Role& role : view.profile->roles) {
    if (!role.count) continue;
    if (!view.host.rdma_ports && view.host.ports.empty() && *role.count > 0) {
      judgements.push_back(unknown(view.host.rdma_ports.error(), ports_text(*role.count) + " of role " + role.name));
    } else {
      judgements.push_back(judge_count(*view.profile, role, view.host));
    }
    judgements.back().item = role.name;
  }
  if (judgements.empty()) judgements = without_counts(view.host, "no role of the profile states a count");
  for (const Port& port : view.host.ports) {
    const Role* role = role_of(*view.profile, port);
    if (auto judgement = role == nullptr ? std::nullopt : judge_speed(*role, port))
      judgements.push_back(*std::move(judgement));
  }
  return judgements;
}

}  // namespace

extern constinit const Check every_expected_port_is_present{
    .page =
        {.code = "every-expected-port-is-present",
         .title = "The host has the RoCE ports that the profile states, at their speed",
         .why =
             "A NIC that fell off the bus, came up as InfiniBand or trained at half its speed leaves no trace in the "
             "settings of those that remain. Only a stated count makes it visible.",
         .remedy =
             "rdma link show; lspci -d 15b3: -vv; dmesg | grep -i mlx5      (is the function there and bound?)\n"
             "mlxconfig -d BDF set LINK_TYPE_P1=2                (came up as InfiniBand; needs a firmware reset)\n"
             "ethtool NETDEV                                    (slow: cable, FEC, a split port on the switch)",
         .source = "rdma-link(8); roles of the profile (match, count, speed)"},
    .severity = Severity::kError,
    .rule = HostRule(judge),
};

}  // namespace rocert::checks
