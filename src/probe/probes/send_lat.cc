// SEND latency: a ping-pong under a deadline. Completions are polled for as long as a NIC takes to answer, then slept
// for. Every message is compared with what must arrive.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <thread>

#include "base/units.h"
#include "probe/data_pattern.h"
#include "probe/traffic.h"

namespace rocert::probes {
namespace {

constexpr uint32_t kSlots = 4;            // receive buffers; two would do
constexpr uint32_t kSends = 16;           // outstanding, until their acknowledgements are seen
constexpr uint32_t kWarmUp = 100;         // round trips that are not measured, less for a short run
constexpr size_t kSampleLimit = 1 << 20;  // a run that gives more ends there
constexpr int kPollsPerYield = 64;        // two ends on one CPU must not starve each other
// Longer than a fabric's round trip. Beyond it the end sleeps: the CPU may be what the answer waits for (soft-RoCE).
constexpr std::chrono::microseconds kSpin{200};

// Memory: kSlots receive buffers, then the one that is sent from.
size_t buffer_of(const ProbeOrder& order) { return (kSlots + size_t{1}) * order.size; }

struct Arrival {
  uint32_t slot = 0;
  bool last = false;  // the sender said so
};

class Rally {
 public:
  Rally(const Verbs& verbs, const ProbeOrder& order, Connection& connection)
      : traffic_(verbs, order, connection), order_(order), connection_(connection) {}

  Result<> post_receives();
  void start(Deadline deadline) {
    deadline_ = deadline;
    fill_pattern(slot(kSlots), seed_of(connection_.mine, 0));
  }

  Result<> send(bool last);
  // The next message; fails at the deadline or after `patience` of silence.
  Result<Arrival> receive(std::chrono::nanoseconds patience);
  // Compares the message and gives its buffer back, wiped.
  Result<> recycle(const Arrival& arrival);
  // Waits until the peer has acknowledged what was sent.
  Result<> settle();

  uint64_t received() const { return received_; }
  bool is_intact() const { return !damage_; }
  std::optional<std::string> damage() const { return damage_; }
  HalfResult give_up(const Error& why) { return traffic_.give_up(why); }

 private:
  std::span<std::byte> slot(uint32_t number) const {
    return connection_.buffer.bytes().subspan(size_t{number} * order_.size, order_.size);
  }
  Result<> post_receive(uint32_t number);
  // Takes what completes next: polls until `spin` has passed, then sleeps up to `limit`.
  Result<> advance(const Deadline& spin, const Deadline& limit);
  Result<> take(std::span<const ibv_wc> completions);
  tl::unexpected<Error> silence(std::string_view why) const;

