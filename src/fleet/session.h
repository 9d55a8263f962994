// Session: messages both ways over a Stream: hello first, then frames, with a bounded queue to a slow reader.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fleet/channel.h"
#include "fleet/stream.h"

namespace rocert {

struct SessionEvents {
  std::function<void(std::string payload)> message;
  // Once, when no message can come any more: kClosed the other end went away, kMalformed it does not follow the
  // protocol, kTimeout it does not read.
  std::function<void(const Error& why)> ended;
};

// On the loop's thread only. Destroying a session closes its stream; no event follows, and it may be done in an event.
class Session {
 public:
  Session(std::unique_ptr<Stream> stream, SessionEvents events, size_t frame_limit = kFrameLimit);
  Session(Session&&) noexcept = default;
  Session& operator=(Session&& other) noexcept;
  ~Session();

  // Queues a message of at most the frame limit; dropped once the session has ended.
  void send(std::string_view payload);
  // Calls when all that was sent has been handed to the stream; not at all when the session ends before.
  void when_sent(std::function<void()> done);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace rocert
