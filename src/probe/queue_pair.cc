#include "probe/queue_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "model/rdma.h"
#include "probe/verbs_error.h"

namespace rocert {
namespace {

ibv_mtu mtu_code(uint32_t bytes) {
  switch (bytes) {
    case 4096:
      return IBV_MTU_4096;
    case 2048:
      return IBV_MTU_2048;
    case 1024:
      return IBV_MTU_1024;
    case 512:
      return IBV_MTU_512;
    default:
      return IBV_MTU_256;
  }
}

std::string object_of(const ibv_qp& pair) { return fmt::format("{} QP {}", device_name(*pair.context), pair.qp_num); }

}  // namespace

Result<Owned<ibv_qp>> create_queue_pair(const Verbs& verbs, ibv_pd& domain, ibv_cq& completions, QueueDepths depths) {
  ibv_qp_init_attr attributes{};
  attributes.send_cq = &completions;
  attributes.recv_cq = &completions;
  attributes.qp_type = IBV_QPT_RC;
  attributes.cap.max_send_wr = depths.sends;
  attributes.cap.max_recv_wr = depths.receives;
  attributes.cap.max_send_sge = 1;
  attributes.cap.max_recv_sge = 1;
  Owned<ibv_qp> pair(verbs.create_qp(&domain, &attributes), verbs.destroy_qp);
  if (!pair) {
    const int number = errno;
    return verbs_failure(fmt::format("ibv_create_qp for {} sends and {} receives", depths.sends, depths.receives),
                         device_name(*domain.context), number, memory_hint(number));
  }
  return pair;
}

Result<> to_init(const Verbs& verbs, ibv_qp& pair, uint8_t port, int access) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = port;
  attributes.qp_access_flags = static_cast<unsigned>(access);
  const int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
  if (const int result = verbs.modify_qp(&pair, &attributes, mask); result != 0) {
    return verbs_failure("ibv_modify_qp to INIT", object_of(pair), errno_of(result));
  }
  return {};
}

Result<> to_rtr(const Verbs& verbs, ibv_qp& pair, const PeerPath& path) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTR;
  attributes.path_mtu = mtu_code(path.mtu);
  attributes.dest_qp_num = path.qp_number;
  attributes.rq_psn = path.packet_sequence;
  attributes.max_dest_rd_atomic = 1;
  attributes.min_rnr_timer = path.rnr_timer;
  attributes.ah_attr.is_global = 1;
  attributes.ah_attr.port_num = path.port;
  attributes.ah_attr.grh.sgid_index = path.gid_index;
  attributes.ah_attr.grh.traffic_class = path.traffic_class;
  attributes.ah_attr.grh.hop_limit = path.hop_limit;
  std::ranges::copy(path.gid, attributes.ah_attr.grh.dgid.raw);
  const int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                   IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  if (const int result = verbs.modify_qp(&pair, &attributes, mask); result != 0) {
    const int number = errno_of(result);
    const Gid peer{.raw = path.gid};
    return verbs_failure(
        fmt::format("ibv_modify_qp to RTR (peer {}, GID index {})", to_text(peer.address()), path.gid_index),
        object_of(pair), number, path_hint(number));
  }
  return {};
}

Result<> to_rts(const Verbs& verbs, ibv_qp& pair, uint32_t packet_sequence, const Patience& patience) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = packet_sequence;
  attributes.max_rd_atomic = 1;
  attributes.timeout = patience.timeout;
  attributes.retry_cnt = patience.retries;
  attributes.rnr_retry = patience.rnr_retries;
  const int mask =
      IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY;
  if (const int result = verbs.modify_qp(&pair, &attributes, mask); result != 0) {
    return verbs_failure("ibv_modify_qp to RTS", object_of(pair), errno_of(result));
  }
  return {};
}

Result<> to_error(const Verbs& verbs, ibv_qp& pair) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_ERR;
  if (const int result = verbs.modify_qp(&pair, &attributes, IBV_QP_STATE); result != 0) {
    return verbs_failure("ibv_modify_qp to ERR", object_of(pair), errno_of(result));
  }
  return {};
}

}  // namespace rocert
