// RDMA WRITE bandwidth: the active end keeps `depth` messages outstanding and sleeps between completions. At the end it
// writes every slot once more with new data, which the passive end compares.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "probe/data_pattern.h"
#include "probe/traffic.h"

namespace rocert::probes {
namespace {

constexpr size_t kBufferLimit = size_t{4} << 20;  // within the usual memlock limit of 8 MiB

enum Part : uint64_t { kMeasured = 1, kChecked = 2 };

// Messages are written to and from so many places in turn; both ends tell it from the order.
uint32_t slots_of(const ProbeOrder& order) {
  return static_cast<uint32_t>(std::clamp<size_t>(kBufferLimit / order.size, 1, order.depth));
}

// One completion a batch: four batches keep the queue filled while one of them is being looked at.
uint32_t batch_of(const ProbeOrder& order) { return std::max(order.depth / 4, 1u); }

class Writer {
 public:
  Writer(const Verbs& verbs, const ProbeOrder& order, Connection& connection, Deadline deadline)
      : traffic_(verbs, order, connection),
        order_(order),
        connection_(connection),
        deadline_(deadline),
        requests_(batch_of(order)),
        sources_(batch_of(order)) {}

  // Writes `messages`, or when that is 0 until `enough` has passed, a batch at least; returns when all are
  // acknowledged.
  Result<Figures> write(uint64_t messages, Deadline enough);
  HalfResult give_up(const Error& why) { return traffic_.give_up(why); }

 private:
  Result<> post(uint64_t first, uint32_t count);

