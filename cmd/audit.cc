// rocert audit: reads a host, compares it with a profile, and says what is wrong with it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <variant>

#include "cmd/audit_host.h"
#include "cmd/choose_profile.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/read_host.h"
#include "cmd/units.h"
#include "registry/checks.h"
#include "report/report.h"

namespace rocert {
namespace {

struct AuditArguments {
  std::string profile;
  std::string root;
  std::string fail_on = "error";
  std::vector<std::string> only;
  bool json = false;
  bool all = false;
};

Result<> check_codes(const std::vector<std::string>& codes) {
  const KnownKeys keys = known_keys();
  for (const std::string& code : codes) {
    if (!keys.codes.contains(code))
      return fail(unknown_word("check or setting", code, {keys.codes.begin(), keys.codes.end()}));
    const auto check = std::ranges::find(registry::checks(), code, [](const Check* c) { return c->page.code; });
    if (check != registry::checks().end() && std::holds_alternative<FabricRule>((*check)->rule))
      return fail(ErrorKind::kUsage, code + ": certify judges it, between hosts; an audit cannot");
  }
  return {};
}

Result<int> run(const AuditArguments& arguments, const Places& places) {
  TRY(check_codes(arguments.only));
  const std::optional<Profile> profile = TRY(choose_profile(arguments.profile, places));
  const std::unique_ptr<Host> host = TRY(open_host(arguments.root));
  const Audit audit =
      audit_host(TRY(take_snapshot(*host)), {.profile = profile ? &*profile : nullptr, .only = arguments.only});
  const Severity fail_on = *parse_word<Severity>(arguments.fail_on);
  if (arguments.json) {
    TRY(print(encode_audit(audit)));
  } else {
    TRY(print(render_audit(audit, find_page,
                           {.color = wants_color(STDOUT_FILENO), .all = arguments.all, .fail_on = fail_on})));
  }
  return exit_code(audit, fail_on);
}

}  // namespace

Command add_audit(CLI::App& program, const Places& places) {
  CLI::App* parser = program.add_subcommand("audit", "Say what is wrong with this host");
  auto arguments = std::make_shared<AuditArguments>();
  parser->add_option("--profile", arguments->profile, "What is wanted; without it the site's, /etc/rocert/site.yaml")
      ->type_name("NAME|FILE");
  add_root_option(*parser, arguments->root);
  parser->add_flag("--json", arguments->json, "The audit as JSON (schema rocert/audit/1)");
  parser->add_flag("--all", arguments->all, "Show passes, facts and every gap too");
  parser->add_option("--fail-on", arguments->fail_on, "Lowest severity that fails: warn or error (default)")
      ->type_name("SEVERITY")
      ->check(CLI::IsMember({"warn", "error"}));
  parser->add_option("--only", arguments->only, "Only this check or setting; may be repeated")->type_name("CODE");
  parser->footer(
      "Exit code: 0 as wanted, 1 something fails, 2 usage or malformed file, 3 a fact that must be known is not.");
  return {parser, [arguments, &places] { return run(*arguments, places); }};
}

}  // namespace rocert
