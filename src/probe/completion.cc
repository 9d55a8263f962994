#include "probe/completion.h"

#include <fmt/format.h>

namespace rocert {
namespace {

std::string head(ibv_wc_status status, uint64_t count, uint32_t vendor) {
  const std::string vendor_text = vendor == 0 ? "" : fmt::format(", vendor error {:#x}", vendor);
  return fmt::format("{} ({}{}), {} message{}", meaning_of(status).name, static_cast<int>(status), vendor_text, count,
                     count == 1 ? "" : "s");
}

}  // namespace

StatusMeaning meaning_of(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS:
      return {"SUCCESS", "done"};
    case IBV_WC_LOC_LEN_ERR:
      return {"LOC_LEN_ERR", "a message was longer than the receive buffer: the two ends disagree on the size"};
    case IBV_WC_LOC_QP_OP_ERR:
      return {"LOC_QP_OP_ERR", "this end's queue pair could not do the operation"};
    case IBV_WC_LOC_PROT_ERR:
      return {"LOC_PROT_ERR", "this end's memory is not registered for the operation"};
    case IBV_WC_WR_FLUSH_ERR:
      return {"WR_FLUSH_ERR", "given up because the connection had failed or was ended"};
    case IBV_WC_REM_INV_REQ_ERR:
      return {"REM_INV_REQ_ERR", "the peer refused the request as invalid: message too long, or MTU not as agreed"};
    case IBV_WC_REM_ACCESS_ERR:
      return {"REM_ACCESS_ERR", "the peer refused access to its memory: wrong key, address or rights"};
    case IBV_WC_REM_OP_ERR:
      return {"REM_OP_ERR", "the peer failed to complete the operation"};
    case IBV_WC_RETRY_EXC_ERR:
      return {
          "RETRY_EXC_ERR",
          "no acknowledgement in all retries: packets or their acknowledgements are lost, an MTU on the path is too "
          "small, the priority is paused for good, or the peer's queue pair is gone"};
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return {"RNR_RETRY_EXC_ERR", "the peer had no receive buffer ready in all retries: its process is stalled"};
    case IBV_WC_REM_ABORT_ERR:
      return {"REM_ABORT_ERR", "the peer aborted the operation"};
    case IBV_WC_FATAL_ERR:
      return {"FATAL_ERR", "the device failed: look at the kernel log of this host"};
    case IBV_WC_RESP_TIMEOUT_ERR:
      return {"RESP_TIMEOUT_ERR", "the peer's answer did not come in time"};
    case IBV_WC_GENERAL_ERR:
      return {"GENERAL_ERR", "the device reports an error that the standard has no name for"};
    default:
      return {"UNKNOWN", "a completion status that is not known"};
  }
}

void Failures::add(const ibv_wc& completion) {
  if (completion.status == IBV_WC_SUCCESS) return;
  Seen& seen = seen_[completion.status];
  ++seen.count;
  if (seen.vendor == 0) seen.vendor = completion.vendor_err;
}

std::vector<std::string> Failures::to_lines() const {
  std::vector<std::string> lines;
  const auto flushed = seen_.find(IBV_WC_WR_FLUSH_ERR);
  for (const auto& [status, seen] : seen_) {
    if (status == IBV_WC_WR_FLUSH_ERR) continue;
    lines.push_back(fmt::format("{}: {}", head(status, seen.count, seen.vendor), meaning_of(status).says));
  }
  if (flushed == seen_.end()) return lines;
  if (lines.empty()) {
    lines.push_back(
        fmt::format("{}: {}", head(flushed->first, flushed->second.count, 0), meaning_of(flushed->first).says));
  } else {
    lines.back() += fmt::format("; {} more were flushed", flushed->second.count);
  }
  return lines;
}

Gap Failures::to_gap() const {
  const bool unanswered = seen_.contains(IBV_WC_RETRY_EXC_ERR) || seen_.contains(IBV_WC_RNR_RETRY_EXC_ERR) ||
                          seen_.contains(IBV_WC_RESP_TIMEOUT_ERR);
  const std::vector<std::string> lines = to_lines();
  return {unanswered ? GapReason::kTimedOut : GapReason::kUnreadable,
          lines.empty() ? "the traffic failed" : "the traffic failed: " + lines.front()};
}

}  // namespace rocert