  Traffic traffic_;
  const ProbeOrder& order_;
  Connection& connection_;
  Deadline deadline_;
  std::vector<ibv_send_wr> requests_;
  std::vector<ibv_sge> sources_;
};

Result<> Writer::post(uint64_t first, uint32_t count) {
  const uint32_t slots = slots_of(order_);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t offset = (first + i) % slots * order_.size;
    const bool last = i + 1 == count;
    sources_[i] = {
        .addr = connection_.buffer.address() + offset, .length = order_.size, .lkey = connection_.buffer.local_key()};
    ibv_send_wr& request = requests_[i] = {};
    request.wr_id = WorkTag{.messages = last ? count : 0}.packed();
    request.next = last ? nullptr : &requests_[i + 1];
    request.sg_list = &sources_[i];
    request.num_sge = 1;
    request.opcode = IBV_WR_RDMA_WRITE;
    request.send_flags = last ? unsigned{IBV_SEND_SIGNALED} : 0u;
    request.wr.rdma.remote_addr = connection_.theirs.address + offset;
    request.wr.rdma.rkey = connection_.theirs.key;
  }
  return traffic_.post(requests_.front(), count);
}

Result<Figures> Writer::write(uint64_t messages, Deadline enough) {
  const auto first_post = Deadline::Clock::now();
  auto last_completion = first_post;
  uint64_t posted = 0;
  uint64_t completed = 0;
  for (;;) {
    const bool more = messages == 0 ? posted == 0 || !enough.passed() : posted < messages;
    const uint64_t wanted = messages == 0 ? batch_of(order_) : std::min<uint64_t>(batch_of(order_), messages - posted);
    if (more && traffic_.outstanding() + wanted <= order_.depth) {
      TRY(post(posted, static_cast<uint32_t>(wanted)));
      posted += wanted;
      continue;
    }
    if (traffic_.outstanding() == 0) break;
    const auto completions = TRY(connection_.completions.wait(deadline_));
    if (completions.empty()) {
      return fail(ErrorKind::kTimeout,
                  fmt::format("the deadline of {} passed with {} of {} messages not acknowledged",
                              to_text(std::chrono::nanoseconds(order_.deadline_ns)), traffic_.outstanding(), posted));
    }
    last_completion = Deadline::Clock::now();
    TRY(traffic_.take(completions));
    for (const ibv_wc& completion : completions) completed += WorkTag::of(completion.wr_id).messages;
  }
  const double bytes = static_cast<double>(completed) * order_.size;
  const double nanoseconds =
      std::max(1.0, std::chrono::duration<double, std::nano>(last_completion - first_post).count());
  return Figures{{"bits_per_second", bytes * 8e9 / nanoseconds},
                 {"bytes", bytes},
                 {"messages", static_cast<double>(completed)},
                 {"duration_ns", nanoseconds}};
}

// The last round: new data into every slot.
Result<Figures> check(Writer& writer, const ProbeOrder& order, Connection& connection) {
  fill_pattern(connection.buffer.bytes(), seed_of(connection.mine, kChecked));
  return writer.write(slots_of(order), Deadline::in({}));
}

Result<HalfResult> write_actively(const Verbs& verbs, const ProbeOrder& order, const Exchange& exchange,
                                  Connection& connection) {
  if (connection.theirs.length < connection.mine.length) {
    return fail(ErrorKind::kMalformed, fmt::format("the other end offers {} bytes, wanted {}: its order differs",
                                                   connection.theirs.length, connection.mine.length));
  }
  Writer writer(verbs, order, connection, Deadline::in(std::chrono::nanoseconds(order.deadline_ns)));
  fill_pattern(connection.buffer.bytes(), seed_of(connection.mine, kMeasured));
  const auto measured = writer.write(order.messages, Deadline::in(std::chrono::nanoseconds(order.duration_ns)));
  const auto checked = measured ? check(writer, order, connection) : measured;

  HalfResult half = checked ? HalfResult{.figures = *measured, .data_intact = true, .mtu = connection.mtu}
                            : writer.give_up(checked.error());
  // Reached in any case: the passive end waits there.
  if (const auto met = exchange.barrier("written"); !met) {
    half.data_intact = false;
    half.errors.push_back(
        fmt::format("{}: the passive end did not confirm the data: {}", name_of(order), met.error().message));
  }
  return half;
}

Result<HalfResult> receive_passively(const ProbeOrder& order, const Exchange& exchange, const Connection& connection) {
  HalfResult half{.mtu = connection.mtu};
  if (const auto met = exchange.barrier("written"); !met) {
    half.figures = tl::unexpected(gap_for(met.error()));
    half.errors.push_back(fmt::format("{}: the active end did not finish: {}", name_of(order), met.error().message));
    return half;
  }
  const auto damage = find_damage(connection.buffer.bytes(), seed_of(connection.theirs, kChecked));
  half.figures = Figures{{"bytes_checked", static_cast<double>(connection.buffer.bytes().size())}};
  half.data_intact = !damage;
  if (damage) {
    half.errors.push_back(fmt::format(
        "{}: the data of the last round is not what was sent: {} (as expected if the active end reports that its "
        "traffic failed)",
        name_of(order), *damage));
  }
  return half;
}

Result<HalfResult> run(const Verbs& verbs, const ProbeOrder& order, const Exchange& exchange) {
  TRY(check_order(order));
  const Capacity capacity{.buffer = size_t{slots_of(order)} * order.size, .depths = {.sends = order.depth}};
  auto connection = TRY(prepare(verbs, order, capacity));
  TRY(connect(verbs, order, exchange, connection));
  return order.side == Side::kActive ? write_actively(verbs, order, exchange, connection)
                                     : receive_passively(order, exchange, connection);
}

}  // namespace

extern constinit const Probe write_bw{
    .page =
        {.code = "write_bw",
         .title = "RDMA WRITE bandwidth between two ports, with the data checked",
         .why = "Training moves its gradients by RDMA WRITE. A pair well below the others, or below what the line "
                "gives, slows every step of the whole job: a bad cable or optic, a lossy priority, a wrong MTU, a PCIe "
                "link that trained down, or a congested path. Data that does not arrive as it was sent is worse.",
         .remedy = "Compare the end's other pairs first: slow in all of them is the host (counters, FEC, PCIe width, "
                   "MTU, PFC), slow in one is the path (switch ports, ECMP, cabling). RETRY_EXC_ERR means that "
                   "packets are lost for good. Repeat by hand with ib_write_bw -d DEVICE -x GID_INDEX --tclass=BYTE.",
         .source = "InfiniBand Architecture Specification 9.7; rdma-core libibverbs/man"},
    .run = run};

}  // namespace rocert::probes
