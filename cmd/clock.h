// The host's clock, as UTC text; the only place that reads it for a command.
#pragma once
#include <string>

namespace rocert {

// "2026-11-30T22:55:13Z"; its first ten characters are the date.
std::string utc_now();

}  // namespace rocert
