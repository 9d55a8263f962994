#include "probe/connection.h"

#include <fmt/format.h>

#include <random>

#include "base/text.h"
#include "base/units.h"
#include "model/rdma.h"
#include "probe/gid_table.h"
#include "probe/verbs_error.h"

namespace rocert {
namespace {

constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
constexpr uint32_t kSequenceMask = 0xffffff;  // packet sequence and queue pair numbers have 24 bits
constexpr uint32_t kSizeLimit = 1u << 28;     // the standard allows 2 GiB a message; buffers must fit into memory
constexpr uint32_t kDepthLimit = 1u << 14;
constexpr uint64_t kDeadlineLimit = 3'600'000'000'000;  // an hour

constexpr bool is_mtu(uint32_t bytes) {
  return bytes == 256 || bytes == 512 || bytes == 1024 || bytes == 2048 || bytes == 4096;
}

tl::unexpected<Error> refuse(const ProbeOrder& order, std::string_view what, uint64_t seen, std::string_view wanted) {
  return fail(ErrorKind::kUsage,
              fmt::format("order for {}: {} is {}, wanted {}", escaped(order.probe), what, seen, wanted));
}

uint32_t mtu_bytes(ibv_mtu code) {
  return code >= IBV_MTU_256 && code <= IBV_MTU_4096 ? 128u << static_cast<unsigned>(code) : 0;
}

struct PortState {
  uint32_t mtu = 0;
  uint32_t gids = 0;
};

Result<PortState> read_port(const Verbs& verbs, ibv_context& device, const ProbeOrder& order) {
  const std::string where = fmt::format("{} port {}", device_name(device), order.self.rdma_port);
  ibv_port_attr attributes{};
  const int result = query_port(verbs, &device, static_cast<uint8_t>(order.self.rdma_port), attributes);
  if (result != 0) return verbs_failure("ibv_query_port", where, errno_of(result));
  if (attributes.link_layer == IBV_LINK_LAYER_INFINIBAND) {
    return fail(ErrorKind::kSystem, fmt::format("{} is an InfiniBand port: RoCE wants Ethernet", where));
  }
  if (attributes.state != IBV_PORT_ACTIVE) {
    return fail(
        ErrorKind::kSystem,
        fmt::format("{} is not active (state {}, wanted {} ACTIVE): look at the link of {} (ip link show, ethtool)",
                    where, static_cast<int>(attributes.state), static_cast<int>(IBV_PORT_ACTIVE),
                    escaped(order.self.netdev)));
  }
  const uint32_t active = mtu_bytes(attributes.active_mtu);
  if (active == 0) {
    return fail(ErrorKind::kSystem,
                fmt::format("{} tells no usable active MTU (code {})", where, static_cast<int>(attributes.active_mtu)));
  }
  return PortState{.mtu = order.mtu == 0 ? active : std::min(active, order.mtu),
                   .gids = static_cast<uint32_t>(std::max(attributes.gid_tbl_len, 0))};
}

Result<> check_peer(const Endpoint& theirs) {
  if (is_mtu(theirs.mtu) && theirs.qp_number <= kSequenceMask && theirs.packet_sequence <= kSequenceMask) return {};
  return fail(ErrorKind::kMalformed,
              fmt::format("the other end offers MTU {}, QP {}, packet sequence {}: no such connection exists",
                          theirs.mtu, theirs.qp_number, theirs.packet_sequence));
}

}  // namespace

Result<> check_order(const ProbeOrder& order) {
  if (order.size < 1 || order.size > kSizeLimit) return refuse(order, "size", order.size, "1 byte to 256 MiB");
  if (order.depth < 1 || order.depth > kDepthLimit) return refuse(order, "depth", order.depth, "1 to 16384");
  if (order.mtu != 0 && !is_mtu(order.mtu)) return refuse(order, "mtu", order.mtu, "256, 512, 1024, 2048 or 4096");
  if (order.traffic_class > 255) return refuse(order, "traffic_class", order.traffic_class, "one byte");
  if (order.self.rdma_port < 1 || order.self.rdma_port > 255) {
    return refuse(order, "rdma_port", order.self.rdma_port, "1 to 255");
  }
  if (order.timeout < 1 || order.timeout > 31) {
    return refuse(order, "timeout", order.timeout, "1 to 31: 0 would wait for ever");
  }
  if (order.retries > 6) return refuse(order, "retries", order.retries, "0 to 6: 7 would be for ever on soft-RoCE");
  if (order.deadline_ns < 1 || order.deadline_ns > kDeadlineLimit) {
    return refuse(order, "deadline_ns", order.deadline_ns, "more than 0 and at most an hour");
  }
  if (order.messages == 0 && (order.duration_ns < 1 || order.duration_ns >= order.deadline_ns)) {
    return refuse(order, "duration_ns", order.duration_ns,
                  "more than 0 and less than deadline_ns, as no count is given");
  }
  return {};
}

Result<Connection> prepare(const Verbs& verbs, const ProbeOrder& order, const Capacity& capacity) {
  auto device = TRY(open_device(verbs, order.self.rdma_device));
  const PortState port = TRY(read_port(verbs, *device, order));
  const GidChoice gid = TRY(find_gid(verbs, *device, order.self, port.gids));
  auto domain = TRY(allocate_domain(verbs, *device));
  auto buffer = TRY(Buffer::create(verbs, *domain, capacity.buffer, kAccess));
  auto completions = TRY(CompletionQueue::create(verbs, *device, capacity.depths.sends + capacity.depths.receives + 1));
  auto pair = TRY(create_queue_pair(verbs, *domain, completions.queue(), capacity.depths));
  TRY(to_init(verbs, *pair, static_cast<uint8_t>(order.self.rdma_port), kAccess));

  const Endpoint mine{.qp_number = pair->qp_num,
                      .packet_sequence = static_cast<uint32_t>(std::random_device()()) & kSequenceMask,
                      .gid = gid.gid,
                      .address = buffer.address(),
                      .key = buffer.remote_key(),
                      .length = static_cast<uint32_t>(capacity.buffer),
                      .mtu = port.mtu};
  return Connection{.device = std::move(device),
                    .domain = std::move(domain),
                    .buffer = std::move(buffer),
                    .completions = std::move(completions),
                    .pair = std::move(pair),
                    .gid_index = static_cast<uint8_t>(gid.index),
                    .mine = mine,
                    .theirs = {},
                    .mtu = 0};
}

Result<> connect(const Verbs& verbs, const ProbeOrder& order, const Exchange& exchange, Connection& connection) {
  const Endpoint theirs = TRY(exchange.meet(connection.mine));
  TRY(check_peer(theirs));
  connection.theirs = theirs;
  connection.mtu = std::min(connection.mine.mtu, theirs.mtu);
  TRY(to_rtr(verbs, *connection.pair,
             {.port = static_cast<uint8_t>(order.self.rdma_port),
              .gid_index = connection.gid_index,
              .gid = theirs.gid,
              .qp_number = theirs.qp_number,
              .packet_sequence = theirs.packet_sequence,
              .mtu = connection.mtu,
              .traffic_class = static_cast<uint8_t>(order.traffic_class)}));
  TRY(to_rts(verbs, *connection.pair, connection.mine.packet_sequence,
             {.timeout = static_cast<uint8_t>(order.timeout), .retries = static_cast<uint8_t>(order.retries)}));
  return exchange.barrier("ready");
}

std::chrono::nanoseconds longest_silence(const ProbeOrder& order) {
  const std::chrono::nanoseconds timeout(uint64_t{4096} << std::min(order.timeout, 31u));
  return 4 * timeout * (std::min(order.retries, 7u) + 1) + std::chrono::seconds(1);
}

std::string name_of(const ProbeOrder& order) {
  return fmt::format("{} {} ({})", escaped(order.self.host), escaped(order.self.rdma_device), word_of(order.side));
}

uint64_t seed_of(const Endpoint& sender, uint64_t part) {
  return (uint64_t{sender.packet_sequence} << 32 | sender.qp_number) ^ (part << 56);
}

}  // namespace rocert
