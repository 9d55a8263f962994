// Bout: one probe between two ends as the coordinator sees it: it relays what they tell each other and merges their two
// halves into one Measurement. Pure: messages in, messages out.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "certify/messages.h"
#include "model/measurement.h"

namespace rocert {

class Bout {
 public:
  struct Say {
    Side to;
    ToWorker message;
  };
  using Answers = std::vector<Say>;

  // `planned` states probe, rail, round, ends and class; `order` the rest of what both ends are told. The active half
  // has the number `id`, the passive one the next.
  Bout(Measurement planned, const ProbeOrder& order, uint64_t id);

  Answers begin() const;
  // An Error (kMalformed): this end does not follow the protocol.
  Result<Answers> hear(Side from, const FromWorker& message);
  // The end's worker is gone.
  Answers lose(Side side, const Gap& why);

  bool over() const { return half(Side::kActive).finished && half(Side::kPassive).finished; }
  bool awaits(Side side) const { return !half(side).finished; }
  const End& end(Side side) const { return side == Side::kActive ? planned_.from : planned_.to; }
  // Only when over. Figures are a Gap when an end was lost, failed or could not start (kNotSupported: nothing was
  // tried).
  Measurement measurement() const;

 private:
  struct HalfState {
    bool finished = false;
    std::optional<Endpoint> endpoint;
    std::set<std::string> reached;
    std::string waiting;  // step that it waits in; empty: none
    std::optional<HalfResult> result;
  };
  const HalfState& half(Side side) const { return halves_[side == Side::kActive ? 0 : 1]; }
  HalfState& half(Side side) { return halves_[side == Side::kActive ? 0 : 1]; }
  uint64_t id(Side side) const { return side == Side::kActive ? id_ : id_ + 1; }
  Result<Answers> meet(Side from, const Endpoint& endpoint);
  Result<Answers> reach(Side from, const std::string& step);
  Answers fail_half(Side side, const Gap& why);
  Answers finish(Side side, const std::string& tell_other);

  Measurement planned_;
  ProbeOrder order_;
  uint64_t id_;
  std::array<HalfState, 2> halves_;
  std::optional<Gap> missing_;  // the first reason for having no figures
  std::vector<std::string> errors_;
};

}  // namespace rocert
