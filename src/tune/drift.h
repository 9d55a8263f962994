// Drift: every setting of a snapshot compared with what the profile wants of it. The only comparison there is.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tune/setting.h"

namespace rocert {

struct DriftOptions {
  const Profile* profile = nullptr;
  std::string host;  // name in findings; empty: the snapshot's
};

// One Finding a setting and subject: pass, fail, unknown (a Gap where something was wanted), not_applicable (unmanaged,
// no intent: `seen` still tells the value).
std::vector<Finding> drift(std::span<const Setting* const> settings, const Snapshot& snapshot,
                           const DriverTable& drivers, const DriftOptions& options);

}  // namespace rocert
