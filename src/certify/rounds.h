// Rounds: drives a lineup through its rounds: all rails and all pairs of a round at the same time, one probe after the
// other within a pair, and a barrier between rounds that no lost worker can hold up.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "certify/bout.h"
#include "certify/crew.h"
#include "certify/lineup.h"

namespace rocert {

// One probe of a pair.
struct PairProbe {
  ProbeOrder order;      // probe and sizes; side, self and class are filled in
  bool reverse = false;  // the pair's second end is the active one
};

struct RoundsOptions {
  std::vector<PairProbe> probes;
  // Beyond twice the order's deadline, for an end's answer: then its worker hangs.
  std::chrono::nanoseconds slack = std::chrono::seconds(5);
};

struct RoundsEvents {
  std::function<void(size_t round, size_t of)> began;
  std::function<void(Measurement)> measured;
  std::function<void(bool complete)> pair_ended;  // complete: every probe of the pair has figures
  std::function<void()> done;                     // once
};

// On the loop's thread only; it stays until done, or until the loop runs no more.
class Rounds {
 public:
  // Hosts by name, as the crew numbers them.
  Rounds(Loop& loop, Crew& crew, const std::vector<std::string>& hosts, const Lineup& lineup, RoundsOptions options,
         RoundsEvents events);

  void start() { next_round(); }
  void hear(size_t host, const FromWorker& message);
  void lost(size_t host, const Gap& why);
  // Ends it now: what is in flight and what was planned becomes a Gap "not asked" with this reason.
  void stop(const std::string& why);

 private:
  struct Pair {
    Measurement planned;  // rail, round and class; ends in the pair's order
    size_t next = 0;      // probe
    size_t with_figures = 0;
    std::optional<Bout> bout;
    Timer limit;
  };
  struct HalfAt {
    Pair* pair;
    Side side;
  };
  void next_round();
  void begin_round();
  void next_probe(Pair& pair);
  void end_pair(Pair& pair);
  void end_bout_if_over(Pair& pair);
  void say(const Pair& pair, const Bout::Answers& answers);
  void give_up_on_silent(Pair& pair);
  Measurement planned_probe(const Pair& pair, const PairProbe& probe) const;
  std::optional<std::string> absent_end(const Measurement& planned) const;
  size_t host_of(const End& end) const { return hosts_.at(end.host); }

  Loop& loop_;
  Crew& crew_;
  const Lineup& lineup_;
  RoundsOptions options_;
  RoundsEvents events_;
  std::map<std::string, size_t> hosts_;
  std::map<size_t, std::string> lost_;  // why
  std::vector<std::unique_ptr<Pair>> pairs_;
  std::map<uint64_t, HalfAt> halves_;  // of the bouts in flight, by number
  size_t rounds_;
  size_t round_ = 0;
  size_t running_ = 0;
  uint64_t next_id_ = 1;
  std::optional<std::string> stopped_;
};

}  // namespace rocert
