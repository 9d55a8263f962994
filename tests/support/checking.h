// Findings of one check over one snapshot, for the checks' tests.
#pragma once
#include <array>
#include <vector>

#include "audit/audit.h"
#include "support/judging.h"

namespace rocert::samples {

inline std::vector<Finding> findings_of(const Check& check, const Snapshot& snapshot,
                                        const Profile* profile = nullptr) {
  const std::array<const Check*, 1> checks{&check};
  return run_checks(checks, snapshot, drivers(), {.profile = profile, .today = "2026-11-30"});
}

inline std::vector<Finding> findings_of(const Check& check, const Fabric& fabric) {
  const std::array<const Check*, 1> checks{&check};
  return run_fabric_checks(checks, fabric);
}

}  // namespace rocert::samples
