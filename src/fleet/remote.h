// Remote: a worker on a host as its coordinator sees it: the launcher's process, the session over its stdio, and the
// last of what it said on stderr, which is the reason when it dies.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/loop.h"

namespace rocert {

struct RemoteEvents {
  std::function<void(std::string payload)> message;
  // Once, after the process was reaped: nothing of it is left. The Error says why, with the process's own last words:
  // "ssh exited with 255: ssh: connect to host n3 port 22: Connection refused". kTimeout: the kernel does not let it
  // go.
  std::function<void(const Error& why)> ended;
};

// On the loop's thread only.
class Remote {
 public:
  // Starts the program and greets it. An Error when there is no such program.
  static Result<Remote> start(Loop& loop, const std::vector<std::string>& argv, RemoteEvents events);
  Remote(Remote&&) noexcept = default;
  Remote& operator=(Remote&& other) noexcept;
  // SIGKILL, and a bounded wait; no event follows.
  ~Remote();

  pid_t pid() const;
  void send(std::string_view payload);
  // Closes the stream and sends SIGTERM now, SIGKILL after the grace. `why` is what `ended` will say first; no message
  // follows.
  void end(std::chrono::nanoseconds grace, const Error& why);

 private:
  struct State;
  explicit Remote(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace rocert
