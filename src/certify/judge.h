// Judge: a Fabric and the findings of its checks to a Certificate: every host is certified, excluded or unknown, and
// the last two say why. Pure.
#pragma once
#include <vector>

#include "model/certificate.h"
#include "model/fabric.h"
#include "model/finding.h"

namespace rocert {

// How strict a verdict is.
struct JudgeOptions {
  Severity fail_on = Severity::kError;  // from which severity on a failed finding of a host's audit excludes it
};

// Fills hosts and findings (failures and unknowns of the fabric's checks); who, when and evidence are the caller's.
//   excluded:  its audit fails, a fabric check fails for one of its ports alone, or it has a suspect.
//   unknown:   it was lost or has no snapshot; its audit has an unknown that must be known; one of its ports was left
//              out or has no good measurement; or one of its pairs fails and nothing known of the other end explains
//              it.
//   certified: all others: each of its ports on a rail carried traffic well with at least one other.
// A failed audit is certain and wins; a lost host is unknown whatever its last measurements looked like.
Certificate judge(const Fabric& fabric, const std::vector<Finding>& findings, const JudgeOptions& options = {});

// 0 all are certified, else 1 any is excluded, else 3.
int exit_code(const Certificate& certificate);

}  // namespace rocert
