// The engine of audit: walks hosts, ports and fabrics, applies waivers, folds consequences under causes, orders.
#pragma once
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "audit/check.h"

namespace rocert {

struct AuditOptions {
  const Profile* profile = nullptr;  // null: only what needs no intent is judged
  std::string today;                 // UTC date, for waivers: "2026-11-30"
  std::string host;                  // name in findings; empty: the snapshot's
};

// Findings of all host and port checks over a snapshot. FabricRules are skipped.
std::vector<Finding> run_checks(std::span<const Check* const> checks, const Snapshot& snapshot,
                                const DriverTable& drivers, const AuditOptions& options);
// Findings of all fabric checks.
std::vector<Finding> run_fabric_checks(std::span<const Check* const> checks, const Fabric& fabric);

// Findings of checks and of drift, together: must_know marked, waivers applied, consequences folded, ordered, with
// header.
Audit conclude(std::vector<Finding> findings, std::span<const Check* const> checks, const Snapshot& snapshot,
               const AuditOptions& options);

}  // namespace rocert
