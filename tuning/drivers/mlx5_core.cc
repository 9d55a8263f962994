// NVIDIA ConnectX-4 and later, BlueField: mlx5_core for the netdev, mlx5_ib for RDMA; inbox and OFED.
#include <algorithm>

#include "base/text.h"
#include "survey/driver.h"

namespace rocert::drivers {
namespace {

// RDMA counters by drivers/infiniband/hw/mlx5/counters.c, the port's by
// Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst. The first match counts.
constexpr CounterFact kCounters[] = {
    // RDMA: loss
    {"out_of_sequence", CounterMeaning::kLoss, "packets arrived out of order: one was lost or overtaken"},
    {"packet_seq_err", CounterMeaning::kLoss, "the other end reported a missing packet"},
    {"implied_nak_seq_err", CounterMeaning::kLoss, "an acknowledgement implied a missing packet"},
    {"local_ack_timeout_err", CounterMeaning::kLoss, "no acknowledgement came in time"},
    {"duplicate_request", CounterMeaning::kLoss, "the other end sent again what had arrived"},
    {"roce_adp_retrans*", CounterMeaning::kLoss, "packets were sent again by adaptive retransmission"},
    {"req_transport_retries_exceeded", CounterMeaning::kLoss, "a connection gave up: its retries are used up"},
    // RDMA: receiver not ready
    {"rnr_nak_retry_err", CounterMeaning::kReceiverNotReady, "the other end had no buffer posted: software"},
    {"req_rnr_retries_exceeded", CounterMeaning::kReceiverNotReady, "a connection gave up waiting for a buffer"},
    {"out_of_buffer", CounterMeaning::kReceiverNotReady, "this end had no buffer posted: software"},
    {"rx_out_of_buffer", CounterMeaning::kReceiverNotReady, "the netdev's ring was empty: software"},
    {"dev_out_of_buffer", CounterMeaning::kReceiverNotReady, "the device had no receive buffer: software"},
    // RDMA: congestion
    {"np_ecn_marked_roce_packets", CounterMeaning::kCongestion, "RoCE packets came marked by a congested switch"},
    {"np_cnp_sent", CounterMeaning::kCongestion, "congestion notifications sent for marked packets"},
    {"rp_cnp_handled", CounterMeaning::kCongestion, "congestion notifications slowed a sender here"},
    {"rp_cnp_ignored", CounterMeaning::kCongestion,
     "notifications came for a priority or queue without congestion control"},
    {"roce_slow_restart*", CounterMeaning::kCongestion, "an idle connection started slowly"},
    {"cc_*_pkts", CounterMeaning::kCongestion, "marked packets or notifications (optional counters)"},
    // RDMA: errors and activity
    {"rx_icrc_encapsulated", CounterMeaning::kError,
     "RoCE packets arrived with a wrong checksum: corrupted on the way"},
    {"*_remote_access_errors", CounterMeaning::kError, "a request for memory that it may not reach: software"},
    {"*_cqe_error", CounterMeaning::kError, "work completed with an error"},
    {"*_cqe_flush_error", CounterMeaning::kActivity, "work was flushed when a connection closed"},
    {"resp_local_length_error", CounterMeaning::kError, "a message was longer than its buffer: software"},
    {"req_remote_invalid_request", CounterMeaning::kError, "the other end called a request invalid: software"},
    {"rx_*_requests", CounterMeaning::kActivity, "requests received"},
    {"rx_dct_connect", CounterMeaning::kActivity, "dynamically connected requests"},
    {"*_vport_rdma_*", CounterMeaning::kActivity, "RDMA packets or bytes"},
    {"rdma_?x_*", CounterMeaning::kActivity, "RDMA packets or bytes (optional counters)"},
    // Port: pause
    {"tx_pause_storm_error_events", CounterMeaning::kError,
     "pause lasted so long that the NIC gave it up; drops follow"},
    {"tx_pause_storm_warning_events", CounterMeaning::kPause,
     "this host paused the switch for long: it does not keep up"},
    {"*_pause_duration", CounterMeaning::kPause, "microseconds spent paused"},
    {"*_pause_transition", CounterMeaning::kPause, "changes from running to paused"},
    {"?x_prio?_pause", CounterMeaning::kPause, "priority pause frames"},
    {"?x_global_pause*", CounterMeaning::kPause, "802.3x pause frames: they stop every priority"},
    {"?x_pause_ctrl_phy", CounterMeaning::kPause, "pause frames of every kind on the wire"},
    // Port: drops
    {"rx_prio?_discards", CounterMeaning::kLoss,
     "packets of the priority dropped: a fault on a lossless one, congestion on others"},
    {"rx_prio?_buf_discard", CounterMeaning::kLoss, "packets of the priority dropped for want of buffer"},
    {"rx_prio?_cong_discard", CounterMeaning::kLoss, "packets of the priority dropped by congestion"},
    {"rx_prio?_marked", CounterMeaning::kCongestion, "packets of the priority marked for congestion"},
    {"rx_discards_phy", CounterMeaning::kLoss, "packets dropped on arrival for want of buffer"},
    {"tx_discards_phy", CounterMeaning::kLoss, "packets dropped before leaving"},
    {"rx_steer_missed_packets", CounterMeaning::kLoss, "packets that no steering rule took"},
    {"rx_oversize_pkts_phy", CounterMeaning::kError, "frames longer than the MTU here: the neighbour's is larger"},
    {"rx_buffer_passed_thres_phy", CounterMeaning::kCongestion, "the receive buffer passed 85 %"},
    // Port: line and PCIe
    {"rx_crc_errors_phy", CounterMeaning::kError, "frames arrived damaged: cable, optic or connector"},
    {"rx_symbol_err_phy", CounterMeaning::kError, "line errors beyond repair: cable, optic or connector"},
    {"rx_pcs_symbol_err_phy", CounterMeaning::kError, "line errors beyond repair: cable, optic or connector"},
    {"rx_err_lane_*_phy", CounterMeaning::kError, "errors of one lane"},
    {"rx_corrected_bits_phy", CounterMeaning::kActivity, "bits that FEC repaired: normal at 100G and above"},
    {"link_down_events_phy", CounterMeaning::kError, "the link went down"},
    {"module_*", CounterMeaning::kError, "the optic was pulled, ran hot or failed"},
    {"?x_pci_signal_integrity", CounterMeaning::kError, "PCIe errors: slot, riser or board"},
    {"outbound_pci_stalled_*", CounterMeaning::kCongestion, "the NIC waited for PCIe or memory"},
    {"outbound_pci_buffer_overflow", CounterMeaning::kLoss, "packets dropped while PCIe or memory was too slow"},
};

constexpr std::string_view kDeviations[] = {
    "trust has no setting of its own inbox: the first DSCP entry makes it dscp, removing the last makes it pcp "
    "(drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c)",
    "the kernel's table mirrors the hardware's map only where trust was dscp when the driver loaded: one entry added "
    "by hand leaves the other 63 at the firmware's values (dscp / 8), unseen (en_dcbnl.c, mlx5e_dcbnl_dscp_app)",
    "one priority per DSCP: adding an entry replaces the one before; a removed DSCP falls to priority 0 (en_dcbnl.c)",
    "a change of PFC toggles the link and clears global pause (en_dcbnl.c, mlx5e_dcbnl_ieee_setpfc)",
    "the PFC delay is the cable's length in metres, 1 to 999 (en/port_buffer.c)",
    "ETS bandwidths must sum to 100; default classes swap priorities 0 and 1 (en_dcbnl.c)",
    "virtual functions and subfunctions have no DCB (en_dcbnl.c, mlx5e_dcbnl_build_netdev)",
    "per-priority pause counters exist only while that priority pauses (en_stats.c)",
    "RDMA error counters are 32 bits wide and wrap (drivers/infiniband/hw/mlx5/counters.c)",
    "802.3x pause cannot be negotiated: autoneg on is refused (en_ethtool.c)",
};

constexpr Fact kReads[] = {
    {.key = "mlx5.trust", .scope = Scope::kMember, .path = "/sys/class/net/{netdev}/qos/trust", .limit = 64},
};

bool has_dscp_entry(const Dcb& dcb) {
  return std::any_of(dcb.apps.begin(), dcb.apps.end(), [](const App& app) { return app.selector == kAppDscp; });
}

// OFED says it in a file. Inbox, the entries of the kernel's table are the trust: any DSCP entry is dscp. That there is
// none means pcp only where the file is known not to exist.
Observed<std::string> trust(const Member& member) {
  const auto file = find_fact(member.facts, "mlx5.trust");
  if (file) {
    if (*file == "dscp" || *file == "pcp") return file;
    return gap(GapReason::kMalformed,
               "qos/trust of " + member.netdev + ": seen \"" + escaped(*file, 40) + "\", wanted dscp or pcp");
  }
  if (!member.dcb) return tl::unexpected<Gap>(member.dcb.error());
  if (has_dscp_entry(*member.dcb)) return std::string("dscp");
  if (file.error().reason != GapReason::kAbsent) return file;
  return std::string("pcp");
}

}  // namespace

extern constinit const Driver mlx5_core = {
    .page =
        {.code = "mlx5_core",
         .title = "NVIDIA ConnectX-4 and later, BlueField",
         .why = "A port trusts either the DSCP of a packet or its VLAN priority. Trusting the VLAN priority, untagged\n"
                "RoCE v2 rides priority 0 whatever its DSCP says, and PFC on priority 3 never engages.",
         .remedy = "Inbox driver: add all 64 DSCP entries, e.g. dcb app add dev eth2 dscp-prio 26:3; the first one\n"
                   "switches trust to dscp. With OFED: mlnx_qos -i eth2 --trust dscp",
         .source = "drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c; MLNX_OFED en_sysfs.c (qos/trust)"},
    .facts = {.module = "mlx5_core",
              .rdma_module = "mlx5_ib",
              .supports_pfc = true,
              .trust = trust,
              .counters = kCounters,
              .deviations = kDeviations},
    .reads = kReads,
};

}  // namespace rocert::drivers
