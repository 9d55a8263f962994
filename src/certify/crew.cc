#include "certify/crew.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "fleet/launcher.h"

namespace rocert {
namespace {

GapReason reason_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kTimeout:
      return GapReason::kTimedOut;
    case ErrorKind::kMalformed:
      return GapReason::kMalformed;
    default:
      return GapReason::kUnreadable;
  }
}

}  // namespace

Result<> Crew::check(const Launch& launch) {
  TRY(launch_argv(launch, "host", std::chrono::seconds(1)));
  return {};
}

Crew::Crew(Loop& loop, std::vector<std::string> hosts, CrewOptions options, CrewEvents events)
    : loop_(loop), options_(std::move(options)), events_(std::move(events)) {
  for (std::string& host : hosts) {
    members_.emplace_back();
    members_.back().name = std::move(host);
  }
}

void Crew::start() { start_some(); }

void Crew::start_some() {
  while (!dismissed_ && next_ < members_.size() && starting_ < options_.starts_at_once) launch(next_++);
}

void Crew::launch(size_t host) {
  Member& member = members_[host];
  member.state = State::kStarting;
  ++starting_;
  const auto connect_limit = std::chrono::duration_cast<std::chrono::seconds>(options_.start_limit);
  auto started = [&]() -> Result<Remote> {
    const auto argv = TRY(launch_argv(options_.launch, member.name, connect_limit));
    return Remote::start(loop_, argv,
                         {[this, host](const std::string& payload) { hear(host, payload); },
                          [this, host](const Error& why) { ended(host, why); }});
  }();
  if (!started) {
    member.state = State::kEnding;
    --starting_;
    loop_.post([this, host, why = started.error()] { ended(host, why); });
    return;
  }
  member.remote.emplace(std::move(*started));
  member.limit = Timer(loop_, options_.start_limit, [this, host] {
    lose(host, {ErrorKind::kTimeout, "its worker did not answer within " + to_text(options_.start_limit), {}});
  });
}

void Crew::hear(size_t host, const std::string& payload) {
  Member& member = members_[host];
  const auto message = decode_from_worker(payload);
  if (!message) return lose(host, {ErrorKind::kMalformed, "its worker said " + to_text(message.error()), {}});
  const auto* welcome = std::get_if<Welcome>(&*message);
  if ((welcome != nullptr) != (member.state == State::kStarting))
    return lose(host, {ErrorKind::kMalformed, "its worker spoke out of turn", {}});
  if (welcome == nullptr) return events_.said(host, *message);
  member.state = State::kPresent;
  member.limit = Timer();
  --starting_;
  events_.joined(host, *welcome);
  start_some();
}

void Crew::send(size_t host, const ToWorker& message) {
  if (present(host)) members_[host].remote->send(encode(message));
}

void Crew::lose(size_t host, const Error& why) {
  Member& member = members_[host];
  if (member.state != State::kStarting && member.state != State::kPresent) return;
  if (std::exchange(member.state, State::kEnding) == State::kStarting) --starting_;
  member.limit = Timer();
  member.remote->end(options_.grace, why);
}

void Crew::ended(size_t host, const Error& why) {
  Member& member = members_[host];
  if (std::exchange(member.state, State::kGone) == State::kStarting) --starting_;
  member.limit = Timer();
  member.remote.reset();
  if (dismissed_) return finish_if_empty();
  events_.lost(host, Gap{reason_of(why), why.message});
  start_some();
}

void Crew::dismiss(std::function<void()> done) {
  dismissed_ = std::move(done);
  for (size_t host = 0; host < members_.size(); ++host) {
    send(host, Bye{});
    if (members_[host].state == State::kStarting) lose(host, {ErrorKind::kClosed, "dismissed", {}});
  }
  bye_ = Timer(loop_, options_.bye_limit, [this] {
    for (size_t host = 0; host < members_.size(); ++host) lose(host, {ErrorKind::kClosed, "dismissed", {}});
  });
  loop_.post([this] { finish_if_empty(); });
}

void Crew::finish_if_empty() {
  const bool all_gone = std::all_of(members_.begin(), members_.end(), [](const Member& member) {
    return member.state == State::kWaiting || member.state == State::kGone;
  });
  if (!all_gone) return;
  bye_ = Timer();
  if (const auto done = std::exchange(dismissed_, nullptr)) done();
}

}  // namespace rocert
