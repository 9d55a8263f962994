// Worker: what runs on each host of a certification. It surveys and probes when its coordinator asks, writes no
// setting, and never outlives the stream to its coordinator.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "model/snapshot.h"
#include "probe/counters.h"
#include "probe/probe.h"

namespace rocert {

// What a worker can do, as functions. survey and read_counters take turns (they share one Host); probes run at the same
// time, one thread each.
struct WorkerTools {
  std::string version;
  std::string host;
  std::function<Snapshot()> survey;
  std::function<Result<HalfResult>(const ProbeOrder&, const Exchange&)> probe;
  std::function<CounterReading(const ProbeOrder&)> read_counters;  // of the order's own end
};

struct WorkerOptions {
  int stop = -1;  // a descriptor that becomes readable when the worker shall end (base/process.h: stop_signals)
  std::chrono::milliseconds grace{800};  // for probes that still run when the worker ends
  size_t probes_at_once = 64;
};

// Serves one coordinator until it says bye, goes away or `stop` is readable. An Error when the stream was broken
// (kMalformed). A probe that has not given up within the grace ends the whole process with status 3, whatever else runs
// in it: nothing of a worker outlives its coordinator.
Result<> run_worker(Fd input, Fd output, WorkerTools tools, const WorkerOptions& options = {});

struct Stdio {
  Fd input, output;
};
// Takes stdin and stdout for the protocol: what other code reads from 0 is empty, what it prints to 1 goes to stderr.
Result<Stdio> take_stdio();

}  // namespace rocert
