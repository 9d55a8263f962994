// A real sshd on loopback, on a free port, with keys and configuration of its own in a temporary folder.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace rocert {

class Sshd {
 public:
  // An Error says what is missing here (no sshd, a login shell that runs nothing): the tests cannot run.
  static Result<std::unique_ptr<Sshd>> start();
  Sshd(const Sshd&) = delete;
  Sshd& operator=(const Sshd&) = delete;
  // Ends the sshd that it started, and removes its folder.
  ~Sshd();

  const std::filesystem::path& folder() const { return folder_; }
  // Options of ssh for this server, with a key that it accepts, or one that it does not.
  std::vector<std::string> options(bool accepted_key = true) const;

 private:
  Sshd() = default;
  Result<> prepare();
  Result<> serve();

  std::filesystem::path folder_;
  bool made_separation_folder_ = false;
  int port_ = 0;
  std::optional<Process> process_;
};

// A TCP port of loopback that nobody listens on now.
int free_port();

}  // namespace rocert
