// Lookup in one routing table, below the rules of model/fib.h.
#pragma once
#include <optional>

#include "model/fib.h"

namespace rocert {

// RTN_*, the route types that matter to a lookup (linux/rtnetlink.h).
enum : uint8_t { kRouteBlackhole = 6, kRouteUnreachable = 7, kRouteProhibit = 8, kRouteThrow = 9 };
inline constexpr int kLoopbackIfindex = 1;

// What the table says of the flow; nothing where the next rule has to be asked (no match, or a throw route).
// rule_priority is left to the caller.
std::optional<FibResult> look_in_table(const FibView& fib, const Flow& flow, uint32_t table);

}  // namespace rocert
