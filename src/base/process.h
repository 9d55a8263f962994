// A child process of our own: started from argv without a shell, in its own process group, with pipes for its stdio,
// watched through a pidfd. It never outlives its Process.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace rocert {

// How a process ended: its exit status, or the signal that ended it.
struct Ending {
  std::optional<int> status;
  std::optional<int> signal;
  bool operator==(const Ending&) const = default;
};

// "exited with 255", "ended by signal 9 (Killed)".
std::string to_text(const Ending& ending);

class Process {
 public:
  // argv[0] is a path, or a name found through PATH. Signals are at their defaults and unblocked in the child, and no
  // descriptor but the three pipes is open in it. An Error (kSystem) says what could not be started.
  static Result<Process> start(const std::vector<std::string>& argv);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  // SIGKILL to the whole group, then a bounded wait for the child.
  ~Process();

  pid_t pid() const { return pid_; }
  // Becomes readable when the child has ended.
  int pidfd() const { return pidfd_.get(); }
  // Our ends of the child's stdin, stdout and stderr; the caller may move them away.
  Fd& input() { return input_; }
  Fd& output() { return output_; }
  Fd& errors() { return errors_; }

  // To every process of the child's group. Nothing happens once the child has been reaped.
  void signal(int number) const;
  // Waits until the child has ended or the time is over, without reaping it. False: it still runs.
  bool wait_ended(std::chrono::milliseconds limit) const;
  // Reaps a child that has ended, after a SIGKILL to what is left of its group. Nothing while it runs.
  std::optional<Ending> reap();
  // SIGTERM, the grace, SIGKILL, and reaps: nothing only for a child that the kernel does not let go within two
  // seconds.
  std::optional<Ending> end(std::chrono::milliseconds grace);

 private:
  Process() = default;

  pid_t pid_ = -1;
  Fd pidfd_, input_, output_, errors_;
  std::optional<Ending> ending_;
};

// Blocks SIGINT, SIGTERM and SIGHUP in the calling thread and in those it starts later; the descriptor becomes readable
// with the first of them. To be called before the first thread starts.
Result<Fd> stop_signals();

}  // namespace rocert
