// rocert explain: the page of a check, setting, driver, probe or limit.
#include <CLI/CLI.hpp>
#include <memory>

#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/units.h"
#include "registry/checks.h"
#include "report/report.h"

namespace rocert {
namespace {

// A limit is explained by the check that judges by it.
std::string_view owner_of(std::string_view word) {
  for (const Check* check : registry::checks()) {
    for (const Limit& limit : check->limits) {
      if (limit.key == word) return check->page.code;
    }
  }
  return word;
}

Result<int> run(const std::string& word) {
  std::string text;
  std::vector<std::string> codes;
  for (const UnitEntry& unit : list_units()) {
    codes.emplace_back(unit.page->code);
    if (unit.page->code != owner_of(word)) continue;
    text += (text.empty() ? "" : "\n") + render_page(*unit.page, unit.kind, unit.detail);
  }
  if (text.empty()) return fail(unknown_word("check, setting, driver, probe or limit", word, codes));
  TRY(print(text));
  return 0;
}

}  // namespace

Command add_explain(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("explain", "Say what a code is about and what to do");
  auto word = std::make_shared<std::string>();
  parser->add_option("CODE", *word, "A code of audit's output, or a check, setting, driver or probe")->required();
  return {parser, [word] { return run(*word); }};
}

}  // namespace rocert
