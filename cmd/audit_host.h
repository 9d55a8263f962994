// One host's audit with all registered units: drift of settings and checks, concluded; what audit and certify share.
#pragma once
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/profile.h"
#include "model/snapshot.h"

namespace rocert {

struct AuditHostOptions {
  const Profile* profile = nullptr;  // null: only what needs no intent is judged
  std::string host;                  // name in findings; empty: the snapshot's
  std::vector<std::string> only;     // codes; empty: all
};

// Waivers are held against the day of the clock.
Audit audit_host(const Snapshot& snapshot, const AuditHostOptions& options);

}  // namespace rocert
