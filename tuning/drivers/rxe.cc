// Soft-RoCE, the kernel's own RoCE v2 over any netdev: for labs and tests.
#include "survey/driver.h"

namespace rocert::drivers {
namespace {

constexpr CounterFact kCounters[] = {
    {"out_of_seq_request", CounterMeaning::kLoss, "requests arrived out of order: one was lost or overtaken"},
    {"rcvd_seq_err", CounterMeaning::kLoss, "the other end reported a missing packet"},
    {"duplicate_request", CounterMeaning::kLoss,
     "the other end sent again what had arrived: its acknowledgement was lost"},
    {"completer_retry_err", CounterMeaning::kLoss, "requests were sent again after a time-out or a reported gap"},
    {"retry_exceeded_err", CounterMeaning::kLoss, "a connection gave up: nothing was acknowledged within its retries"},
    {"rcvd_rnr_err", CounterMeaning::kReceiverNotReady,
     "the other end had no buffer posted: software, not the network"},
    {"send_rnr_err", CounterMeaning::kReceiverNotReady, "this end had no buffer posted: software, not the network"},
    {"retry_rnr_exceeded_err", CounterMeaning::kReceiverNotReady, "a connection gave up waiting for a posted buffer"},
    {"send_err", CounterMeaning::kError, "a packet could not be handed to the netdev"},
    {"link_downed", CounterMeaning::kError, "the netdev went down"},
    {"ack_deferred", CounterMeaning::kActivity, "acknowledgements were put off while work went on"},
    {"sent_*", CounterMeaning::kActivity, "packets or bytes sent"},
    {"rcvd_*", CounterMeaning::kActivity, "packets or bytes received"},
    {"rdma_*", CounterMeaning::kActivity, "sends or receives completed"},
};

constexpr std::string_view kDeviations[] = {
    "no congestion control: ECN marks are ignored and no CNP is sent (drivers/infiniband/sw/rxe)",
    "ports/P/counters does not exist; hw_counters has packets and errors (drivers/infiniband/sw/rxe/rxe_verbs.c)",
    "a retry count of 7 means for ever: a black hole then never fails (drivers/infiniband/sw/rxe/rxe_comp.c)",
    "DCB, pause and FEC are those of the netdev below; a virtual netdev has none (net/dcb/dcbnl.c)",
};

}  // namespace

extern constinit const Driver rxe = {
    .page = {.code = "rxe",
             .title = "Soft-RoCE (rdma_rxe)",
             .why = "RoCE v2 done by the CPU over any netdev. Its packets, GIDs, MTU rules and connection states are\n"
                    "real, so that addressing, marking and reachability are proven with it; its speed proves nothing.",
             .remedy = "rdma link add rxe0 type rxe netdev eth0",
             .source = "drivers/infiniband/sw/rxe/rxe_hw_counters.c"},
    .facts = {.module = "rxe", .rdma_module = "rdma_rxe", .counters = kCounters, .deviations = kDeviations},
};

}  // namespace rocert::drivers
