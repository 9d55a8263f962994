#include "cmd/read_host.h"

#include <CLI/CLI.hpp>

#include "cmd/clock.h"
#include "cmd/units.h"
#include "host/linux_host.h"
#include "host/recorded_host.h"
#include "registry/drivers.h"
#include "survey/survey.h"

namespace rocert {

void add_root_option(CLI::App& parser, std::string& root) {
  parser.add_option("--root", root, "Read a recording (rocert record) instead of this machine")->type_name("DIR");
}

Result<std::unique_ptr<Host>> open_host(const std::string& root) {
  if (root.empty()) return open_linux_host();
  return open_recorded_host(root);
}

Result<Snapshot> take_snapshot(Host& host) {
  Snapshot snapshot = survey(host, {.facts = declared_facts(), .drivers = registry::drivers(), .taken_at = utc_now()});
  if (auto damage = host.damage()) return tl::unexpected(*std::move(damage));
  return snapshot;
}

}  // namespace rocert
