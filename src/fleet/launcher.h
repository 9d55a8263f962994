// Launchers: how a worker is started on a host, as the argv of a local program whose stdio is the worker's.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/inventory.h"

namespace rocert {

// lab:  PROGRAM OPTIONS... exec HOST -- ROCERT worker
// ssh:  PROGRAM -o BatchMode=yes OPTIONS... -o ConnectTimeout=N ... HOST -- 'ROCERT' worker
// ssh gives the rest of its line to the host's shell, so words are quoted for it; of an option given twice ssh takes
// the first, so the inventory's options win over the time limits. An Error (kUsage) for a launcher that starts nothing
// (slurm, manual), and for a host that would be read as an option.
Result<std::vector<std::string>> launch_argv(const Launch& launch, const std::string& host,
                                             std::chrono::seconds connect_limit);

}  // namespace rocert
