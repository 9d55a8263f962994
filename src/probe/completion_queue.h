// A completion queue with its channel: polled, or waited for with poll(2) under a deadline.
#pragma once
#include <array>
#include <span>

#include "probe/deadline.h"
#include "probe/verbs_objects.h"

namespace rocert {

class CompletionQueue {
 public:
  static Result<CompletionQueue> create(const Verbs& verbs, ibv_context& device, uint32_t entries);

  ibv_cq& queue() const { return *queue_; }

  // What has completed by now; never waits. Valid until the next call.
  Result<std::span<const ibv_wc>> poll();
  // Sleeps until something has completed; empty: the deadline passed.
  Result<std::span<const ibv_wc>> wait(const Deadline& deadline);

 private:
  CompletionQueue(const Verbs& verbs, Owned<ibv_comp_channel> channel, Owned<ibv_cq> queue)
      : verbs_(&verbs), channel_(std::move(channel)), queue_(std::move(queue)) {}
  Result<> arm();
  void take_event();

  const Verbs* verbs_;
  Owned<ibv_comp_channel> channel_;  // outlives the queue
  Owned<ibv_cq> queue_;
  std::array<ibv_wc, 32> completions_{};
};

}  // namespace rocert
