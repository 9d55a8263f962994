#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "tuning/member.h"

namespace rocert::tuning {
namespace {

// The kernel allows several priorities for one DSCP; drivers take the highest then, and so does this table
// (drivers/net/ethernet/mellanox/mlxsw/spectrum_dcb.c).
Observed<Value> current(const View& view, const Subject& subject) {
  const auto member = required_member(view, subject);
  if (!member) return tl::unexpected(member.error());
  const auto& dcb = (*member)->dcb;
  if (!dcb) return tl::unexpected(dcb.error());
  Table table;
  for (const App& app : dcb->apps) {
    if (app.selector != kAppDscp) continue;
    uint32_t& priority = table[app.protocol];
    priority = std::max<uint32_t>(priority, app.priority);
  }
  // A driver may trust DSCP by a map of its own that it does not show (mlx5 of OFED): empty is then not "no entry".
  const auto trust = trust_of(view, **member);
  if (table.empty() && !dcb->trust_order && trust && *trust && **trust == "dscp")
    return gap(GapReason::kNotSupported, subject.port + " trusts DSCP by a map that its driver does not show");
  return Value(std::move(table));
}

std::optional<Value> wanted(const View& view, const Subject&) {
  Table table;
  for (const TrafficClass& traffic : view.wants.classes) {
    if (traffic.dscp && traffic.priority) table[traffic.dscp->value] = traffic.priority->value;
    if (traffic.cnp && traffic.cnp->priority) table[traffic.cnp->dscp.value] = traffic.cnp->priority->value;
  }
  return table.empty() ? std::nullopt : std::optional(Value(std::move(table)));
}

bool satisfies(const View&, const Subject&, const Value& current, const Value& wanted) {
  const Table& seen = std::get<Table>(current);
  return std::ranges::all_of(std::get<Table>(wanted), [&](const auto& entry) {
    const auto found = seen.find(entry.first);
    return found != seen.end() && found->second == entry.second;
  });
}

// Where the DSCP is not trusted the map is not in force, and drivers do not show it: dcb.trust says so once.
std::optional<std::string> inapplicable(const View& view, const Subject& subject) {
  if (auto reason = owned_by_physical_function(view, subject)) return reason;
  const Member* member = member_of(view, subject);
  if (member == nullptr) return std::nullopt;
  const auto trust = trust_of(view, *member);
  if (!trust || !*trust || **trust == "dscp") return std::nullopt;
  return "the port does not trust DSCP, so no map of it is in force: see dcb.trust";
}

std::string entry_text(uint32_t dscp, const Table& seen) {
  const auto found = seen.find(dscp);
  return fmt::format("{}:{}", dscp, found == seen.end() ? "none" : std::to_string(found->second));
}

// "0-7:0 8-15:1": neighbours of one priority as a range.
std::string ranges(const Table& table) {
  std::vector<std::string> parts;
  for (auto at = table.begin(); at != table.end();) {
    auto last = at;
    for (auto next = std::next(at); next != table.end() && next->first == last->first + 1 && next->second == at->second;
         ++next) {
      last = next;
    }
    parts.push_back(last == at ? fmt::format("{}:{}", at->first, at->second)
                               : fmt::format("{}-{}:{}", at->first, last->first, at->second));
    at = std::next(last);
  }
  return parts.empty() ? "none" : join(parts, " ");
}

std::string seen_text(const View&, const Subject&, const Value& current, const Value* wanted) {
  const Table& seen = std::get<Table>(current);
  if (wanted == nullptr) return ranges(seen);
  std::vector<std::string> parts;
  for (const auto& [dscp, unused] : std::get<Table>(*wanted)) parts.push_back(entry_text(dscp, seen));
  return join(parts, " ");
}

std::string says(const View&, const Subject&, const Value& current, const Value& wanted) {
  const Table& seen = std::get<Table>(current);
  if (std::ranges::none_of(std::get<Table>(wanted), [&](const auto& e) { return seen.contains(e.first); })) {
    return "None of the marks that the profile uses has an entry: such traffic is not told apart, and shares the queue "
           "of everything else.";
  }
  std::vector<std::string> parts;
  for (const auto& [dscp, priority] : std::get<Table>(wanted)) {
    const auto found = seen.find(dscp);
    if (found != seen.end() && found->second == priority) continue;
    parts.push_back(fmt::format("DSCP {} goes to priority {}, not to {}", dscp,
                                found == seen.end() ? "0 or the driver's default" : std::to_string(found->second),
                                priority));
  }
  return join(parts, "; ") + ": it shares queue and pause with other traffic.";
}

}  // namespace

extern constinit const Setting dcb_dscp_map{
    .page = {.code = "dcb.dscp_map",
             .title = "Priority of each DSCP that the profile uses",
             .why =
                 "The DSCP of a RoCE packet becomes a priority by this map, and the priority decides its queue, buffer "
                 "and pause. One wrong entry sends a lossless class into a lossy queue, on send and on receive.",
             .remedy = "dcb app replace dev NETDEV dscp-prio 26:3\n"
                       "mlnx_qos -i NETDEV --dscp2prio set,26,3",
             .source = "net/dcb/dcbnl.c (dcb_app, selector 5); dcb-app(8); RFC 2474"},
    .takes = MapShape{.keys = 64, .values = 8},
    .scope = Scope::kMember,
    .current = current,
    .wanted = wanted,
    .satisfies = satisfies,
    .inapplicable = inapplicable,
    .seen_text = seen_text,
    .says = says,
};

}  // namespace rocert::tuning
