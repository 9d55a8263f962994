// rocert snapshot: what this host is, as JSON.
#include <CLI/CLI.hpp>
#include <memory>

#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/read_host.h"

namespace rocert {

Command add_snapshot(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("snapshot", "Print what this host is as JSON (schema rocert/snapshot/1)");
  auto root = std::make_shared<std::string>();
  add_root_option(*parser, *root);
  return {parser, [root]() -> Result<int> {
            const std::unique_ptr<Host> host = TRY(open_host(*root));
            TRY(print(encode_snapshot(TRY(take_snapshot(*host)))));
            return 0;
          }};
}

}  // namespace rocert
