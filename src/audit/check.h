// Check: one thing that must hold and that no single setting states. A rule is a pure function of a View; it cannot do
// I/O.
#pragma once
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "model/fabric.h"
#include "model/fact.h"
#include "model/finding.h"
#include "model/page.h"
#include "model/shape.h"
#include "model/view.h"

namespace rocert {

using PortRule = std::vector<Judgement> (*)(const View& view, const Port& port);  // port is the view's
using HostRule = std::vector<Judgement> (*)(const View& view);                    // view.port is null
using FabricRule = std::vector<Judgement> (*)(const Fabric& fabric,
                                              const Wants& wants);  // Judgement::port is "host/netdev"

// A number of the profile that a check judges by; `fallback` holds where the profile states none.
struct Limit {
  std::string_view key;  // "write_bw.of_line"
  Shape shape;
  std::string_view fallback;  // in the shape's text; empty: not judged unless stated
  std::string_view says;
};

struct Check {
  Page page;
  Severity severity = Severity::kError;
  std::span<const std::string_view>
      covers;  // keys and codes whose findings on the same port are folded under this one's failure
  std::span<const Limit> limits;
  std::span<const Fact> reads;  // files that the rule needs
  std::variant<PortRule, HostRule, FabricRule> rule;
};

}  // namespace rocert
