// The finding of one setting, for the settings' tests.
#pragma once
#include <array>
#include <vector>

#include "support/judging.h"
#include "tune/drift.h"

namespace rocert::samples {

inline std::vector<Finding> drift_of(const Setting& setting, const Snapshot& snapshot, const Profile* profile) {
  const std::array<const Setting*, 1> settings{&setting};
  return drift(settings, snapshot, drivers(), {.profile = profile});
}

// Of the first port (ens1np0) of the sample host, or of the host itself for host settings.
inline Finding first_drift(const Setting& setting, const Snapshot& snapshot, const Profile* profile) {
  return drift_of(setting, snapshot, profile).at(0);
}

}  // namespace rocert::samples
