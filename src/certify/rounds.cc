#include "certify/rounds.h"

#include <fmt/format.h>

#include "base/units.h"

namespace rocert {
namespace {

// The number that a message about a probe carries; none: it is about something else.
std::optional<uint64_t> id_of(const FromWorker& message) {
  return std::visit(
      [](const auto& one) -> std::optional<uint64_t> {
        if constexpr (requires { one.id; }) return one.id;
        return std::nullopt;
      },
      message);
}

}  // namespace

Rounds::Rounds(Loop& loop, Crew& crew, const std::vector<std::string>& hosts, const Lineup& lineup,
               RoundsOptions options, RoundsEvents events)
    : loop_(loop),
      crew_(crew),
      lineup_(lineup),
      options_(std::move(options)),
      events_(std::move(events)),
      rounds_(lineup.rounds()) {
  for (size_t i = 0; i < hosts.size(); ++i) hosts_.emplace(hosts[i], i);
}

void Rounds::next_round() {
  if (round_ == rounds_) {
    if (const auto done = std::exchange(events_.done, nullptr)) done();
    return;
  }
  if (!stopped_) events_.began(round_ + 1, rounds_);
  begin_round();
}

void Rounds::begin_round() {
  pairs_.clear();
  for (const RailLineup& rail : lineup_.rails) {
    if (round_ >= rail.rounds.size()) continue;
    for (const auto& [first, second] : rail.rounds[round_]) {
      pairs_.push_back(std::make_unique<Pair>());
      pairs_.back()->planned = {.rail = rail.rail,
                                .round = static_cast<uint32_t>(round_ + 1),
                                .from = rail.ends[first],
                                .to = rail.ends[second],
                                .traffic_class = rail.traffic_class,
                                .traffic_class_byte = rail.traffic_class_byte};
    }
  }
  ++round_;
  running_ = pairs_.size();
  // Pairs that cannot run end at once, and the last of them must not end the round while it still begins.
  ++running_;
  for (const auto& pair : pairs_) next_probe(*pair);
  if (--running_ == 0) loop_.post([this] { next_round(); });
}

Measurement Rounds::planned_probe(const Pair& pair, const PairProbe& probe) const {
  Measurement planned = pair.planned;
  planned.probe = probe.order.probe;
  if (probe.reverse) std::swap(planned.from, planned.to);
  return planned;
}

std::optional<std::string> Rounds::absent_end(const Measurement& planned) const {
  if (stopped_) return stopped_;
  for (const End* end : {&planned.from, &planned.to}) {
    if (crew_.present(host_of(*end))) continue;
    const auto why = lost_.find(host_of(*end));
    return fmt::format("{} was lost before: {}", end->host, why == lost_.end() ? "its worker ends" : why->second);
  }
  return std::nullopt;
}

void Rounds::next_probe(Pair& pair) {
  if (pair.next == options_.probes.size()) return end_pair(pair);
  const PairProbe& probe = options_.probes[pair.next++];
  Measurement planned = planned_probe(pair, probe);
  if (const auto absent = absent_end(planned)) {
    planned.figures = gap(GapReason::kNotAsked, *absent);
    events_.measured(std::move(planned));
    return next_probe(pair);
  }
  const uint64_t id = std::exchange(next_id_, next_id_ + 2);
  pair.bout.emplace(std::move(planned), probe.order, id);
  halves_[id] = {&pair, Side::kActive};
  halves_[id + 1] = {&pair, Side::kPassive};
  const auto limit = 2 * std::chrono::nanoseconds(probe.order.deadline_ns) + options_.slack;
  pair.limit = Timer(loop_, limit, [this, &pair] { give_up_on_silent(pair); });
  say(pair, pair.bout->begin());
}

void Rounds::end_pair(Pair& pair) {
  events_.pair_ended(pair.with_figures == options_.probes.size());
  if (--running_ == 0) loop_.post([this] { next_round(); });
}

void Rounds::say(const Pair& pair, const Bout::Answers& answers) {
  for (const auto& [side, message] : answers) crew_.send(host_of(pair.bout->end(side)), message);
}

void Rounds::hear(size_t host, const FromWorker& message) {
  if (stopped_) return;  // of probes that nobody waits for any more
  const auto id = id_of(message);
  const auto found = id ? halves_.find(*id) : halves_.end();
  if (found == halves_.end() || host_of(found->second.pair->bout->end(found->second.side)) != host)
    return crew_.lose(host, {ErrorKind::kMalformed, "its worker spoke of a probe that it does not run", {}});
  const auto [pair, side] = found->second;
  const auto answers = pair->bout->hear(side, message);
  if (!answers) return crew_.lose(host, answers.error());
  say(*pair, *answers);
  end_bout_if_over(*pair);
}

void Rounds::end_bout_if_over(Pair& pair) {
  if (!pair.bout || !pair.bout->over()) return;
  Measurement measurement = pair.bout->measurement();
  std::erase_if(halves_, [&](const auto& half) { return half.second.pair == &pair; });
  pair.bout.reset();
  pair.limit = Timer();
  if (measurement.figures) ++pair.with_figures;
  events_.measured(std::move(measurement));
  next_probe(pair);
}

void Rounds::give_up_on_silent(Pair& pair) {
  for (const Side side : {Side::kActive, Side::kPassive}) {
    if (!pair.bout->awaits(side)) continue;
    crew_.lose(host_of(pair.bout->end(side)),
               {ErrorKind::kTimeout,
                fmt::format("its worker did not answer within the deadline of {} in round {}",
                            pair.planned.rail.empty() ? "a probe" : "a probe on rail " + pair.planned.rail, round_),
                {}});
  }
}

void Rounds::lost(size_t host, const Gap& why) {
  lost_.emplace(host, why.detail);
  for (const auto& pair : pairs_) {
    for (const Side side : {Side::kActive, Side::kPassive}) {
      if (!pair->bout || host_of(pair->bout->end(side)) != host) continue;
      say(*pair, pair->bout->lose(side, why));
      end_bout_if_over(*pair);
    }
  }
}

void Rounds::stop(const std::string& why) {
  if (stopped_) return;
  stopped_ = why;
  for (const auto& pair : pairs_) {
    if (!pair->bout) continue;
    for (const Side side : {Side::kActive, Side::kPassive}) pair->bout->lose(side, {GapReason::kNotAsked, why});
    end_bout_if_over(*pair);
  }
}

}  // namespace rocert
