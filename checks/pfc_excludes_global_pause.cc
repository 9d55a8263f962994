#include <fmt/format.h>

#include <array>

#include "audit/check.h"

namespace rocert::checks {
namespace {

constexpr std::array<std::string_view, 1> kCovers{"ethernet.pause"};
constexpr std::string_view kWanted = "one of the two";

std::string priorities(uint8_t enabled) {
  std::string text;
  for (unsigned p = 0; p < 8; ++p) {
    if ((enabled >> p) & 1) text += fmt::format("{}{}", text.empty() ? "" : ",", p);
  }
  return text;
}

std::string directions(const Pause& pause) {
  return fmt::format("rx {}, tx {}", pause.rx ? "on" : "off", pause.tx ? "on" : "off");
}

std::string consequence(const Pause& pause) {
  if (pause.rx && pause.tx) return "Either end can stop the whole link, all priorities at once, PFC or not.";
  return pause.rx ? "The peer can stop everything this port sends, all priorities at once, PFC or not."
                  : "This port can stop everything its peer sends, all priorities at once, PFC or not.";
}

Judgement judge_member(const Member& member) {
  if (member.pci && member.pci->virtual_function)
    return not_applicable("a virtual function: pause and PFC belong to the physical function");
  const bool pauses = member.pause && (member.pause->rx || member.pause->tx);
  if (member.pause && !pauses) return pass("global pause off");
  if (!member.dcb) {
    if (member.dcb.error().reason == GapReason::kNotSupported)
      return not_applicable("the driver offers no DCB, so no PFC to go with it");
    return unknown(member.dcb.error(), std::string(kWanted));
  }
  if (!member.dcb->pfc) return not_applicable("the driver offers no PFC");
  if (member.dcb->pfc->enabled == 0) return pass("PFC off");
  if (!member.pause) return unknown(member.pause.error(), std::string(kWanted));

  Judgement judgement = failure(fmt::format("PFC on {}, global pause {}{}", priorities(member.dcb->pfc->enabled),
                                            directions(*member.pause), member.pause->autoneg ? " (negotiated)" : ""),
                                std::string(kWanted), consequence(*member.pause));
  judgement.settings = {"ethernet.pause", "dcb.pfc"};
  // What is advertised need not be in force: some drivers show it with PFC on, and leave pause off.
  if (member.pause->autoneg) judgement.severity = Severity::kWarn;
  return judgement;
}

std::vector<Judgement> judge(const View&, const Port& port) {
  std::vector<Judgement> judgements;
  for (const Member& member : port.members) {
    judgements.push_back(judge_member(member));
    judgements.back().port = member.netdev;
  }
  if (judgements.empty())
    judgements.push_back(unknown({GapReason::kAbsent, "no physical port was found below " + port.netdev()}));
  return judgements;
}

}  // namespace

extern constinit const Check pfc_excludes_global_pause{
    .page = {.code = "pfc-excludes-global-pause",
             .title = "No port has PFC and global pause on together",
             .why =
                 "PFC pauses one priority, global pause the whole link. With both on, congestion of one class takes "
                 "bandwidth from all others, every drop counter stays at zero, and most NICs honour only one of them.",
             .remedy = "ethtool -A NETDEV autoneg off rx off tx off",
             .source = "ethtool(8); dcb-pfc(8); IEEE 802.1Q-2018 clause 36 (PFC and 802.3x are exclusive on a link)"},
    .severity = Severity::kError,
    .covers = kCovers,
    .rule = PortRule(judge),
};

}  // namespace rocert::checks
