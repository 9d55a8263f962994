// Crew: the workers of a certification, one a host: started a few at a time, lost one by one, dismissed together.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "certify/messages.h"
#include "fleet/remote.h"
#include "model/gap.h"
#include "model/inventory.h"

namespace rocert {

struct CrewOptions {
  Launch launch;
  std::chrono::nanoseconds start_limit = std::chrono::seconds(30);  // from the launch to the worker's welcome
  std::chrono::nanoseconds grace = std::chrono::milliseconds(500);  // from SIGTERM to SIGKILL, to the launcher
  std::chrono::nanoseconds bye_limit = std::chrono::seconds(1);     // from bye to SIGTERM
  size_t starts_at_once = 32;
};

// Hosts are numbered in the inventory's order.
struct CrewEvents {
  std::function<void(size_t host, const Welcome&)> joined;
  std::function<void(size_t host, const FromWorker&)> said;
  // Once a host, after nothing of its launcher is left; not after dismiss().
  std::function<void(size_t host, const Gap& why)> lost;
};

// On the loop's thread only.
class Crew {
 public:
  // An Error (kUsage) for a launcher that starts nothing.
  static Result<> check(const Launch& launch);
  Crew(Loop& loop, std::vector<std::string> hosts, CrewOptions options, CrewEvents events);

  void start();
  // Its worker has said welcome and is there.
  bool present(size_t host) const { return members_[host].state == State::kPresent; }
  // Dropped for a host that is not present.
  void send(size_t host, const ToWorker& message);
  // Ends the worker of a host that hangs or misbehaves; `lost` follows.
  void lose(size_t host, const Error& why);
  // Bye, SIGTERM, SIGKILL to all; `done` when all are reaped.
  void dismiss(std::function<void()> done);

 private:
  enum class State { kWaiting, kStarting, kPresent, kEnding, kGone };
  struct Member {
    std::string name;
    State state = State::kWaiting;
    std::optional<Remote> remote;
    Timer limit;
  };
  void start_some();
  void launch(size_t host);
  void hear(size_t host, const std::string& payload);
  void ended(size_t host, const Error& why);
  void finish_if_empty();

  Loop& loop_;
  CrewOptions options_;
  CrewEvents events_;
  std::vector<Member> members_;
  size_t next_ = 0;
  size_t starting_ = 0;
  std::function<void()> dismissed_;
  Timer bye_;
};

}  // namespace rocert
