#include "certify/coordinator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "certify/suspects.h"

namespace rocert {
namespace {

using namespace std::chrono_literals;

class Certification {
 public:
  explicit Certification(const CertifyOptions& options)
      : options_(options),
        crew_(loop_, options.inventory.hosts,
              {.launch = options.inventory.launch,
               .start_limit = options.start_limit,
               .bye_limit = options.bye_limit,
               .starts_at_once = options.starts_at_once},
              {.joined = [this](size_t host, const Welcome& welcome) { ask_for_survey(host, welcome); },
               .said = [this](size_t host, const FromWorker& message) { hear(host, message); },
               .lost = [this](size_t host, const Gap& why) { note_lost(host, why); }}),
        survey_limits_(options.inventory.hosts.size()) {
    run_.fabric.profile = options.profile;
    for (const std::string& host : options.inventory.hosts)
      run_.fabric.hosts.push_back({.name = host, .snapshot = gap(GapReason::kNotAsked, "not surveyed")});
  }

  Result<CertifyRun> run() {
    unsettled_ = run_.fabric.hosts.size();
    if (options_.stop >= 0) stop_ = Watch(loop_, options_.stop, [this] { cancel(); });
    crew_.start();
    loop_.run();
    if (error_) return fail(*error_);
    run_.fabric.suspects = find_suspects(run_.fabric);
    return std::move(run_);
  }

 private:
  void tell(const Progress& progress) {
    if (options_.progress) options_.progress(progress);
  }
  void record(const Result<>& written) {
    if (!written) end_with(written.error());
  }

  void ask_for_survey(size_t host, const Welcome& welcome) {
    tell(HostAnswered{name(host), welcome.version});
    crew_.send(host, SurveyOrder{});
    survey_limits_[host] = Timer(loop_, options_.survey_limit, [this, host] {
      crew_.lose(host, {ErrorKind::kTimeout, "its survey did not end within " + to_text(options_.survey_limit), {}});
    });
  }

  void hear(size_t host, const FromWorker& message) {
    if (const auto* surveyed = std::get_if<Surveyed>(&message)) return note_snapshot(host, surveyed->snapshot);
    if (rounds_) return rounds_->hear(host, message);
    crew_.lose(host, {ErrorKind::kMalformed, "its worker spoke of a probe before there was one", {}});
  }

  void note_snapshot(size_t host, const Snapshot& snapshot) {
    FabricHost& known = run_.fabric.hosts[host];
    if (known.snapshot) return crew_.lose(host, {ErrorKind::kMalformed, "its worker sent a second snapshot", {}});
    survey_limits_[host] = Timer();
    known.snapshot = snapshot;
    if (options_.audit) known.audit = options_.audit(snapshot, known.name);
    if (options_.evidence != nullptr) record(options_.evidence->add_snapshot(known.name, snapshot));
    tell(HostSurveyed{known.name});
    settle();
  }

  void note_lost(size_t host, const Gap& why) {
    FabricHost& known = run_.fabric.hosts[host];
    survey_limits_[host] = Timer();
    known.lost = why;
    if (options_.evidence != nullptr) record(options_.evidence->add_lost(known.name, why));
    tell(HostLost{known.name, why});
    if (rounds_) return rounds_->lost(host, why);
    if (known.snapshot) return;
    known.snapshot = tl::unexpected(why);
    settle();
  }

  void settle() {
    if (--unsettled_ == 0 && !ending_) begin_rounds();
  }

