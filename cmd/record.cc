// rocert record: saves all that an audit of this host reads, to be audited elsewhere with --root.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/read_host.h"
#include "host/manifest.h"
#include "host/recorded_host.h"

namespace rocert {
namespace {

struct RecordArguments {
  std::string folder;
  std::string root;
  bool redact = false;
};

// "saved DIR: 212 files, 31 objects, 4 gaps".
Result<std::string> summary_of(const std::string& folder) {
  const std::string path = folder + "/" + std::string(kManifestName);
  const Manifest manifest = TRY(decode_manifest(TRY(read_text_file(path)), path));
  const auto count = [&](auto&& holds) { return std::ranges::count_if(manifest.asked, holds); };
  const auto objects = count([](const Asked& a) { return !a.gap && a.kind == AskedKind::kKernel; });
  const auto files = count([](const Asked& a) { return !a.gap && a.kind != AskedKind::kKernel; });
  const auto gaps = count([](const Asked& a) { return a.gap.has_value(); });
  return fmt::format("saved {}{}: {} files, {} kernel objects, {} gaps\n", folder,
                     manifest.redacted ? " (redacted)" : "", files, objects, gaps);
}

Result<int> run(const RecordArguments& arguments) {
  const std::unique_ptr<Host> host = TRY(open_host(arguments.root));
  RecordingHost recording(*host, {.redact = arguments.redact});
  static_cast<void>(TRY(take_snapshot(recording)));
  TRY(recording.save(arguments.folder));
  TRY(print(TRY(summary_of(arguments.folder))));
  return 0;
}

}  // namespace

Command add_record(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("record", "Save all that an audit of this host reads, for --root");
  auto arguments = std::make_shared<RecordArguments>();
  parser->add_option("-o,--output", arguments->folder, "A new folder")->type_name("DIR")->required();
  parser->add_flag("--redact", arguments->redact,
                   "Replace addresses, host names and serial numbers; equal stays equal");
  add_root_option(*parser, arguments->root);
  return {parser, [arguments] { return run(*arguments); }};
}

}  // namespace rocert
