#include "certify/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "certify/half.h"
#include "fleet/session.h"

namespace rocert {
namespace {

constexpr int kLeftRunning = 3;

// Orders come from outside: none keeps a half waiting for longer.
constexpr std::chrono::nanoseconds kLongestDeadline = std::chrono::hours(1);

GapReason reason_of(const Error& error) {
  return error.kind == ErrorKind::kTimeout ? GapReason::kTimedOut : GapReason::kUnreadable;
}

// Threads that are not joined one by one: they are counted, and waited for together.
class Crowd {
 public:
  void start(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    std::thread([this, work = std::move(work)] {
      work();
      const std::lock_guard lock(mutex_);
      --running_;
      ended_.notify_all();
    }).detach();
  }
  bool wait_until_empty(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, limit, [&] { return running_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t running_ = 0;
};

class Worker {
 public:
  Worker(WorkerTools tools, const WorkerOptions& options) : tools_(std::move(tools)), options_(options) {}

  Result<> serve(Fd input, Fd output) {
    session_.emplace(descriptor_stream(loop_, std::move(input), std::move(output)),
                     SessionEvents{[this](const std::string& payload) { hear(payload); },
                                   [this](const Error& why) {
                                     if (why.kind != ErrorKind::kClosed) ended_ = fail(why);
                                     leave("the coordinator went away");
                                   }});
    if (options_.stop >= 0) stop_ = Watch(loop_, options_.stop, [this] { leave("the worker was told to stop"); });
    session_->send(encode(FromWorker(Welcome{tools_.version, tools_.host})));
    loop_.run();
    if (!crowd_.wait_until_empty(options_.grace)) std::_Exit(kLeftRunning);
    return ended_;
  }

 private:
  void leave(const std::string& why) {
    for (const auto& [id, half] : halves_) half->cancel(why);
    loop_.stop();
  }

  void refuse(const Error& error) {
    ended_ = fail(error);
    leave(error.message);
  }

  // From any thread; after the end it goes nowhere.
  void say(const FromWorker& message) {
    loop_.post([this, payload = encode(message)] { session_->send(payload); });
  }

  void hear(const std::string& payload) {
    const auto message = decode_to_worker(payload);
    if (!message) return refuse(message.error());
    std::visit([this](const auto& one) { obey(one); }, *message);
  }

  void obey(const SurveyOrder&) {
    crowd_.start([this] {
      try {
        const std::lock_guard lock(host_);
        say(Surveyed{tools_.survey()});
      } catch (const std::exception& thrown) {
        loop_.post([this, what = std::string(thrown.what())] {
          refuse({ErrorKind::kInternal, "the survey failed: " + what, {}});
        });
      }
    });
  }

  void obey(const HalfOrder& order) {
    // Twice, as a passive end waits for an active one that may use all of its own.
    const auto limit =
        std::chrono::nanoseconds(std::min(order.order.deadline_ns, static_cast<uint64_t>(kLongestDeadline.count())));
    const auto deadline = std::chrono::steady_clock::now() + 2 * limit;
    if (halves_.size() >= options_.probes_at_once)
      return say(HalfFailed{
          order.id, GapReason::kNotAsked,
          fmt::format("{} probes run here already, wanted at most {}", halves_.size(), options_.probes_at_once)});
    const auto half = std::make_shared<Half>(order.id, deadline, [this](const FromWorker& m) { say(m); });
    if (!halves_.emplace(order.id, half).second)
      return refuse({ErrorKind::kMalformed, fmt::format("probe {} was ordered twice", order.id), {}});
    crowd_.start([this, half, probe = order.order] {
      say(run(*half, probe));
      loop_.post([this, id = half->id()] { halves_.erase(id); });
    });
  }

  FromWorker run(Half& half, const ProbeOrder& order) try {
    const CounterReading before = read_counters(order);
    auto result = tools_.probe(order, half.exchange());
    if (!result) return HalfFailed{half.id(), reason_of(result.error()), result.error().message};
    result->counters = delta(before, read_counters(order));
    return HalfDone{half.id(), std::move(*result)};
  } catch (const std::exception& thrown) {
    return HalfFailed{half.id(), GapReason::kUnreadable, std::string("the probe failed: ") + thrown.what()};
  }

  CounterReading read_counters(const ProbeOrder& order) {
    const std::lock_guard lock(host_);
    return tools_.read_counters(order);
  }

  // A half that is not there has just ended by itself: what crosses its result on the way is no error.
  void obey(const PeerEndpoint& peer) {
    if (const auto half = halves_.find(peer.id); half != halves_.end()) half->second->meet(peer.endpoint);
  }
  void obey(const StepMet& met) {
    if (const auto half = halves_.find(met.id); half != halves_.end()) half->second->release(met.step);
  }
  void obey(const CancelHalf& cancel) {
    if (const auto half = halves_.find(cancel.id); half != halves_.end()) half->second->cancel(cancel.why);
  }
  void obey(const Bye&) { leave("the coordinator said bye"); }

  WorkerTools tools_;
  WorkerOptions options_;
  Result<> ended_;
  Loop loop_;
  std::optional<Session> session_;
  Watch stop_;
  std::map<uint64_t, std::shared_ptr<Half>> halves_;
  std::mutex host_;
  Crowd crowd_;
};

}  // namespace

Result<> run_worker(Fd input, Fd output, WorkerTools tools, const WorkerOptions& options) {
  Worker worker(std::move(tools), options);
  return worker.serve(std::move(input), std::move(output));
}

Result<Stdio> take_stdio() {
  Stdio stdio{Fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)), Fd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))};
  const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!stdio.input || !stdio.output || !nothing || ::dup2(nothing.get(), STDIN_FILENO) < 0 ||
      ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return fail(ErrorKind::kSystem, "stdin or stdout: " + std::generic_category().message(errno));
  return stdio;
}

}  // namespace rocert
