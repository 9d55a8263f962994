#include "base/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves its declaration to the program

namespace rocert {
namespace {

constexpr std::chrono::milliseconds kKillLimit{2000};

std::string reason(int error_number) { return std::generic_category().message(error_number); }

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorKind::kSystem, "a pipe: " + reason(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

class SpawnSetup {
 public:
  SpawnSetup(int input, int output, int errors) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& pid, const std::vector<std::string>& argv) const {
    std::vector<char*> words;
    words.reserve(argv.size() + 1);
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));  // execve(2) leaves them be
    words.push_back(nullptr);
    return ::posix_spawnp(&pid, words[0], &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

Ending ending_of(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return {.status = info.si_status};
  return {.signal = info.si_status};
}

}  // namespace

std::string to_text(const Ending& ending) {
  if (ending.status) return fmt::format("exited with {}", *ending.status);
  if (ending.signal) return fmt::format("ended by signal {} ({})", *ending.signal, ::strsignal(*ending.signal));
  return "ended";
}

Result<Process> Process::start(const std::vector<std::string>& argv) {
  if (argv.empty() || argv[0].empty()) return fail(ErrorKind::kInternal, "no program to start");
  Pipe input = TRY(make_pipe());
  Pipe output = TRY(make_pipe());
  Pipe errors = TRY(make_pipe());
  Process process;
  const SpawnSetup setup(input.read.get(), output.write.get(), errors.write.get());
  if (const int error = setup.spawn(process.pid_, argv); error != 0) {
    process.pid_ = -1;
    return fail(ErrorKind::kSystem, fmt::format("{}: cannot be started: {}", argv[0], reason(error)));
  }
  process.pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid_, 0)));
  if (!process.pidfd_) return fail(ErrorKind::kSystem, "pidfd_open: " + reason(errno));
  process.input_ = std::move(input.write);
  process.output_ = std::move(output.read);
  process.errors_ = std::move(errors.read);
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)),
      ending_(other.ending_) {}

Process& Process::operator=(Process&& other) noexcept {
  Process old(std::move(*this));
  pid_ = std::exchange(other.pid_, -1);
  pidfd_ = std::move(other.pidfd_);
  input_ = std::move(other.input_);
  output_ = std::move(other.output_);
  errors_ = std::move(other.errors_);
  ending_ = other.ending_;
  return *this;
}

Process::~Process() {
  if (pid_ < 0 || ending_) return;
  signal(SIGKILL);
  if (!pidfd_) {  // never watched: it was killed just after its start
    ::waitpid(pid_, nullptr, 0);
  } else if (wait_ended(kKillLimit)) {
    reap();
  }
}

void Process::signal(int number) const {
  if (pid_ > 0 && !ending_) ::kill(-pid_, number);
}

bool Process::wait_ended(std::chrono::milliseconds limit) const {
  if (ending_) return true;
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd event{pidfd_.get(), POLLIN, 0};
    const int ready = ::poll(&event, 1, static_cast<int>(left > 0 ? left : 0));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

std::optional<Ending> Process::reap() {
  if (ending_) return ending_;
  siginfo_t info{};
  const auto id = static_cast<id_t>(pid_);
  if (::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    ending_ = Ending{};  // someone else reaped it (SIGCHLD ignored): how it ended is lost
    return ending_;
  }
  if (info.si_pid == 0) return std::nullopt;
  signal(SIGKILL);  // while the dead leader still holds the group's number
  ::waitid(P_PID, id, &info, WEXITED | WNOHANG);
  ending_ = ending_of(info);
  return ending_;
}

std::optional<Ending> Process::end(std::chrono::milliseconds grace) {
  signal(SIGTERM);
  signal(SIGCONT);
  if (!wait_ended(grace)) {
    signal(SIGKILL);
    if (!wait_ended(kKillLimit)) return std::nullopt;
  }
  return reap();
}

Result<Fd> stop_signals() {
  sigset_t stops;
  ::sigemptyset(&stops);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&stops, number);
  if (const int error = ::pthread_sigmask(SIG_BLOCK, &stops, nullptr); error != 0)
    return fail(ErrorKind::kSystem, "blocking signals: " + reason(error));
  Fd fd(::signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return fail(ErrorKind::kSystem, "signalfd: " + reason(errno));
  return fd;
}

}  // namespace rocert
