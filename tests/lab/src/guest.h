// A lab host: one kernel instance as a process of its own session, with a serial line to us.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "posix.h"

namespace rocert::lab {

struct GuestPlan {
  std::string name;    // n1, n2, ...
  int number = 0;      // 1, 2, ...
  int rails = 0;       // wires vec0 ... ; the management wire is the next one
  int mtu = 0;         // of the rails' ports
  std::string memory;  // as the kernel takes it: 256M
  std::string kernel, init, lab;
  std::string extra;  // more words for the kernel's command line
};

// The kernel's command line. `line` is the descriptor of the serial line in the guest's process.
[[nodiscard]] std::vector<std::string> kernel_words(const GuestPlan& plan, int line);

struct Guest {
  std::string name;
  pid_t pid = -1;
  Fd line;  // our end, non-blocking; closed when the guest is dead
  bool frozen = false;
  std::optional<std::string> ready;  // the agent's report: empty when all is well
  std::string death;                 // why it is dead

  [[nodiscard]] bool alive() const { return pid > 0 && death.empty(); }
};

std::optional<Guest> start_guest(const GuestPlan& plan, std::string& why);

// Kills the whole session of a process that start_guest() or start_process() made.
void kill_session(pid_t leader);
// True once none of its processes is left.
[[nodiscard]] bool session_is_gone(pid_t leader);

// Starts a program in a session of its own that dies with us. Its output and errors go to `log`, unless `out` is given.
pid_t start_process(const std::vector<std::string>& words, const std::string& log, int out, int kept,
                    const std::string& tmpdir);

}  // namespace rocert::lab