  void begin_rounds() {
    lineup_ = line_up(run_.fabric.hosts, options_.profile);
    run_.fabric.left_out = lineup_.left_out;
    run_.pairs_planned = lineup_.pairs();
    if (run_.pairs_planned == 0)
      return end_unmeasured("nothing to measure: " + why_nothing(run_.fabric.hosts, lineup_));
    std::chrono::nanoseconds per_round{};
    for (const PairProbe& probe : options_.rounds.probes)
      per_round += std::chrono::nanoseconds(probe.order.duration_ns);
    tell(LineupReady{lineup_.rails.size(), run_.pairs_planned, lineup_.rounds(), lineup_.rounds() * per_round});
    rounds_.emplace(loop_, crew_, options_.inventory.hosts, lineup_, options_.rounds,
                    RoundsEvents{.began = [this](size_t round, size_t of) { tell(RoundBegan{round, of}); },
                                 .measured = [this](Measurement m) { note_measurement(std::move(m)); },
                                 .pair_ended = [this](bool complete) { note_pair(complete); },
                                 .done = [this] { end(stopped_); }});
    rounds_->start();
  }

  void note_measurement(Measurement measurement) {
    if (options_.evidence != nullptr && !error_) record(options_.evidence->add(measurement));
    tell(Measured{measurement});
    run_.fabric.measurements.push_back(std::move(measurement));
  }

  void note_pair(bool complete) {
    if (complete) ++run_.pairs_measured;
    tell(PairEnded{++pairs_ended_, run_.pairs_planned});
  }

  void cancel() {
    if (ending_) return;
    run_.cancelled = true;
    stop_rounds("the certification was interrupted");
  }

  void end_with(const Error& error) {
    if (!error_) error_ = error;
    // Later: this may be called from within the rounds or the crew.
    loop_.post([this] { stop_rounds(error_->message); });
  }

  // Hosts that were lost are a verdict; a plan without pairs over hosts that all answered is a mistake of its maker.
  void end_unmeasured(const std::string& why) {
    if (std::ranges::none_of(run_.fabric.hosts, [](const FabricHost& host) { return host.lost.has_value(); }))
      return end_with({ErrorKind::kUsage, why, {}});
    loop_.post([this, why] { stop_rounds(why); });
  }

  // Rounds end themselves, with a Gap for each pair that was planned and not measured.
  void stop_rounds(const std::string& why) {
    stopped_ = why;
    if (rounds_ && !ending_) return rounds_->stop(why);
    end(why);
  }

  void end(const std::string& why) {
    if (std::exchange(ending_, true)) return;
    tell(CertifyEnding{why});
    for (Timer& limit : survey_limits_) limit = Timer();
    for (FabricHost& host : run_.fabric.hosts) {
      if (!host.snapshot && !host.lost) host.snapshot = gap(GapReason::kNotAsked, why);
    }
    crew_.dismiss([this] { loop_.stop(); });
  }

  const std::string& name(size_t host) const { return run_.fabric.hosts[host].name; }

  const CertifyOptions& options_;
  CertifyRun run_;
  Loop loop_;
  Crew crew_;
  Lineup lineup_;
  std::optional<Rounds> rounds_;
  std::vector<Timer> survey_limits_;
  Watch stop_;
  size_t unsettled_ = 0;
  size_t pairs_ended_ = 0;
  bool ending_ = false;
  std::string stopped_;  // why before all rounds were over
  std::optional<Error> error_;
};

}  // namespace

std::vector<PairProbe> default_probes() {
  // 1.5 MiB outstanding: more than a fabric holds, and little enough that a port which loses much still comes to a
  // figure.
  const ProbeOrder bandwidth{
      .probe = "write_bw", .depth = 24, .duration_ns = 1'000'000'000, .deadline_ns = 10'000'000'000};
  const ProbeOrder latency{
      .probe = "send_lat", .size = 8, .depth = 1, .duration_ns = 500'000'000, .deadline_ns = 10'000'000'000};
  return {{.order = bandwidth}, {.order = bandwidth, .reverse = true}, {.order = latency}};
}

Result<CertifyRun> certify(const CertifyOptions& options) {
  TRY(Crew::check(options.inventory.launch));
  if (options.inventory.hosts.size() < 2)
    return fail(ErrorKind::kUsage, fmt::format("nothing to measure: hosts in the inventory: {}, wanted at least 2",
                                               options.inventory.hosts.size()));
  Certification certification(options);
  return certification.run();
}

}  // namespace rocert
