// A guest's process 1: makes the root the guest's own, lets good-host set the host up, then serves `lab exec`: starts
// commands and carries their input, output and signals over the serial line. It collects orphans, too.
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <string>

#include "frames.h"
#include "guest_root.h"
#include "posix.h"

namespace rocert::lab {
namespace {

struct Command {
  pid_t pid = -1;
  Fd input, output, errors;
  std::string to_input;
  bool input_ended = false;
  std::uint32_t input_taken = 0;  // written to the command, not yet granted again
  std::uint32_t output_credit = kWindow, errors_credit = kWindow;
  std::optional<int> status;
};

int exit_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

// Only async-signal-safe calls here: it runs between fork and exec.
[[noreturn]] void become(char* const* argv, int in, int out, int err) {
  setsid();
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execvp(argv[0], argv);
  const int why = errno;
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], std::strerror(why));
  _exit(why == ENOENT ? 127 : 126);
}

class Agent {
 public:
  explicit Agent(Fd line) : line_(std::move(line)) {}

  void say(Kind kind, std::uint32_t stream, std::string_view payload) { append_frame(to_line_, kind, stream, payload); }
  // Returns when the line is gone.
  void serve();

 private:
  void obey(const Frame& frame);
  void open(std::uint32_t stream, std::string_view words);
  void collect(int signals);
  void feed(std::uint32_t stream, Command& command);
  Io drain(std::uint32_t stream, Fd& from, Kind kind, std::uint32_t& credit);
  bool finish(std::uint32_t stream, Command& command);

  Fd line_;
  FrameReader reader_;
  std::string to_line_;
  std::map<std::uint32_t, Command> commands_;
};

void Agent::open(std::uint32_t stream, std::string_view bytes) {
  const std::vector<std::string> words = split_words(bytes);
  int in[2], out[2], err[2];
  if (words.empty() || pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) {
    say(Kind::kErrors, stream, error_text("agent: cannot start a command") + "\n");
    say(Kind::kExited, stream, number_to_bytes(126));
    return;
  }
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) become(argv.data(), in[0], out[1], err[1]);
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  Command& command = commands_[stream];
  command.pid = pid;
  command.input = Fd(in[1]);
  command.output = Fd(out[0]);
  command.errors = Fd(err[0]);
  for (const Fd* fd : {&command.input, &command.output, &command.errors}) set_nonblocking(fd->get());
  if (pid < 0) command.status = 126;
  say(Kind::kStarted, stream, std::to_string(pid));
}

void Agent::obey(const Frame& frame) {
  if (frame.kind == Kind::kOpen) return open(frame.stream, frame.payload);
  const auto found = commands_.find(frame.stream);
  if (found == commands_.end()) return;  // it ended while the frame was under way
  Command& command = found->second;
  const std::optional<std::uint32_t> number = number_from_bytes(frame.payload);
  switch (frame.kind) {
    case Kind::kInput:
      command.to_input += frame.payload;
      return feed(frame.stream, command);
    case Kind::kInputEnd:
      command.input_ended = true;
      return feed(frame.stream, command);
    case Kind::kOutputCredit:
      command.output_credit += number.value_or(0);
      return;
    case Kind::kErrorsCredit:
      command.errors_credit += number.value_or(0);
      return;
    case Kind::kSignal:
      if (number && !command.status) kill(-command.pid, static_cast<int>(*number));
      return;
    default:
      return;
  }
}

// A command that closed its input is not an error: what it will not read is dropped.
void Agent::feed(std::uint32_t stream, Command& command) {
  const std::size_t before = command.to_input.size();
  if (!command.input || write_some(command.input.get(), command.to_input) == Io::kFailed) {
    command.input.close();
    command.to_input.clear();
  }
  command.input_taken += static_cast<std::uint32_t>(before - command.to_input.size());
  if (command.input_taken >= kWindow / 4) {
    say(Kind::kInputCredit, stream, number_to_bytes(command.input_taken));
    command.input_taken = 0;
  }
  if (command.input_ended && command.to_input.empty()) command.input.close();
}

Io Agent::drain(std::uint32_t stream, Fd& from, Kind kind, std::uint32_t& credit) {
  std::string bytes;
  const Io io = read_some(from.get(), bytes, std::min<std::size_t>(credit, kChunk));
  if (io == Io::kOk) {
    credit -= static_cast<std::uint32_t>(bytes.size());
    say(kind, stream, bytes);
  } else if (io != Io::kWouldBlock) {
    from.close();
  }
  return io;
}

