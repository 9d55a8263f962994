// Survey: reads a Host once into a Snapshot. Every missing fact is a Gap; a survey itself never fails.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "host/host.h"
#include "model/fact.h"
#include "model/snapshot.h"
#include "survey/driver.h"

namespace rocert {

struct SurveyOptions {
  std::vector<Fact> facts;                 // that settings and checks declared
  std::span<const Driver* const> drivers;  // whose own files are read for the ports they serve
  std::string taken_at;                    // UTC text; the clock is the caller's
};

Snapshot survey(Host& host, const SurveyOptions& options);

}  // namespace rocert
