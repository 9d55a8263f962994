// Renderers: values to text and JSON. Pure; text from hosts is escaped; nothing here decides anything.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/certificate.h"
#include "model/fabric.h"
#include "model/finding.h"
#include "model/page.h"

namespace rocert {

struct TextOptions {
  bool color = false;
  bool all = false;  // passes and facts too
  Severity min_severity = Severity::kInfo;
};

// Finds the page of a code or key; null when there is none.
using FindPage = std::function<const Page*(std::string_view code)>;

// The audit as a person reads it: header, one block a root cause, a closing line with the exit code.
std::string render_audit(const Audit& audit, const FindPage& find_page, const TextOptions& options);
// A matrix of one figure per rail, then the verdict per host with its reasons.
std::string render_certificate(const Certificate& certificate, const Fabric& fabric, const TextOptions& options);
// `rocert explain`: a page as text.
std::string render_page(const Page& page, std::string_view kind, std::string_view detail);

}  // namespace rocert
