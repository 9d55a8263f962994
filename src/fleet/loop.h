// Loop: the one thread on which a fleet's callbacks run, with its timers and watched descriptors.
#pragma once
#include <chrono>
#include <functional>
#include <memory>

namespace rocert {

class Loop {
 public:
  // SIGPIPE is ignored in this process from now on: an end that went away is an error of a write, not a signal.
  Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  // Runs callbacks on the calling thread until stop().
  void run();
  // From any thread; run() returns after the callback in progress.
  void stop();
  // Runs the work on the loop's thread, later; from any thread.
  void post(std::function<void()> work);

  struct Context;  // Asio's, known to this room's .cc files
  Context& context() { return *context_; }

 private:
  std::unique_ptr<Context> context_;
};

// Calls once, when the time has passed; never after it was destroyed or assigned to. On the loop's thread only.
class Timer {
 public:
  Timer() = default;
  Timer(Loop& loop, std::chrono::nanoseconds after, std::function<void()> expired);
  Timer(Timer&&) noexcept = default;
  Timer& operator=(Timer&& other) noexcept;
  ~Timer();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Calls once, when the descriptor is readable (or has failed); never after it was destroyed or assigned to. The
// descriptor stays the caller's. On the loop's thread only.
class Watch {
 public:
  Watch() = default;
  Watch(Loop& loop, int fd, std::function<void()> readable);
  Watch(Watch&&) noexcept = default;
  Watch& operator=(Watch&& other) noexcept;
  ~Watch();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace rocert
