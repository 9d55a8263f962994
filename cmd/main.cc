// rocert: parses the command line, runs one subcommand, gives its exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <utility>

#include "base/text.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/units.h"

namespace rocert {
namespace {

constexpr int kUsageExit = 2;
constexpr size_t kMessageLimit = 4096;  // of an error, which may quote what a file or an argument holds

int complain(std::string_view message, const CLI::App* at = nullptr) {
  std::string hint;
  if (at != nullptr) {
    std::string path = at->get_name();
    for (const CLI::App* up = at->get_parent(); up != nullptr; up = up->get_parent())
      path = up->get_name() + " " + path;
    hint = fmt::format("; see {} --help", path);
  }
  tell(fmt::format("rocert: {}{}\n", escaped(message, kMessageLimit), hint));
  return kUsageExit;
}

// The deepest subcommand that was given.
CLI::App* deepest(CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

// A first word that no parser knows is a misspelt subcommand; CLI11 would only call it unexpected.
std::optional<Error> misspelt(CLI::App* app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* sub : app->get_subcommands([](CLI::App*) { return true; })) names.push_back(sub->get_name());
    if (names.empty()) return std::nullopt;
    if (std::ranges::find(names, argv[i]) == names.end()) return unknown_word("command", argv[i], names);
    app = app->get_subcommand(argv[i]);
  }
  return std::nullopt;
}

// `--root ""` is an unset variable of a script, not a wish for the default.
std::optional<std::string> empty_option(const CLI::App& parser) {
  for (const CLI::Option* option : parser.get_options()) {
    if (option->count() > 0 && std::ranges::any_of(option->results(), &std::string::empty))
      return option->get_name() + ": is empty";
  }
  return std::nullopt;
}

int run(int argc, char** argv) {
  CLI::App program(
      "Reads a host's RoCE configuration, says what is wrong with it, and certifies a fabric with real traffic",
      "rocert");
  program.fallthrough();
  program.require_subcommand(1);
  program.set_version_flag("--version", "rocert " ROCERT_VERSION);
  Places places;
  program.add_option("--state", places.state, "Folder below which /etc/rocert lies")->type_name("DIR")->group("");

  std::vector<Command> commands = {add_audit(program, places), add_snapshot(program), add_record(program),
                                   add_certify(program, places), add_worker(program)};
  CLI::App* profile = program.add_subcommand("profile", "Check or show a profile");
  profile->require_subcommand(1);
  commands.insert(commands.end(),
                  {add_profile_check(*profile), add_profile_show(*profile), add_explain(program), add_list(program)});

  if (const auto error = misspelt(&program, argc, argv)) return complain(to_text(*error), &program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), deepest(&program));
  }
  for (const CLI::App* parser : {&std::as_const(program), static_cast<const CLI::App*>(deepest(&program))}) {
    if (const auto empty = empty_option(*parser)) return complain(*empty, deepest(&program));
  }
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    const Result<int> code = command.run();
    return code ? *code : complain(to_text(code.error()));
  }
  return complain("internal error: no command ran");
}

}  // namespace

// Closed ones, so that no file of ours gets their numbers; what is written to them still fails.
static void hold_standard_descriptors() {
  while (true) {
    const int opened = ::open("/dev/null", O_RDONLY);
    if (opened > STDERR_FILENO) ::close(opened);
    if (opened < 0 || opened > STDERR_FILENO) return;
  }
}

}  // namespace rocert

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of a write
  rocert::hold_standard_descriptors();
  try {
    return rocert::run(argc, argv);
  } catch (const std::exception& error) {
    rocert::tell(fmt::format("rocert: internal error: {}; please report it\n", error.what()));
    return 2;
  }
}
