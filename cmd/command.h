// Command: one subcommand of the program. It adds itself to the parser and, when chosen, runs to an exit code:
// 0 as wanted, 1 something fails, 2 usage or a malformed file, 3 could not tell.
#pragma once
#include <functional>
#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace rocert {

struct Command {
  CLI::App* parser = nullptr;
  std::function<Result<int>()> run;  // after parsing; an Error ends with exit code 2
};

// Where the fixed places lie: "" on a machine, a folder of their own in tests (--state DIR).
struct Places {
  std::string state;
  std::string site_profile() const { return state + "/etc/rocert/site.yaml"; }
};

Command add_audit(CLI::App& program, const Places& places);
Command add_snapshot(CLI::App& program);
Command add_record(CLI::App& program);
Command add_profile_check(CLI::App& profile);
Command add_profile_show(CLI::App& profile);
Command add_certify(CLI::App& program, const Places& places);
Command add_worker(CLI::App& program);
Command add_explain(CLI::App& program);
Command add_list(CLI::App& program);

}  // namespace rocert
