#include "cmd/audit_host.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "audit/audit.h"
#include "cmd/clock.h"
#include "cmd/units.h"
#include "registry/checks.h"
#include "registry/settings.h"
#include "tune/drift.h"

namespace rocert {
namespace {

// The units that were asked for: all, or those of the codes.
template <class Unit>
std::vector<const Unit*> chosen(std::span<const Unit* const> units, const std::vector<std::string>& only) {
  std::vector<const Unit*> chosen;
  std::ranges::copy_if(units, std::back_inserter(chosen), [&](const Unit* unit) {
    return only.empty() || std::ranges::find(only, unit->page.code) != only.end();
  });
  return chosen;
}

}  // namespace

Audit audit_host(const Snapshot& snapshot, const AuditHostOptions& options) {
  const auto checks = chosen<Check>(registry::checks(), options.only);
  const auto settings = chosen<Setting>(registry::settings(), options.only);
  const AuditOptions audit{.profile = options.profile, .today = utc_now().substr(0, 10), .host = options.host};
  std::vector<Finding> findings =
      drift(settings, snapshot, driver_table(), {.profile = options.profile, .host = options.host});
  std::ranges::move(run_checks(checks, snapshot, driver_table(), audit), std::back_inserter(findings));
  return conclude(std::move(findings), checks, snapshot, audit);
}

}  // namespace rocert
