// What holds for a NIC that no file here knows: it is read by the standard interfaces and never written.
#include <algorithm>

#include "survey/driver.h"

namespace rocert::drivers {
namespace {

constexpr CounterFact kCounters[] = {
    {"*out_of_sequence*", CounterMeaning::kLoss, "packets arrived out of order: one was lost or overtaken"},
    {"*out_of_seq*", CounterMeaning::kLoss, "packets arrived out of order: one was lost or overtaken"},
    {"*seq_err*", CounterMeaning::kLoss, "the other end reported a missing packet"},
    {"*retransmit*", CounterMeaning::kLoss, "packets were sent again"},
    {"*timeout_err*", CounterMeaning::kLoss, "no acknowledgement came in time"},
    {"*rnr*", CounterMeaning::kReceiverNotReady, "the receiver had no buffer posted: software, not the network"},
    {"*out_of_buffer*", CounterMeaning::kReceiverNotReady,
     "the receiver had no buffer posted: software, not the network"},
    {"*ecn*", CounterMeaning::kCongestion, "packets came marked by a congested switch"},
    {"*cnp*", CounterMeaning::kCongestion, "congestion notifications went or came"},
    {"*pause*", CounterMeaning::kPause, "pause frames went or came"},
    {"*pfc*", CounterMeaning::kPause, "priority pause frames went or came"},
    {"*crc*", CounterMeaning::kError, "frames arrived damaged: cable, optic or connector"},
    {"*symbol_err*", CounterMeaning::kError, "the line carried symbols that are none: cable, optic or connector"},
    {"*discard*", CounterMeaning::kLoss, "packets were dropped by the NIC"},
    {"*drop*", CounterMeaning::kLoss, "packets were dropped by the NIC"},
};

std::string_view word_of_selector(uint8_t selector) {
  return selector == kAppDscp ? "dscp" : selector == kAppPcp ? "pcp" : "";
}

// By the kernel's trust order (dcb apptrust): the first of the two that it names. Entries in the APP table alone prove
// nothing: drivers differ in whether an entry makes the hardware look at the DSCP.
Observed<std::string> trust(const Member& member) {
  if (!member.dcb) return tl::unexpected<Gap>(member.dcb.error());
  if (!member.dcb->trust_order) {
    const auto& apps = member.dcb->apps;
    const auto entries = std::count_if(apps.begin(), apps.end(), [](const App& a) { return a.selector == kAppDscp; });
    return gap(GapReason::kNotSupported, member.netdev + ": no trust order (dcb apptrust), " + std::to_string(entries) +
                                             " DSCP entries in the APP table");
  }
  for (const uint8_t selector : *member.dcb->trust_order) {
    if (const auto word = word_of_selector(selector); !word.empty()) return std::string(word);
  }
  return std::string("none");
}

}  // namespace

extern constinit const Driver generic = {
    .page = {.code = "generic",
             .title = "A NIC without a driver file",
             .why =
                 "Its DCB, pause, FEC, link and counters are read by the kernel's standard interfaces. What the\n"
                 "standard leaves open is not guessed: whether a DSCP entry makes the hardware trust the DSCP is told\n"
                 "only where the driver offers the kernel's trust order. Counters are named by their usual words.",
             .remedy = "Set it with the vendor's own tool; rocert writes only what it can read back.",
             .source = "net/dcb/dcbnl.c; iproute2 dcb-apptrust(8); Documentation/ABI/stable/sysfs-class-infiniband"},
    .facts = {.module = "generic", .supports_pfc = false, .trust = trust, .counters = kCounters},
};

}  // namespace rocert::drivers