void Agent::collect(int signals) {
  signalfd_siginfo ignored;
  while (::read(signals, &ignored, sizeof ignored) > 0) {
  }
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (auto& [stream, command] : commands_)
      if (command.pid == pid) command.status = exit_status(status);
}

// A command is over when it has exited and what it wrote is sent; its descendants may hold the pipes for ever.
bool Agent::finish(std::uint32_t stream, Command& command) {
  if (!command.status) return false;
  while (command.output && command.output_credit > 0 &&
         drain(stream, command.output, Kind::kOutput, command.output_credit) == Io::kOk) {
  }
  while (command.errors && command.errors_credit > 0 &&
         drain(stream, command.errors, Kind::kErrors, command.errors_credit) == Io::kOk) {
  }
  if ((command.output && command.output_credit == 0) || (command.errors && command.errors_credit == 0)) return false;
  say(Kind::kExited, stream, number_to_bytes(static_cast<std::uint32_t>(*command.status)));
  return true;
}

void Agent::serve() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  const Fd signals(signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC));
  for (;;) {
    std::vector<pollfd> polls{{line_.get(), static_cast<short>(POLLIN | (to_line_.empty() ? 0 : POLLOUT)), 0},
                              {signals.get(), POLLIN, 0}};
    for (auto& [stream, command] : commands_) {
      polls.push_back({command.to_input.empty() ? -1 : command.input.get(), POLLOUT, 0});
      polls.push_back({command.output_credit ? command.output.get() : -1, POLLIN, 0});
      polls.push_back({command.errors_credit ? command.errors.get() : -1, POLLIN, 0});
    }
    if (poll(polls.data(), polls.size(), -1) < 0 && errno != EINTR) return;

    auto poll_of = polls.begin() + 2;
    for (auto& [stream, command] : commands_) {
      if (poll_of[0].revents) feed(stream, command);
      if (poll_of[1].revents) drain(stream, command.output, Kind::kOutput, command.output_credit);
      if (poll_of[2].revents) drain(stream, command.errors, Kind::kErrors, command.errors_credit);
      poll_of += 3;
    }
    if (polls[0].revents) {
      std::string bytes;
      const Io io = read_some(line_.get(), bytes, kChunk);
      if (io == Io::kEnd || io == Io::kFailed) return;
      reader_.feed(bytes);
      while (const std::optional<Frame> frame = reader_.next()) obey(*frame);
      if (!reader_.bad().empty()) {
        std::fprintf(stderr, "agent: %s\n", reader_.bad().c_str());
        return;
      }
    }
    if (polls[1].revents) collect(signals.get());
    for (auto entry = commands_.begin(); entry != commands_.end();)
      entry = finish(entry->first, entry->second) ? commands_.erase(entry) : std::next(entry);
    if (write_some(line_.get(), to_line_) == Io::kFailed) return;
  }
}

// Runs good-host and answers what it said: nothing, when all went well.
std::string set_up_host() {
  std::string said;
  const std::string program = std::string(kExchange) + "/good-host";
  FILE* pipe = popen((program + " 2>&1 </dev/null").c_str(), "r");
  char buffer[512];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe)) said += buffer;
  const int status = pipe ? pclose(pipe) : -1;
  if (status != 0 && said.empty()) said = program + " failed";
  return said;
}

Fd open_line(const char* path) {
  Fd line(::open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  termios mode{};
  if (!line || tcgetattr(line.get(), &mode) < 0) {
    std::perror(path);
    _exit(1);
  }
  cfmakeraw(&mode);
  tcsetattr(line.get(), TCSANOW, &mode);
  return line;
}

}  // namespace
}  // namespace rocert::lab

int main() {
  using namespace rocert::lab;
  std::string problem = set_up_root();
  if (problem.empty()) problem = set_up_host();
  std::fputs(problem.c_str(), stderr);
  std::signal(SIGPIPE, SIG_IGN);
  Agent agent(open_line("/dev/ttyS0"));
  agent.say(Kind::kHello, 0, problem.substr(0, problem.find('\n')));
  agent.serve();
  return 1;  // the line is gone, and with process 1 the guest ends
}
