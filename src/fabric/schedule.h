// Who probes whom, and when: rounds in which no port takes part twice (circle method), pure.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace rocert {

using Pairing = std::pair<size_t, size_t>;
using Round = std::vector<Pairing>;

// All pairs of n ends in n-1 rounds (n even) or n rounds (n odd, one end idle a round): the circle method of
// round-robin tournaments. The first of a pair is the active end; every end is first about as often as second. Fewer
// than two ends: no round.
std::vector<Round> round_robin(size_t ends);

}  // namespace rocert
