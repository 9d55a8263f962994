#include "probe/completion_queue.h"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>

#include "host/host.h"
#include "probe/verbs_error.h"

namespace rocert {

Result<CompletionQueue> CompletionQueue::create(const Verbs& verbs, ibv_context& device, uint32_t entries) {
  Owned<ibv_comp_channel> channel(verbs.create_comp_channel(&device), verbs.destroy_comp_channel);
  if (!channel) return verbs_failure("ibv_create_comp_channel", device_name(device), errno);
  // Non-blocking, so that taking an event never outlasts the deadline.
  const int flags = fcntl(channel->fd, F_GETFL);
  if (flags < 0 || fcntl(channel->fd, F_SETFL, flags | O_NONBLOCK) < 0) {
    return fail(error_of(errno, "completion channel, fcntl O_NONBLOCK"));
  }
  Owned<ibv_cq> queue(verbs.create_cq(&device, static_cast<int>(entries), nullptr, channel.get(), 0), verbs.destroy_cq);
  if (!queue) {
    const int number = errno;
    return verbs_failure("ibv_create_cq", device_name(device), number, memory_hint(number));
  }
  return CompletionQueue(verbs, std::move(channel), std::move(queue));
}

Result<std::span<const ibv_wc>> CompletionQueue::poll() {
  const int count = ibv_poll_cq(queue_.get(), static_cast<int>(completions_.size()), completions_.data());
  if (count < 0) {
    return verbs_failure("ibv_poll_cq", device_name(*queue_->context), EIO, "the queue overran or the device failed");
  }
  return std::span<const ibv_wc>(completions_.data(), static_cast<size_t>(count));
}

Result<std::span<const ibv_wc>> CompletionQueue::wait(const Deadline& deadline) {
  for (;;) {
    const auto before = TRY(poll());
    if (!before.empty()) return before;
    TRY(arm());
    // What completed between the poll and the arming gives no event.
    const auto after = TRY(poll());
    if (!after.empty()) return after;
    if (deadline.passed()) return std::span<const ibv_wc>();
    pollfd waiting{.fd = channel_->fd, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, deadline.milliseconds_left()) < 0 && errno != EINTR) {
      return fail(error_of(errno, "completion channel, poll"));
    }
    if ((waiting.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      return verbs_failure("completion channel", device_name(*queue_->context), ENODEV,
                           "the device was removed or reset");
    }
    take_event();
  }
}

Result<> CompletionQueue::arm() {
  if (const int result = ibv_req_notify_cq(queue_.get(), 0); result != 0) {
    return verbs_failure("ibv_req_notify_cq", device_name(*queue_->context), errno_of(result));
  }
  return {};
}

// Acknowledged at once: ibv_destroy_cq waits for ever for an event that was taken and not acknowledged.
void CompletionQueue::take_event() {
  ibv_cq* queue = nullptr;
  void* cookie = nullptr;
  if (verbs_->get_cq_event(channel_.get(), &queue, &cookie) == 0) verbs_->ack_cq_events(queue, 1);
}

}  // namespace rocert
