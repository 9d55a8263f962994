#include "base/text.h"
#include "report/layout.h"
#include "report/report.h"

namespace rocert {

std::string render_page(const Page& page, std::string_view kind, std::string_view detail) {
  const size_t width = kTextWidth - kLabelWidth;
  std::string out = std::string(page.code) + " · " + std::string(kind) + "\n" + std::string(page.title) + "\n\n";
  out += labelled(0, "why", wrap(page.why, width));
  if (!trim(page.remedy).empty()) out += labelled(0, "e.g.", lines_of(page.remedy));
  for (const std::string_view line : split(trim(detail), '\n')) {
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    out += labelled(0, line.substr(0, colon), wrap(line.substr(colon + 2), width));
  }
  if (!page.source.empty()) out += labelled(0, "source", wrap(page.source, width));
  return out;
}

}  // namespace rocert
