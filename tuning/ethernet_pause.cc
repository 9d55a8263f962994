#include <array>

#include "tuning/member.h"

namespace rocert::tuning {
namespace {

constexpr std::array<std::string_view, 4> kWords{"off", "rx", "tx", "both"};

std::string_view word(const Pause& pause) {
  if (pause.rx && pause.tx) return "both";
  return pause.rx ? "rx" : pause.tx ? "tx" : "off";
}

Observed<Value> current(const View& view, const Subject& subject) {
  const auto member = required_member(view, subject);
  if (!member) return tl::unexpected(member.error());
  const auto& pause = (*member)->pause;
  if (!pause) return tl::unexpected(pause.error());
  return Value(std::string(word(*pause)));
}

std::string directions(const std::string& word) {
  const bool rx = word == "rx" || word == "both";
  const bool tx = word == "tx" || word == "both";
  return std::string("rx ") + (rx ? "on" : "off") + ", tx " + (tx ? "on" : "off");
}

// A profile without a lossless class may live on global pause: then nothing is wanted.
std::optional<Value> wanted(const View& view, const Subject&) {
  if (view.wants.lossless().mask == 0) return std::nullopt;
  return Value(std::string("off"));
}

std::string seen_text(const View& view, const Subject& subject, const Value& current, const Value*) {
  const Member* member = member_of(view, subject);
  const bool autoneg = member != nullptr && member->pause && member->pause->autoneg;
  return directions(std::get<std::string>(current)) + ", autoneg " + (autoneg ? "on" : "off");
}

std::string says(const View&, const Subject&, const Value& current, const Value&) {
  const std::string& seen = std::get<std::string>(current);
  if (seen == "off") return "The port neither sends nor obeys global pause.";
  if (seen == "rx") return "The peer can stop everything this port sends, all priorities at once.";
  if (seen == "tx") return "A receiver that falls behind here stops everything the peer sends, all priorities at once.";
  return "Either end can stop the whole link, all priorities at once: bandwidth is lost with every drop counter at zero.";
}

}  // namespace

extern constinit const Setting ethernet_pause{
    .page = {.code = "ethernet.pause",
             .title = "Global (802.3x) pause of the port",
             .why =
                 "Global pause stops every priority of a link at once. Beside PFC it takes bandwidth from traffic that "
                 "was never congested, and most NICs honour only one of the two.",
             .remedy = "ethtool -A NETDEV autoneg off rx off tx off",
             .source = "ethtool(8), ETHTOOL_MSG_PAUSE_GET; IEEE 802.3 annex 31B"},
    .takes = ChoiceShape{kWords},
    .scope = Scope::kMember,
    .current = current,
    .wanted = wanted,
    .inapplicable = owned_by_physical_function,
    .seen_text = seen_text,
    .wanted_text = [](const View&, const Subject&,
                      const Value& wanted) { return directions(std::get<std::string>(wanted)); },
    .says = says,
};

}  // namespace rocert::tuning
