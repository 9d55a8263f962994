// The switch's control language: one line in, one answer out. An answer begins with "ok" or says what is wrong.
//   ports                                       every port's segment, faults and counters, both directions
//   set PORT DIRECTION cut on|off               DIRECTION: from-host, to-host or both
//   set PORT DIRECTION drop SHARE               0.05 or 5%; 0 ends it, as with all of these
//   set PORT DIRECTION delay TIME               300us, 5ms, 1s
//   set PORT DIRECTION rate BITS                a second: 50M, 1G
//   set PORT DIRECTION mtu BYTES                larger IP packets vanish
//   set PORT DIRECTION rewrite-dscp FROM TO     "off" ends it
//   clear PORT|all                              no fault of the port's lanes; swapped cables stay
//   swap PORT PORT
#pragma once

#include <string>
#include <string_view>

#include "fabric.h"

namespace rocert::lab {

[[nodiscard]] std::string obey(Fabric& fabric, std::string_view line);

// Numbers with the units above; nothing when the text is anything else, trailing characters included.
[[nodiscard]] std::optional<double> parse_share(std::string_view text);
[[nodiscard]] std::optional<Nanoseconds> parse_delay(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_rate(std::string_view text);

}  // namespace rocert::lab
