#include "certify/bout.h"

#include <fmt/format.h>

#include "base/text.h"

namespace rocert {
namespace {

constexpr size_t kStepsAtMost = 64;  // of one probe: bounds what an end can make its coordinator remember

Side other(Side side) { return side == Side::kActive ? Side::kPassive : Side::kActive; }

tl::unexpected<Error> broken(const std::string& what) { return fail(ErrorKind::kMalformed, what); }

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Bout::Bout(Measurement planned, const ProbeOrder& order, uint64_t id)
    : planned_(std::move(planned)), order_(order), id_(id) {
  order_.probe = planned_.probe;
  order_.traffic_class = planned_.traffic_class_byte;
}

Bout::Answers Bout::begin() const {
  Answers answers;
  for (const Side side : {Side::kPassive, Side::kActive}) {
    ProbeOrder order = order_;
    order.side = side;
    order.self = end(side);
    answers.push_back({side, HalfOrder{id(side), std::move(order)}});
  }
  return answers;
}

Result<Bout::Answers> Bout::hear(Side from, const FromWorker& message) {
  if (half(from).finished) return broken("a word about a probe that it had already ended");
  if (const auto* own = std::get_if<OwnEndpoint>(&message)) return meet(from, own->endpoint);
  if (const auto* reached = std::get_if<StepReached>(&message)) return reach(from, reached->step);
  if (const auto* done = std::get_if<HalfDone>(&message)) {
    half(from).result = done->result;
    return finish(from, end(from).host + " has ended the probe");
  }
  if (const auto* failed = std::get_if<HalfFailed>(&message)) {
    const bool started = half(from).endpoint.has_value();
    if (started && !missing_) errors_.push_back(end(from).host + ": " + failed->message);
    return fail_half(from, {started ? failed->reason : GapReason::kNotSupported, failed->message});
  }
  return broken("a message that has no place in a probe");
}

Result<Bout::Answers> Bout::meet(Side from, const Endpoint& endpoint) {
  if (half(from).endpoint) return broken("a second endpoint for one probe");
  half(from).endpoint = endpoint;
  const auto& theirs = half(other(from)).endpoint;
  if (!theirs && half(other(from)).finished)
    return Answers{{from, CancelHalf{id(from), end(other(from)).host + " has ended the probe"}}};
  if (!theirs) return Answers{};
  return Answers{{other(from), PeerEndpoint{id(other(from)), endpoint}}, {from, PeerEndpoint{id(from), *theirs}}};
}

Result<Bout::Answers> Bout::reach(Side from, const std::string& step) {
  HalfState& mine = half(from);
  HalfState& theirs = half(other(from));
  if (mine.reached.size() >= kStepsAtMost || !mine.reached.insert(step).second)
    return broken("the step \"" + escaped(step, 40) + "\" again, or too many steps");
  if (theirs.reached.contains(step)) {
    theirs.waiting.clear();
    return Answers{{from, StepMet{id(from), step}}, {other(from), StepMet{id(other(from)), step}}};
  }
  mine.waiting = step;
  if (theirs.finished) return Answers{{from, CancelHalf{id(from), end(other(from)).host + " has ended the probe"}}};
  return Answers{};
}

Bout::Answers Bout::lose(Side side, const Gap& why) {
  if (half(side).finished) return {};
  return fail_half(side, why);
}

Bout::Answers Bout::fail_half(Side side, const Gap& why) {
  const std::string says = end(side).host + ": " + why.detail;
  if (!missing_) missing_ = Gap{why.reason, says};
  return finish(side, says);
}

Bout::Answers Bout::finish(Side side, const std::string& tell_other) {
  half(side).finished = true;
  const HalfState& theirs = half(other(side));
  // An end that is not waiting for this one goes on: it may come to a result of its own.
  const bool stuck = !half(side).result || !theirs.waiting.empty() || (theirs.endpoint && !half(side).endpoint);
  if (theirs.finished || !stuck) return {};
  return {{other(side), CancelHalf{id(other(side)), tell_other}}};
}

Measurement Bout::measurement() const {
  Measurement measurement = planned_;
  const auto& active = half(Side::kActive).result;
  const auto& passive = half(Side::kPassive).result;
  if (active) {
    measurement.figures = active->figures;
    measurement.mtu = active->mtu;
    measurement.from_counters = active->counters;
    append(measurement.errors, active->errors);
  }
  if (passive) {
    measurement.to_counters = passive->counters;
    append(measurement.errors, passive->errors);
  }
  append(measurement.errors, errors_);
  // Figures of one end alone prove nothing about the other.
  if (missing_ && measurement.figures) measurement.figures = tl::unexpected(*missing_);
  if (missing_ && !active) measurement.figures = tl::unexpected(*missing_);
  measurement.data_intact = active && passive && active->data_intact && passive->data_intact;
  return measurement;
}

}  // namespace rocert
