// Renderers: values to the text that a person reads. Pure; text from hosts is escaped; nothing here decides anything.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "model/certificate.h"
#include "model/fabric.h"
#include "model/finding.h"
#include "model/page.h"

namespace rocert {

struct TextOptions {
  bool color = false;
  bool all = false;                     // passes, facts and unknowns that need not be known, too
  Severity fail_on = Severity::kError;  // of the exit code that the closing line tells
};

// Finds the page of a code or key; null when there is none.
using FindPage = std::function<const Page*(std::string_view code)>;

// The audit as a person reads it: header, one block a root cause (equal on several ports: one block), a closing line
// with the exit code.
std::string render_audit(const Audit& audit, const FindPage& find_page, const TextOptions& options);

// One matrix of bandwidth per rail (a line per rail above 16 hosts), a line per rail of latency, the fabric's findings,
// then how many hosts are certified, excluded and unknown, and why.
std::string render_certificate(const Certificate& certificate, const Fabric& fabric, const TextOptions& options);

// `rocert explain`: a page as text. `kind` is "check", "setting", ...; `detail` holds further lines "label: text".
std::string render_page(const Page& page, std::string_view kind, std::string_view detail);

}  // namespace rocert
