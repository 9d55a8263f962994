#include "fleet/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace rocert {
namespace {

using Argv = std::vector<std::string>;

// As one word of a POSIX shell.
std::string quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) c == '\'' ? out.append("'\\''") : out.append(1, c);
  return out + "'";
}

Argv lab_argv(const Launch& launch, const std::string& host) {
  Argv argv{launch.program.empty() ? "lab" : launch.program};
  argv.insert(argv.end(), launch.options.begin(), launch.options.end());
  argv.insert(argv.end(), {"exec", host, "--", launch.rocert, "worker"});
  return argv;
}

Argv ssh_argv(const Launch& launch, const std::string& host, std::chrono::seconds connect_limit) {
  Argv argv{launch.program.empty() ? "ssh" : launch.program, "-o", "BatchMode=yes"};
  argv.insert(argv.end(), launch.options.begin(), launch.options.end());
  argv.insert(argv.end(),
              {"-T", "-o", fmt::format("ConnectTimeout={}", std::max<int64_t>(1, connect_limit.count())), "-o",
               "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", host, "--", quoted(launch.rocert), "worker"});
  return argv;
}

}  // namespace

Result<Argv> launch_argv(const Launch& launch, const std::string& host, std::chrono::seconds connect_limit) {
  if (host.empty() || host.starts_with('-'))
    return fail(ErrorKind::kUsage, fmt::format("host \"{}\": a name cannot be empty or start with '-'", escaped(host)));
  switch (launch.kind) {
    case LauncherKind::kLab:
      return lab_argv(launch, host);
    case LauncherKind::kSsh:
      return ssh_argv(launch, host, connect_limit);
    case LauncherKind::kSlurm:
    case LauncherKind::kManual:
      break;
  }
  return fail(ErrorKind::kUsage, fmt::format("launcher {} cannot start workers for certify: wanted ssh or lab",
                                             launch.kind == LauncherKind::kSlurm ? "slurm" : "manual"));
}

}  // namespace rocert
