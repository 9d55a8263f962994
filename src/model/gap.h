// A Gap says why a fact is missing. It is never read as off, as zero or as a pass.
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/fields.h"

namespace rocert {

enum class GapReason {
  kNotSupported,  // the kernel or the driver does not offer this fact
  kDenied,        // more rights would show it
  kAbsent,        // the file or object does not exist
  kUnreadable,    // it exists, and reading it failed
  kMalformed,     // it was read and does not follow its format
  kTimedOut,      // it did not answer in time
  kNotRecorded,   // the recording was never asked for it
  kNotAsked,      // this run did not look
};

template <>
struct Words<GapReason> {
  static constexpr std::array<std::pair<GapReason, std::string_view>, 8> values{
      {{GapReason::kNotSupported, "not supported"},
       {GapReason::kDenied, "denied"},
       {GapReason::kAbsent, "absent"},
       {GapReason::kUnreadable, "unreadable"},
       {GapReason::kMalformed, "malformed"},
       {GapReason::kTimedOut, "timed out"},
       {GapReason::kNotRecorded, "not recorded"},
       {GapReason::kNotAsked, "not asked"}}};
};

struct Gap {
  GapReason reason = GapReason::kNotAsked;
  std::string detail;  // one line: path or object, and what was seen or what would help
  bool operator==(const Gap&) const = default;
};

// A fact, or why there is none.
template <class T>
using Observed = tl::expected<T, Gap>;

inline tl::unexpected<Gap> gap(GapReason reason, std::string detail) {
  return tl::unexpected<Gap>(Gap{reason, std::move(detail)});
}

// "denied: /sys/kernel/debug/...: needs root"
std::string to_text(const Gap& gap);

}  // namespace rocert
