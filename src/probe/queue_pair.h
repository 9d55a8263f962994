// A reliable connection's queue pair and its way from RESET to INIT, RTR, RTS and ERR, one function a step.
#pragma once
#include <array>
#include <cstdint>

#include "probe/verbs_objects.h"

namespace rocert {

struct QueueDepths {
  uint32_t sends = 1;
  uint32_t receives = 1;
};

// Where the packets go, as the global route header and the peer's queue pair say.
struct PeerPath {
  uint8_t port = 1;
  uint8_t gid_index = 0;  // of this end
  std::array<uint8_t, 16> gid{};
  uint32_t qp_number = 0;
  uint32_t packet_sequence = 0;  // that the peer starts from
  uint32_t mtu = 1024;           // bytes: 256, 512, 1024, 2048, 4096
  uint8_t traffic_class = 0;     // DSCP << 2 | ECN
  uint8_t hop_limit = 64;
  uint8_t rnr_timer = 12;  // 0.64 ms
};

// How long this end repeats itself before the connection fails. Finite on purpose: 7 retries are for ever on soft-RoCE,
// 7 RNR retries are for ever everywhere (InfiniBand specification, 9.7.5.2.8), and a timeout of 0 never expires.
struct Patience {
  uint8_t timeout = 14;  // 4.096 us * 2^timeout; 14 is 67 ms
  uint8_t retries = 6;
  uint8_t rnr_retries = 6;
};

Result<Owned<ibv_qp>> create_queue_pair(const Verbs& verbs, ibv_pd& domain, ibv_cq& completions, QueueDepths depths);
Result<> to_init(const Verbs& verbs, ibv_qp& pair, uint8_t port, int access);
// Resolves the peer's address: what fails here is the GID, the route or the neighbour, and the Error says which.
Result<> to_rtr(const Verbs& verbs, ibv_qp& pair, const PeerPath& path);
Result<> to_rts(const Verbs& verbs, ibv_qp& pair, uint32_t packet_sequence, const Patience& patience = {});
// Ends all traffic: what is outstanding completes as flushed.
Result<> to_error(const Verbs& verbs, ibv_qp& pair);

}  // namespace rocert
