#include <fmt/format.h>

#include <array>

#include "audit/check.h"

namespace rocert::checks {
namespace {

constexpr std::array<std::string_view, 1> kCovers{"link.mtu"};

std::string wanted_text(uint32_t least, uint32_t most) {
  if (least == most) return fmt::format("{} bytes", least);
  if (most == 0) return fmt::format("at least {} bytes", least);
  return least == 0 ? fmt::format("at most {} bytes", most) : fmt::format("{} to {} bytes", least, most);
}

std::vector<Judgement> judge(const View& view, const Port& port) {
  const uint32_t derived = rdma_mtu_for(port.link.mtu);
  const uint32_t mtu = port.attributes ? port.attributes->active_mtu : derived;
  const std::string seen = port.attributes ? fmt::format("{} bytes", mtu)
                                           : fmt::format("{} bytes, derived from the netdev's {}", mtu, port.link.mtu);
  const auto& range = view.wants.mtu;
  if (!range || (!range->at_least && !range->at_most)) {
    Judgement judgement = not_applicable("no MTU is stated for this port");
    judgement.seen = seen;
    return {judgement};
  }
  const uint32_t least = range->at_least ? rdma_mtu_for(static_cast<uint32_t>(*range->at_least)) : 0;
  // 4096 is the largest there is: a wider netdev asks for no more.
  const uint32_t most = range->at_most ? rdma_mtu_for(static_cast<uint32_t>(*range->at_most)) : 0;
  const bool too_large = most != 0 && mtu > most;
  if (mtu >= least && !too_large) return {pass(seen)};

  std::string says = "A peer with smaller packets drops what this port sends.";
  if (mtu < least) {
    says = derived < least ? fmt::format(
                                 "The netdev's MTU of {} carries no more; a peer that uses {} breaks the "
                                 "connection or both slow down.",
                                 port.link.mtu, least)
                           : fmt::format("The netdev's MTU of {} would carry {}; the RDMA device has not followed it.",
                                         port.link.mtu, derived);
  }
  Judgement judgement = failure(seen, wanted_text(least, most), says);
  judgement.settings = {"link.mtu"};
  if (port.attributes && port.attributes->max_mtu < least)
    judgement.evidence.push_back(fmt::format("{} can do {} bytes at most", port.rdma.device, port.attributes->max_mtu));
  if (!port.attributes) judgement.evidence.push_back("active MTU: " + to_text(port.attributes.error()));
  return {judgement};
}

}  // namespace

extern constinit const Check rdma_mtu_is_as_wanted{
    .page =
        {.code = "rdma-mtu-is-as-wanted",
         .title = "The active RDMA MTU is what the profile's MTU gives",
         .why = "RDMA packets are 256 to 4096 bytes, and the netdev's MTU decides: 4192 and more give 4096, 1500 gives "
                "1024. Two ends that differ lose bandwidth, or the connection where one of them does not negotiate.",
         .remedy = "ip link set dev NETDEV mtu 4200\n"
                   "ibv_devinfo -d RDMA_DEVICE | grep mtu              (active_mtu follows the netdev)",
         .source = "include/rdma/ib_addr.h (iboe_get_mtu); ibv_query_port(3)"},
    .severity = Severity::kError,
    .covers = kCovers,
    .rule = PortRule(judge),
};

}  // namespace rocert::checks
