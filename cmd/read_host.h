// The host that a command reads, live or recorded, and its snapshot with all that registered units ask for.
#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "host/host.h"
#include "model/snapshot.h"

namespace CLI {
class App;
}

namespace rocert {

// Adds --root DIR: a recording instead of this machine.
void add_root_option(CLI::App& parser, std::string& root);
// This machine, or the recording when `root` names one.
Result<std::unique_ptr<Host>> open_host(const std::string& root);

// All that registered units ask for. An Error: kMalformed when a recording is damaged.
Result<Snapshot> take_snapshot(Host& host);

}  // namespace rocert
