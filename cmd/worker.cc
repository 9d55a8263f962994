// rocert worker: what certify starts on each host; speaks the fleet's protocol on stdin and stdout.
#include "certify/worker.h"

#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/process.h"
#include "cmd/command.h"
#include "cmd/read_host.h"
#include "host/linux_host.h"
#include "host/verbs.h"
#include "probe/counters.h"
#include "registry/probes.h"

namespace rocert {
namespace {

Result<HalfResult> run_probe(const ProbeOrder& order, const Exchange& exchange) {
  const Verbs* verbs = TRY(load_verbs());
  const auto probes = registry::probes();
  const auto found = std::ranges::find_if(probes, [&](const Probe* probe) { return probe->page.code == order.probe; });
  if (found == probes.end()) return fail(ErrorKind::kUsage, "this rocert has no probe \"" + order.probe + "\"");
  return (*found)->run(*verbs, order, exchange);
}

Result<int> run() {
  const Fd stop = TRY(stop_signals());
  Stdio stdio = TRY(take_stdio());
  const std::unique_ptr<Host> host = open_linux_host();
  utsname names{};
  ::uname(&names);
  TRY(run_worker(std::move(stdio.input), std::move(stdio.output),
                 {.version = ROCERT_VERSION,
                  .host = names.nodename,
                  .survey = [&] { return take_snapshot(*host).value(); },  // a machine has no damage
                  .probe = run_probe,
                  .read_counters = [&](const ProbeOrder& order) { return read_counters(*host, order.self); }},
                 {.stop = stop.get()}));
  return 0;
}

}  // namespace

Command add_worker(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("worker", "Serve a coordinator on stdin and stdout")->group("");
  return {parser, run};
}

}  // namespace rocert
