#include "model/fib.h"

#include <algorithm>

#include "model/fib_table.h"

namespace rocert {
namespace {

// FR_ACT_* (linux/fib_rules.h); all others block.
enum : uint8_t { kToTable = 1, kGoto = 2, kNop = 3 };
constexpr uint8_t kIpv4TosMask = 0x1c;

const Link* find_link(const FibView& fib, int ifindex) {
  const auto found =
      std::find_if(fib.links.begin(), fib.links.end(), [&](const Link& l) { return l.ifindex == ifindex; });
  return found == fib.links.end() ? nullptr : &*found;
}

const Link* find_link(const FibView& fib, std::string_view name) {
  const auto found = std::find_if(fib.links.begin(), fib.links.end(), [&](const Link& l) { return l.name == name; });
  return found == fib.links.end() ? nullptr : &*found;
}

// The flow as rules see it (l3mdev_update_flow): a device of a VRF brings the VRF in; a VRF as oif stands for its table
// and is no device to leave by.
struct RoutedFlow {
  Flow flow;
  const Link* vrf = nullptr;
  bool vrf_by_oif = false;
};

const Link* vrf_of(const FibView& fib, const Link* device) {
  if (device == nullptr || device->vrf_table) return device;
  const Link* master = device->master ? find_link(fib, *device->master) : nullptr;
  return master != nullptr && master->vrf_table ? master : nullptr;
}

RoutedFlow routed(const FibView& fib, const Flow& flow) {
  RoutedFlow result{flow};
  result.vrf_by_oif = flow.out_ifindex != 0;
  const Link* device = find_link(fib, flow.out_ifindex != 0 ? flow.out_ifindex : flow.in_ifindex);
  result.vrf = vrf_of(fib, device);
  if (result.vrf_by_oif && device != nullptr && device->vrf_table) result.flow.out_ifindex = 0;
  return result;
}

// A rule that names an interface which is not there matches nothing.
bool matches_interface(const FibView& fib, const std::string& name, int ifindex, const RoutedFlow& routed, bool oif) {
  if (name.empty()) return true;
  const Link* link = find_link(fib, name);
  if (link == nullptr) return false;
  if (link->vrf_table) return routed.vrf == link && routed.vrf_by_oif == oif;
  return link->ifindex == ifindex;
}

bool matches_prefix(const std::optional<Prefix>& prefix, const std::optional<IpAddress>& address) {
  if (!prefix || prefix->length == 0) return true;
  return prefix->contains(address.value_or(IpAddress{prefix->address.family, {}}));
}

bool matches_tos(const Rule& rule, uint8_t tos) {
  if (rule.dscp && *rule.dscp != tos >> 2) return false;
  if (rule.tos == 0) return true;
  return rule.tos == (tos & (rule.family == Family::kIpv4 ? kIpv4TosMask : 0xfc));
}

bool matches_mark(const Rule& rule, uint32_t mark) {
  const uint32_t wanted = rule.mark.value_or(0);
  return ((wanted ^ mark) & rule.mask.value_or(wanted != 0 ? ~0u : 0u)) == 0;
}

template <class T>
bool in_range(const std::optional<std::pair<T, T>>& range, T value) {
  return !range || (range->first <= value && value <= range->second);
}

bool selects(const FibView& fib, const Rule& rule, const RoutedFlow& routed) {
  const Flow& flow = routed.flow;
  const int in_ifindex = flow.in_ifindex != 0 ? flow.in_ifindex : kLoopbackIfindex;  // local flows come from lo
  return matches_interface(fib, rule.in_interface, in_ifindex, routed, false) &&
         matches_interface(fib, rule.out_interface, flow.out_ifindex, routed, true) && matches_mark(rule, flow.mark) &&
         (!rule.l3mdev || routed.vrf != nullptr) && in_range(rule.uids, flow.uid) &&
         matches_prefix(rule.source, flow.source) && matches_prefix(rule.destination, flow.destination) &&
         matches_tos(rule, flow.tos) && (rule.ip_protocol.value_or(0) == 0 || *rule.ip_protocol == flow.ip_protocol) &&
         in_range(rule.source_ports, flow.source_port) && in_range(rule.destination_ports, flow.destination_port);
}

bool suppresses(const FibView& fib, const Rule& rule, const FibResult& result) {
  if (rule.suppress_prefix_length && result.route.destination.length <= *rule.suppress_prefix_length) return true;
  if (!rule.suppress_group || result.next_hops.empty()) return false;
  const Link* link = find_link(fib, result.next_hops.front().ifindex);
  return link != nullptr && link->group == rule.suppress_group;
}

std::optional<FibResult> act(const FibView& fib, const Rule& rule, const RoutedFlow& routed) {
  if (rule.action != kToTable) return FibResult{FibOutcome::kBlocked, {}, {}, 0};
  if (rule.l3mdev && routed.vrf == nullptr) return std::nullopt;  // an inverted rule
  auto result = look_in_table(fib, routed.flow, rule.l3mdev ? *routed.vrf->vrf_table : rule.table);
  if (result && result->outcome == FibOutcome::kRoute && suppresses(fib, rule, *result)) return std::nullopt;
  return result;
}

std::vector<const Rule*> rules_of(const FibView& fib, Family family) {
  std::vector<const Rule*> rules;
  for (const Rule& rule : fib.rules) {
    if (rule.family == family) rules.push_back(&rule);
  }
  std::stable_sort(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->priority < b->priority; });
  return rules;
}

FibResult unknown_at(const Rule& rule) { return {FibOutcome::kUnknown, {}, {}, rule.priority}; }

// Index to go on with after a matching goto rule at `at`: its target is the first rule of that priority; the kernel
// allows only later ones, and takes an unresolved goto for a nop.
size_t jump(const std::vector<const Rule*>& rules, size_t at) {
  for (size_t i = at + 1; i < rules.size(); ++i) {
    if (rules[i]->priority == rules[at]->go_to) return i;
  }
  return at + 1;
}

}  // namespace

FibResult lookup(const FibView& fib, const Flow& flow) {
  const RoutedFlow routed_flow = routed(fib, flow);
  const auto rules = rules_of(fib, flow.destination.family);
  for (size_t i = 0; i < rules.size();) {
    const Rule& rule = *rules[i];
    const bool selected = selects(fib, rule, routed_flow);
    const bool unsure = selected && rule.unread;
    if (rule.action == kNop || (selected == rule.inverted && !unsure)) {
      ++i;
    } else if (rule.action == kGoto) {
      if (unsure) return unknown_at(rule);
      i = jump(rules, i);
    } else if (auto result = act(fib, rule, routed_flow)) {
      if (unsure) return unknown_at(rule);
      result->rule_priority = rule.priority;
      return *std::move(result);
    } else {
      ++i;
    }
  }
  return {};
}

}  // namespace rocert
