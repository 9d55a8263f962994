#include "fleet/session.h"

#include <fmt/format.h>

namespace rocert {

struct Session::State : std::enable_shared_from_this<Session::State> {
  State(std::unique_ptr<Stream> carrier, SessionEvents callbacks, size_t limit)
      : stream(std::move(carrier)), events(std::move(callbacks)), frame_limit(limit), reader(limit) {}

  void read() {
    stream->read([self = shared_from_this()](Result<std::string_view> bytes) {
      if (!bytes) return self->end(bytes.error());
      if (bytes->empty()) return self->end(self->end_of_stream());
      if (const auto fed = self->reader.feed(*bytes); !fed) return self->end(fed.error());
      while (auto payload = self->live ? self->reader.next() : std::nullopt) self->events.message(std::move(*payload));
      if (self->live) self->read();
    });
  }

  Error end_of_stream() const {
    return {ErrorKind::kClosed,
            !reader.greeted()      ? "the stream ended before its hello"
            : reader.at_boundary() ? "the other end closed the stream"
                                   : "the stream ended within a frame",
            {}};
  }

  void send(const std::string& bytes) {
    if (!live) return;
    // Twice the limit: one message of any size may wait behind another, more means that nobody reads.
    if (queue.size() + bytes.size() > 2 * frame_limit + kHello.size())
      return end({ErrorKind::kTimeout, fmt::format("{} bytes wait and the other end does not read", queue.size()), {}});
    queue += bytes;
    if (!writing) write();
  }

  void write() {
    if (queue.empty()) {
      if (const auto done = std::exchange(sent, nullptr)) done();
      return;
    }
    writing = true;
    stream->write(std::exchange(queue, {}), [self = shared_from_this()](const Result<>& written) {
      self->writing = false;
      // What the other end said before it went away is still to be read: reading finds the end.
      if (written && self->live) self->write();
    });
  }

  void end(const Error& why) {
    if (!std::exchange(live, false)) return;
    stream->close();
    events.ended(why);
  }

  std::unique_ptr<Stream> stream;
  SessionEvents events;
  size_t frame_limit;
  FrameReader reader;
  std::string queue;
  std::function<void()> sent;
  bool writing = false;
  bool live = true;
};

Session::Session(std::unique_ptr<Stream> stream, SessionEvents events, size_t frame_limit)
    : state_(std::make_shared<State>(std::move(stream), std::move(events), frame_limit)) {
  state_->send(std::string(kHello));
  state_->read();
}

Session& Session::operator=(Session&& other) noexcept {
  const Session old = std::move(*this);
  state_ = std::move(other.state_);
  return *this;
}

Session::~Session() {
  if (!state_) return;
  state_->live = false;
  state_->stream->close();
}

void Session::send(std::string_view payload) { state_->send(encode_frame(payload)); }

void Session::when_sent(std::function<void()> done) {
  if (!state_->live) return;
  if (!state_->writing && state_->queue.empty()) return done();
  state_->sent = std::move(done);
}

}  // namespace rocert