  Traffic traffic_;
  const ProbeOrder& order_;
  Connection& connection_;
  Deadline deadline_ = Deadline::in({});
  std::array<Arrival, kSlots> arrived_{};  // a ring: received_ and taken_ count through it
  uint64_t received_ = 0;
  uint64_t taken_ = 0;
  uint32_t sends_ = 0;  // not acknowledged yet
  std::optional<std::string> damage_;
};

Result<> Rally::post_receives() {
  for (uint32_t number = 0; number < kSlots; ++number) TRY(post_receive(number));
  return {};
}

Result<> Rally::post_receive(uint32_t number) {
  ibv_sge target{.addr = connection_.buffer.address() + uint64_t{number} * order_.size,
                 .length = order_.size,
                 .lkey = connection_.buffer.local_key()};
  ibv_recv_wr request{.wr_id = WorkTag{.number = number}.packed(), .next = nullptr, .sg_list = &target, .num_sge = 1};
  return traffic_.post(request);
}

Result<> Rally::send(bool last) {
  ibv_sge source{.addr = connection_.buffer.address() + uint64_t{kSlots} * order_.size,
                 .length = order_.size,
                 .lkey = connection_.buffer.local_key()};
  ibv_send_wr request{};
  request.wr_id = WorkTag{.number = kSlots}.packed();
  request.sg_list = &source;
  request.num_sge = 1;
  request.opcode = last ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;  // the immediate word marks the last message
  request.send_flags = IBV_SEND_SIGNALED;
  TRY(traffic_.post(request, 1));
  ++sends_;
  return {};
}

Result<> Rally::advance(const Deadline& spin, const Deadline& limit) {
  if (spin.passed()) return take(TRY(connection_.completions.wait(limit)));
  for (int polls = 0; polls < kPollsPerYield; ++polls) {
    if (const auto completions = TRY(connection_.completions.poll()); !completions.empty()) return take(completions);
  }
  std::this_thread::yield();
  return {};
}

Result<> Rally::take(std::span<const ibv_wc> completions) {
  TRY(traffic_.take(completions));
  for (const ibv_wc& completion : completions) {
    const WorkTag tag = WorkTag::of(completion.wr_id);
    if (tag.number == kSlots) {
      --sends_;
    } else {
      const bool last = (completion.wc_flags & IBV_WC_WITH_IMM) != 0;
      arrived_[received_++ % kSlots] = {.slot = tag.number, .last = last};
      if (completion.byte_len != order_.size && !damage_) {
        damage_ = fmt::format("message {} has {} bytes, wanted {}", received_, completion.byte_len, order_.size);
      }
    }
  }
  return {};
}

tl::unexpected<Error> Rally::silence(std::string_view why) const {
  return fail(ErrorKind::kTimeout,
              fmt::format("{}: {} messages had come, {} sent ones were not acknowledged", why, received_, sends_));
}

Result<Arrival> Rally::receive(std::chrono::nanoseconds patience) {
  const Deadline spin = Deadline::in(kSpin);
  const Deadline quiet = Deadline::in(patience);
  while (taken_ == received_ || sends_ == kSends) {
    if (deadline_.passed()) {
      return silence(fmt::format("the deadline of {} passed", to_text(std::chrono::nanoseconds(order_.deadline_ns))));
    }
    if (quiet.passed()) return silence(fmt::format("no message for {}, given up", to_text(patience)));
    TRY(advance(spin, deadline_.sooner(quiet)));
  }
  return arrived_[taken_++ % kSlots];
}

Result<> Rally::recycle(const Arrival& arrival) {
  const auto bytes = slot(arrival.slot);
  if (const auto damage = find_damage(bytes, seed_of(connection_.theirs, 0)); damage && !damage_) {
    damage_ = fmt::format("message {}: {}", taken_, *damage);
  }
  std::ranges::fill(bytes, std::byte{0});
  return post_receive(arrival.slot);
}

Result<> Rally::settle() {
  const Deadline spin = Deadline::in(kSpin);
  while (sends_ > 0) {
    if (deadline_.passed()) return silence("the last message was not acknowledged by the deadline");
    TRY(advance(spin, deadline_));
  }
  return {};
}

Result<Figures> serve(Rally& rally, const ProbeOrder& order) {
  const auto started = Deadline::Clock::now();
  std::vector<double> samples;
  const uint64_t warm_up = order.messages == 0 ? kWarmUp : std::min<uint64_t>(kWarmUp, order.messages / 10 + 1);
  const uint64_t limit = order.messages == 0 ? kSampleLimit : std::min<uint64_t>(order.messages, kSampleLimit);
  Deadline enough = Deadline::in(std::chrono::nanoseconds(order.duration_ns));
  for (uint64_t trip = 0;; ++trip) {
    if (trip == warm_up) enough = Deadline::in(std::chrono::nanoseconds(order.duration_ns));
    const bool measured = trip >= warm_up;
    const bool last = measured && (samples.size() + 1 == limit || (order.messages == 0 && enough.passed()));
    const auto sent = Deadline::Clock::now();
    TRY(rally.send(last));
    const Arrival arrival = TRY(rally.receive(std::chrono::nanoseconds(order.deadline_ns)));
    const std::chrono::duration<double, std::nano> trip_time = Deadline::Clock::now() - sent;
    if (measured) samples.push_back(trip_time.count() / 2);
    TRY(rally.recycle(arrival));
    if (last) break;
  }
  TRY(rally.settle());

  std::ranges::sort(samples);
  // Nearest rank: the smallest sample that so many are not above.
  const auto percentile = [&](double share) {
    return samples[static_cast<size_t>(std::ceil(share * static_cast<double>(samples.size()))) - 1];
  };
  const std::chrono::duration<double, std::nano> duration = Deadline::Clock::now() - started;
  return Figures{{"p50_ns", percentile(0.5)},
                 {"p99_ns", percentile(0.99)},
                 {"max_ns", samples.back()},
                 {"messages", static_cast<double>(samples.size())},
                 {"duration_ns", duration.count()}};
}

Result<Figures> answer(Rally& rally, const ProbeOrder& order) {
  for (;;) {
    const Arrival arrival = TRY(rally.receive(longest_silence(order)));
    TRY(rally.send(arrival.last));
    TRY(rally.recycle(arrival));
    if (arrival.last) break;
  }
  TRY(rally.settle());
  return Figures{{"messages", static_cast<double>(rally.received())}};
}

Result<HalfResult> run(const Verbs& verbs, const ProbeOrder& order, const Exchange& exchange) {
  TRY(check_order(order));
  auto connection = TRY(prepare(verbs, order, {.buffer = buffer_of(order), .depths = {kSends, kSlots}}));
  Rally rally(verbs, order, connection);
  TRY(rally.post_receives());  // before the other end may send
  TRY(connect(verbs, order, exchange, connection));
  rally.start(Deadline::in(std::chrono::nanoseconds(order.deadline_ns)));

  const auto figures = order.side == Side::kActive ? serve(rally, order) : answer(rally, order);
  HalfResult half = figures ? HalfResult{.figures = *figures, .data_intact = rally.is_intact(), .mtu = connection.mtu}
                            : rally.give_up(figures.error());
  if (const auto damage = rally.damage()) {
    half.errors.push_back(fmt::format("{}: data arrived that was not sent: {}", name_of(order), *damage));
  }
  // Reached in any case: the queue pair must live until the other end has its acknowledgements.
  if (const auto met = exchange.barrier("done"); !met) {
    half.errors.push_back(fmt::format("{}: the other end did not finish: {}", name_of(order), met.error().message));
  }
  return half;
}

}  // namespace

extern constinit const Probe send_lat{
    .page =
        {.code = "send_lat",
         .title = "SEND latency between two ports, half of the round trip, with the data checked",
         .why = "Small collectives wait for the slowest round trip. A median above the others shows a longer or slower "
                "path; a 99th percentile far above the median shows retransmissions, pauses, power saving or a busy "
                "CPU.",
         .remedy = "High in all of the end's pairs: CPU governor, idle states, interrupt moderation, PCIe and NUMA of "
                   "the host. High in one: the path. With loss counters growing, find the loss first. Repeat by hand "
                   "with ib_send_lat -d DEVICE -x GID_INDEX --tclass=BYTE.",
         .source = "InfiniBand Architecture Specification 9.7; rdma-core libibverbs/man"},
    .run = run};

}  // namespace rocert::probes
