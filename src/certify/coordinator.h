// Coordinator: runs a certification from the inventory to a Fabric: workers, snapshots, audits, rounds, measurements,
// suspects. It prints nothing and judges nothing; what happens on the way is told as Progress.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "certify/crew.h"
#include "certify/evidence.h"
#include "certify/rounds.h"
#include "model/inventory.h"

namespace rocert {

struct HostAnswered {
  std::string host;
  std::string version;  // of its rocert
};
struct HostSurveyed {
  std::string host;
};
struct HostLost {
  std::string host;
  Gap why;
};
struct LineupReady {
  size_t rails, pairs, rounds;
  std::chrono::nanoseconds estimate;  // of all rounds, when every probe takes its stated duration
};
struct RoundBegan {
  size_t round, of;
};
struct Measured {
  const Measurement& measurement;
};
struct PairEnded {
  size_t ended, of;
};
struct CertifyEnding {
  std::string why;  // empty: all rounds are over
};
using Progress =
    std::variant<HostAnswered, HostSurveyed, HostLost, LineupReady, RoundBegan, Measured, PairEnded, CertifyEnding>;

// write_bw from first to second, then back, then send_lat, with figures that fit a live fabric.
std::vector<PairProbe> default_probes();

struct CertifyOptions {
  Inventory inventory;
  const Profile* profile = nullptr;  // must outlive the Fabric that comes out
  std::function<Audit(const Snapshot& snapshot, const std::string& host)> audit;
  std::chrono::nanoseconds start_limit = std::chrono::seconds(30);
  std::chrono::nanoseconds survey_limit = std::chrono::seconds(30);
  std::chrono::nanoseconds bye_limit = std::chrono::seconds(1);
  size_t starts_at_once = 32;
  RoundsOptions rounds{.probes = default_probes()};
  int stop = -1;                     // readable: end now, with what there is (base/process.h: stop_signals)
  EvidenceFile* evidence = nullptr;  // where what happens is written; null: nowhere
  std::function<void(const Progress&)> progress;
};

struct CertifyRun {
  Fabric fabric;  // hosts in the inventory's order, suspects included
  uint64_t pairs_planned = 0;
  uint64_t pairs_measured = 0;  // every probe of the pair came to figures
  bool cancelled = false;
};

// Blocks until all is over and no child is left. An Error: kUsage when all hosts answer and there is nothing to
// measure, and why; kSystem when the evidence cannot be written. A host that cannot be reached, dies or hangs is not an
// Error, not even when it leaves nothing to measure.
Result<CertifyRun> certify(const CertifyOptions& options);

}  // namespace rocert
