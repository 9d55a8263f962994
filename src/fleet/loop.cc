#include "fleet/loop.h"

#include <csignal>

#include "base/fd.h"
#include "fleet/asio.h"

namespace rocert {

Loop::Loop() : context_(std::make_unique<Context>()) { std::signal(SIGPIPE, SIG_IGN); }
Loop::~Loop() = default;

void Loop::run() {
  context_->io.restart();
  context_->io.run();
}

void Loop::stop() { context_->io.stop(); }

void Loop::post(std::function<void()> work) { asio::post(context_->io, std::move(work)); }

// A wait that has already completed cannot be cancelled any more: `live` is what keeps its callback from running.
struct Timer::State {
  asio::steady_timer timer;
  std::function<void()> expired;
  bool live = true;
};

Timer::Timer(Loop& loop, std::chrono::nanoseconds after, std::function<void()> expired)
    : state_(std::make_shared<State>(State{asio::steady_timer(loop.context().io, after), std::move(expired)})) {
  state_->timer.async_wait([state = state_](const boost::system::error_code& error) {
    if (!error && std::exchange(state->live, false)) state->expired();
  });
}

Timer::~Timer() {
  if (!state_) return;
  state_->live = false;
  state_->timer.cancel();
}

Timer& Timer::operator=(Timer&& other) noexcept {
  const Timer old = std::move(*this);
  state_ = std::move(other.state_);
  return *this;
}

struct Watch::State {
  asio::posix::stream_descriptor descriptor;
  std::function<void()> readable;
  bool live = true;
};

Watch::Watch(Loop& loop, int fd, std::function<void()> readable)
    : state_(std::make_shared<State>(State{asio::posix::stream_descriptor(loop.context().io), std::move(readable)})) {
  boost::system::error_code error;
  state_->descriptor.assign(::fcntl(fd, F_DUPFD_CLOEXEC, 3), error);
  state_->descriptor.async_wait(asio::posix::descriptor_base::wait_read,
                                [state = state_](const boost::system::error_code& failed) {
                                  if (failed == asio::error::operation_aborted) return;
                                  if (std::exchange(state->live, false)) state->readable();
                                });
}

Watch::~Watch() {
  if (!state_) return;
  state_->live = false;
  boost::system::error_code ignored;
  state_->descriptor.close(ignored);
}

Watch& Watch::operator=(Watch&& other) noexcept {
  const Watch old = std::move(*this);
  state_ = std::move(other.state_);
  return *this;
}

}  // namespace rocert
