#include <fmt/format.h>

#include "tune/setting.h"

namespace rocert::tuning {
namespace {

std::string bytes(const Value& value) { return to_text(value) + " bytes"; }

// The number that would be written: the least that satisfies, else the most.
std::optional<Value> wanted(const View& view, const Subject&) {
  const auto& range = view.wants.mtu;
  if (!range) return std::nullopt;
  if (range->at_least) return Value(*range->at_least);
  if (range->at_most) return Value(*range->at_most);
  return std::nullopt;
}

// An override is one exact number; a role states a range.
bool is_range(const View& view) { return view.wants.stated_value("link.mtu") == nullptr && view.wants.mtu; }

bool satisfies(const View& view, const Subject&, const Value& current, const Value& wanted) {
  if (!is_range(view)) return current == wanted;
  const int64_t mtu = std::get<int64_t>(current);
  const Between& range = *view.wants.mtu;
  return mtu >= range.at_least.value_or(mtu) && mtu <= range.at_most.value_or(mtu);
}

std::string wanted_text(const View& view, const Subject&, const Value& wanted) {
  if (!is_range(view)) return bytes(wanted);
  const auto& [least, most] = *view.wants.mtu;
  if (least && most) {
    return *least == *most ? bytes(wanted) : fmt::format("{} to {} bytes", *least, *most);
  }
  return fmt::format("{} {}", least ? "at least" : "at most", bytes(wanted));
}

std::string says(const View&, const Subject&, const Value& current, const Value& wanted) {
  const int64_t seen = std::get<int64_t>(current);
  const uint32_t rdma = rdma_mtu_for(static_cast<uint32_t>(seen));
  if (seen < std::get<int64_t>(wanted)) {
    return rdma == 0 ? "No RDMA packet fits this MTU."
                     : fmt::format(
                           "RDMA packets carry at most {} bytes here: more headers a message, and a peer that "
                           "expects more may fail.",
                           rdma);
  }
  return "The port is larger than the profile allows: what its peers or the switch cannot carry is dropped unseen.";
}

}  // namespace

extern constinit const Setting link_mtu{
    .page = {.code = "link.mtu",
             .title = "MTU of the port's network device",
             .why = "The RDMA MTU is the largest of 256 to 4096 bytes that fits the netdev's MTU with 96 bytes of "
                    "headers: 4096 needs 4192. A port left at 1500 carries 1024 a packet, costs bandwidth, and fails "
                    "outright where the other end does not negotiate down.",
             .remedy = "ip link set dev NETDEV mtu 4200\n"
                       "(of a bond: on the bond, which sets its members; of a VLAN: the device below first)",
             .source = "include/rdma/ib_addr.h (iboe_get_mtu); rtnetlink(7), IFLA_MTU"},
    .takes = NumberShape{.min = 68, .max = 65535, .unit = Unit::kBytes},
    .scope = Scope::kPort,
    .current = [](const View& view, const Subject&) -> Observed<Value> { return Value(int64_t{view.port->link.mtu}); },
    .wanted = wanted,
    .satisfies = satisfies,
    .seen_text = [](const View&, const Subject&, const Value& current, const Value*) { return bytes(current); },
    .wanted_text = wanted_text,
    .says = says,
};

}  // namespace rocert::tuning
