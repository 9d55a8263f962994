// rocert list: the units of a kind, one a line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cmd/choose_profile.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/units.h"
#include "registry/profiles.h"

namespace rocert {
namespace {

using Row = std::pair<std::string, std::string>;

Result<std::vector<Row>> rows_of(const std::string& kinds) {
  std::vector<Row> rows;
  if (kinds == "profiles") {
    for (const ProfileText& text : registry::profiles()) {
      const Profile profile = TRY(load_profile(std::string(text.name)));
      rows.emplace_back(profile.name, profile.description);
    }
    return rows;
  }
  for (const UnitEntry& unit : list_units(std::string_view(kinds).substr(0, kinds.size() - 1)))
    rows.emplace_back(unit.page->code, unit.page->title);
  return rows;
}

Result<int> run(const std::string& kinds) {
  const std::vector<Row> rows = TRY(rows_of(kinds));
  size_t width = 0;
  for (const auto& [code, title] : rows) width = std::max(width, code.size());
  std::string text;
  for (const auto& [code, title] : rows) text += fmt::format("{:<{}}  {}\n", code, width, title);
  TRY(print(text));
  return 0;
}

}  // namespace

Command add_list(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("list", "List checks, settings, profiles, drivers or probes");
  auto kinds = std::make_shared<std::string>();
  parser->add_option("KIND", *kinds, "checks, settings, profiles, drivers or probes")
      ->required()
      ->check(CLI::IsMember({"checks", "settings", "profiles", "drivers", "probes"}));
  return {parser, [kinds] { return run(*kinds); }};
}

}  // namespace rocert
