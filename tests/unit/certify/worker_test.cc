#include "certify/worker.h"

#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <thread>

#include "base/fd.h"
#include "certify/messages.h"
#include "fleet/channel.h"
#include "unit/certify/fake_worker.h"

namespace rocert {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

// A worker on a thread of its own, and the test as its coordinator, which blocks on the socket.
class Bench {
 public:
  explicit Bench(WorkerTools tools, WorkerOptions options = {}) {
    int fds[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    ours_ = Fd(fds[0]);
    thread_ = std::thread([this, theirs = Fd(fds[1]), tools = std::move(tools), options]() mutable {
      Fd copy = theirs.duplicate();
      ended_ = run_worker(std::move(theirs), std::move(copy), std::move(tools), options);
    });
    write(kHello);
  }
  ~Bench() {
    if (thread_.joinable()) static_cast<void>(end());
  }

  void write(std::string_view bytes) {
    ASSERT_EQ(::write(ours_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void say(const ToWorker& message) { write(encode_frame(encode(message))); }
  FromWorker hear() {
    for (;;) {
      if (auto payload = reader_.next()) return *decode_from_worker(*payload);
      char buffer[65536];
      const ssize_t size = ::read(ours_.get(), buffer, sizeof buffer);
      if (size <= 0) throw std::runtime_error("the worker went away");
      EXPECT_TRUE(reader_.feed({buffer, static_cast<size_t>(size)}));
    }
  }
  template <class Message>
  Message expect() {
    return std::get<Message>(hear());
  }
  // Hangs up; what run_worker returned.
  Result<> end() {
    ::shutdown(ours_.get(), SHUT_WR);
    return join();
  }
  Result<> join() {
    thread_.join();
    return ended_;
  }

 private:
  Fd ours_;
  FrameReader reader_;
  std::thread thread_;
  Result<> ended_;
};

WorkerTools tools() {
  return {.version = "0.1.0",
          .host = "n1",
          .survey = [] { return sample_snapshot("n1"); },
          .probe = [](const ProbeOrder&, const Exchange& exchange) -> Result<HalfResult> {
            const Endpoint theirs = TRY(exchange.meet({.qp_number = 1}));
            TRY(exchange.barrier("ready"));
            return HalfResult{.figures = Figures{{"peer", theirs.qp_number}}, .data_intact = true};
          },
          .read_counters =
              [count = uint64_t{0}](const ProbeOrder&) mutable {
                return CounterReading{.values = {{"c", count += 4}}, .gaps = {{GapReason::kDenied, "rdma"}}};
              }};
}

const ProbeOrder kOrder{.probe = "write_bw", .deadline_ns = 60'000'000'000};

TEST(Worker, WelcomesAndSurveys) {
  Bench bench(tools());
  EXPECT_EQ(bench.expect<Welcome>(), (Welcome{"0.1.0", "n1"}));
  bench.say(SurveyOrder{});
  EXPECT_EQ(bench.expect<Surveyed>().snapshot, sample_snapshot("n1"));
  EXPECT_TRUE(bench.end());
}

TEST(Worker, RunsAProbeBetweenTheExchangeAndTheCounters) {
  Bench bench(tools());
  bench.expect<Welcome>();
  bench.say(HalfOrder{7, kOrder});
  EXPECT_EQ(bench.expect<OwnEndpoint>(), (OwnEndpoint{7, {.qp_number = 1}}));
  bench.say(PeerEndpoint{7, {.qp_number = 2}});
  EXPECT_EQ(bench.expect<StepReached>(), (StepReached{7, "ready"}));
  bench.say(StepMet{7, "ready"});
  const auto done = bench.expect<HalfDone>();
  EXPECT_EQ(done.id, 7u);
  EXPECT_EQ(done.result.figures->at("peer"), 2);
  EXPECT_EQ(done.result.counters, (CounterDeltas{.moved = {{"c", 4}}, .missing = {"denied: rdma"}}));
}

TEST(Worker, RunsSeveralProbesAtOnce) {
  Bench bench(tools());
  bench.expect<Welcome>();
  for (uint64_t id = 1; id <= 8; ++id) bench.say(HalfOrder{id, kOrder});
  for (int i = 0; i < 8; ++i) bench.expect<OwnEndpoint>();
  for (uint64_t id = 8; id >= 1; --id) {
    bench.say(PeerEndpoint{id, {.qp_number = 2}});
    EXPECT_EQ(bench.expect<StepReached>().id, id);
    bench.say(StepMet{id, "ready"});
    EXPECT_EQ(bench.expect<HalfDone>().id, id);
  }
}

TEST(Worker, RefusesMoreProbesThanItRuns) {
  Bench bench(tools(), {.probes_at_once = 1});
  bench.expect<Welcome>();
  bench.say(HalfOrder{1, kOrder});
  bench.expect<OwnEndpoint>();
  bench.say(HalfOrder{2, kOrder});
  const auto failed = bench.expect<HalfFailed>();
  EXPECT_EQ(failed.id, 2u);
  EXPECT_EQ(failed.reason, GapReason::kNotAsked);
}

TEST(Worker, GivesUpWaitingAtTheDeadlineAndOnCancel) {
  Bench bench(tools());
  bench.expect<Welcome>();
  bench.say(HalfOrder{1, {.probe = "write_bw", .deadline_ns = 1'000'000}});
  bench.expect<OwnEndpoint>();
  EXPECT_EQ(bench.expect<HalfFailed>(),
            (HalfFailed{1, GapReason::kTimedOut, "waited in vain for the other end's endpoint"}));
  bench.say(HalfOrder{2, kOrder});
  bench.expect<OwnEndpoint>();
  bench.say(CancelHalf{2, "n2 is gone"});
  EXPECT_EQ(bench.expect<HalfFailed>(), (HalfFailed{2, GapReason::kUnreadable, "n2 is gone"}));
}

TEST(Worker, WhatAProbeOrASurveyThrowsStaysWithin) {
  WorkerTools thrown = tools();
  thrown.probe = [](const ProbeOrder&, const Exchange&) -> Result<HalfResult> { throw std::runtime_error("bad luck"); };
  thrown.survey = []() -> Snapshot { throw std::runtime_error("worse luck"); };
  Bench bench(thrown);
  bench.expect<Welcome>();
  bench.say(HalfOrder{1, kOrder});
  EXPECT_EQ(bench.expect<HalfFailed>().message, "the probe failed: bad luck");
  bench.say(SurveyOrder{});
  EXPECT_EQ(bench.join().error().message, "the survey failed: worse luck");
}

TEST(Worker, EndsAllWaitsWhenTheCoordinatorGoes) {
  Bench bench(tools());
  bench.expect<Welcome>();
  bench.say(HalfOrder{1, kOrder});
  bench.expect<OwnEndpoint>();
  EXPECT_TRUE(bench.end());
}

TEST(Worker, EndsOnBye) {
  Bench bench(tools());
  bench.expect<Welcome>();
  bench.say(Bye{});
  EXPECT_TRUE(bench.join());
}

TEST(Worker, EndsWhenToldToStop) {
  const Fd stop(::eventfd(0, EFD_CLOEXEC));
  Bench bench(tools(), {.stop = stop.get()});
  bench.expect<Welcome>();
  ASSERT_EQ(::eventfd_write(stop.get(), 1), 0);
  EXPECT_TRUE(bench.join());
}

TEST(Worker, RefusesABrokenStream) {
  Bench garbage(tools());
  garbage.write(encode_frame("{\"type\": \"song\"}"));
  const auto refused = garbage.join();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kMalformed);
  Bench twice(tools());
  twice.say(HalfOrder{1, kOrder});
  twice.say(HalfOrder{1, kOrder});
  EXPECT_THAT(twice.join().error().message, HasSubstr("probe 1 was ordered twice"));
}

TEST(Worker, AProbeThatDoesNotStopEndsTheProcess) {
  // In a child, since it takes the whole process with it.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    WorkerTools stuck = tools();
    stuck.probe = [](const ProbeOrder&, const Exchange&) -> Result<HalfResult> {
      for (;;) ::pause();
    };
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) ::_exit(1);
    const std::string order = std::string(kHello) + encode_frame(encode(ToWorker(HalfOrder{1, kOrder})));
    if (::write(fds[0], order.data(), order.size()) < 0) ::_exit(1);
    ::shutdown(fds[0], SHUT_WR);
    (void)run_worker(Fd(fds[1]), Fd(::dup(fds[1])), stuck, {.grace = 10ms});
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

}  // namespace
}  // namespace rocert
