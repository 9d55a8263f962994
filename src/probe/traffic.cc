#include "probe/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "probe/verbs_error.h"

namespace rocert {

Result<> Traffic::post(ibv_send_wr& first, uint32_t messages) {
  ibv_send_wr* refused = nullptr;
  if (const int result = ibv_post_send(connection_->pair.get(), &first, &refused); result != 0) {
    return verbs_failure("ibv_post_send", device_name(*connection_->device), errno_of(result));
  }
  outstanding_ += messages;
  return {};
}

Result<> Traffic::post(ibv_recv_wr& request) {
  ibv_recv_wr* refused = nullptr;
  if (const int result = ibv_post_recv(connection_->pair.get(), &request, &refused); result != 0) {
    return verbs_failure("ibv_post_recv", device_name(*connection_->device), errno_of(result));
  }
  ++outstanding_;
  return {};
}

Result<> Traffic::take(std::span<const ibv_wc> completions) {
  for (const ibv_wc& completion : completions) {
    outstanding_ -= std::min<uint64_t>(outstanding_, WorkTag::of(completion.wr_id).messages);
    failures_.add(completion);
  }
  if (failures_.any()) return fail(ErrorKind::kSystem, failures_.to_lines().front());
  return {};
}

HalfResult Traffic::give_up(const Error& why) {
  const bool traffic_failed = failures_.any();
  HalfResult half{.mtu = connection_->mtu};
  std::vector<std::string> notes;
  if (!traffic_failed) notes.push_back(why.message);
  drain(notes);
  if (traffic_failed) {
    half.figures = tl::unexpected(failures_.to_gap());
    half.errors = failures_.to_lines();
  } else {
    half.figures = tl::unexpected(gap_for(why));
  }
  half.errors.insert(half.errors.end(), notes.begin(), notes.end());
  for (std::string& line : half.errors) line = fmt::format("{}: {}", name_of(*order_), line);
  return half;
}

void Traffic::drain(std::vector<std::string>& notes) {
  if (const auto ended = to_error(*verbs_, *connection_->pair); !ended) notes.push_back(ended.error().message);
  const Deadline patience = Deadline::in(std::chrono::seconds(1));
  while (outstanding_ > 0) {
    const auto completions = connection_->completions.wait(patience);
    if (!completions) {
      notes.push_back(completions.error().message);
      return;
    }
    if (completions->empty()) {
      notes.push_back(
          fmt::format("{} messages did not even complete as flushed: the device or its driver hangs", outstanding_));
      return;
    }
    static_cast<void>(take(*completions));  // in error, as they are flushed
  }
}

Gap gap_for(const Error& why) {
  const bool waited = why.kind == ErrorKind::kTimeout || why.kind == ErrorKind::kClosed;
  return {waited ? GapReason::kTimedOut : GapReason::kUnreadable, why.message};
}

}  // namespace rocert
