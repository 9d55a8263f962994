// Runs a command in a guest: input, output, errors, signals and exit status are the command's.
// usage: lab-exec SOCKET GUEST COMMAND [ARGUMENT...]
// Its own exit statuses: 255 the command could not be started, 254 the guest went away while it ran.
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

#include "frames.h"
#include "posix.h"

namespace rocert::lab {
namespace {

constexpr int kNotStarted = 255;
constexpr int kGuestGone = 254;
constexpr std::chrono::seconds kStartLimit{20};
// After a signal that asks to end: then we end ourselves, and the daemon kills what is left of the command.
constexpr std::chrono::seconds kEndLimit{3};
using Clock = std::chrono::steady_clock;

// One of our output descriptors: what the guest sent and we have not written yet.
struct Sink {
  int fd;
  Kind credit;
  std::string pending;
  std::uint32_t written = 0;  // not yet granted again
  bool failed = false;
};

class Exec {
 public:
  Exec(Fd daemon, Fd signals) : daemon_(std::move(daemon)), signals_(std::move(signals)) {}
  int run(const std::string& guest, const std::vector<std::string>& words);

 private:
  void say(Kind kind, std::string_view payload) { append_frame(to_daemon_, kind, 0, payload); }
  void obey(const Frame& frame);
  void read_input();
  void write_out(Sink& sink);
  void pass_signals();
  [[nodiscard]] int give_up(const std::string& why) const;

  Fd daemon_, signals_;
  FrameReader reader_;
  std::string to_daemon_;
  Sink output_{STDOUT_FILENO, Kind::kOutputCredit, {}}, errors_{STDERR_FILENO, Kind::kErrorsCredit, {}};
  std::uint32_t input_credit_ = kWindow;
  bool started_ = false, input_open_ = true;
  std::optional<int> status_;
  std::string gone_;
  int asked_to_end_ = 0;
  Clock::time_point deadline_ = Clock::now() + kStartLimit;
};

void Exec::obey(const Frame& frame) {
  switch (frame.kind) {
    case Kind::kStarted:
      started_ = true;
      if (!asked_to_end_) deadline_ = Clock::time_point::max();
      return;
    case Kind::kInputCredit:
      input_credit_ += number_from_bytes(frame.payload).value_or(0);
      return;
    case Kind::kOutput:
      output_.pending += frame.payload;
      return;
    case Kind::kErrors:
      errors_.pending += frame.payload;
      return;
    case Kind::kExited:
      status_ = static_cast<int>(number_from_bytes(frame.payload).value_or(kNotStarted));
      return;
    case Kind::kGone:
      gone_ = frame.payload;
      return;
    default:
      return;
  }
}

void Exec::read_input() {
  std::string bytes;
  const Io io = read_some(STDIN_FILENO, bytes, std::min<std::size_t>(input_credit_, kChunk));
  if (io == Io::kOk) {
    input_credit_ -= static_cast<std::uint32_t>(bytes.size());
    say(Kind::kInput, bytes);
  } else if (io != Io::kWouldBlock) {
    input_open_ = false;
    say(Kind::kInputEnd, {});
  }
}

// Our descriptors may be shared with others, so they stay blocking: poll says that a write of this size will do.
void Exec::write_out(Sink& sink) {
  std::string piece = sink.pending.substr(0, kChunk);
  const std::size_t size = piece.size();
  if (write_some(sink.fd, piece) == Io::kFailed) sink.failed = true;
  const std::size_t written = size - piece.size();
  sink.pending.erase(0, written);
  sink.written += static_cast<std::uint32_t>(written);
  if (sink.written < kWindow / 4) return;
  say(sink.credit, number_to_bytes(sink.written));
  sink.written = 0;
}

void Exec::pass_signals() {
  signalfd_siginfo got;
  while (::read(signals_.get(), &got, sizeof got) == sizeof got) {
    say(Kind::kSignal, number_to_bytes(got.ssi_signo));
    const bool harmless = got.ssi_signo == SIGUSR1 || got.ssi_signo == SIGUSR2;
    if (harmless || asked_to_end_) continue;
    asked_to_end_ = static_cast<int>(got.ssi_signo);
    deadline_ = Clock::now() + kEndLimit;
  }
}

int Exec::give_up(const std::string& why) const {
  std::fprintf(stderr, "lab exec: %s\n", why.c_str());
  return started_ ? kGuestGone : kNotStarted;
}

int Exec::run(const std::string& guest, const std::vector<std::string>& words) {
  append_frame(to_daemon_, Kind::kAttach, 0, guest);
  say(Kind::kOpen, join_words(words));
  while (!(status_ && output_.pending.empty() && errors_.pending.empty())) {
    if (!gone_.empty() && output_.pending.empty() && errors_.pending.empty()) return give_up(gone_);
    if (output_.failed || errors_.failed) return 128 + SIGPIPE;  // closing the daemon's socket kills the command
    if (!status_ && Clock::now() >= deadline_)
      return asked_to_end_ ? 128 + asked_to_end_ : give_up(guest + " does not answer");

    const bool ended = status_ || !gone_.empty();
    pollfd polls[] = {
        {ended ? -1 : daemon_.get(), static_cast<short>(POLLIN | (to_daemon_.empty() ? 0 : POLLOUT)), 0},
        {signals_.get(), POLLIN, 0},
        {started_ && input_open_ && input_credit_ && !ended ? STDIN_FILENO : -1, POLLIN, 0},
        {output_.pending.empty() ? -1 : output_.fd, POLLOUT, 0},
        {errors_.pending.empty() ? -1 : errors_.fd, POLLOUT, 0},
    };
    const bool bounded = !status_ && deadline_ != Clock::time_point::max();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (poll(polls, std::size(polls), bounded ? std::max(static_cast<int>(left.count()), 0) : -1) < 0 && errno != EINTR)
      return give_up(error_text("poll"));
    if (polls[1].revents) pass_signals();
    if (polls[2].revents) read_input();
    if (polls[3].revents) write_out(output_);
    if (polls[4].revents) write_out(errors_);
    if (polls[0].revents & (POLLIN | POLLHUP | POLLERR)) {
      std::string bytes;
      const Io io = read_some(daemon_.get(), bytes, kMaxPayload);
      if (io == Io::kEnd || io == Io::kFailed) return give_up("the lab ended");
      reader_.feed(bytes);
      while (const std::optional<Frame> frame = reader_.next()) obey(*frame);
      if (!reader_.bad().empty()) return give_up(reader_.bad());
    }
    if (write_some(daemon_.get(), to_daemon_) == Io::kFailed && !status_ && gone_.empty())
      return give_up("the lab ended");
  }
  return *status_;
}

}  // namespace
}  // namespace rocert::lab

int main(int argc, char** argv) {
  using namespace rocert::lab;
  if (argc < 4) {
    std::fprintf(stderr, "usage: lab-exec SOCKET GUEST COMMAND [ARGUMENT...]\n");
    return kNotStarted;
  }
  std::string why;
  std::optional<Fd> daemon = connect_to(argv[1], SOCK_STREAM, why);
  if (!daemon) {
    std::fprintf(stderr, "lab exec: no lab is up: %s\n", why.c_str());
    return kNotStarted;
  }
  set_nonblocking(daemon->get());
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t passed;
  sigemptyset(&passed);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) sigaddset(&passed, signal);
  sigprocmask(SIG_BLOCK, &passed, nullptr);
  Fd signals(signalfd(-1, &passed, SFD_NONBLOCK | SFD_CLOEXEC));
  Exec exec(std::move(*daemon), std::move(signals));
  return exec.run(argv[2], std::vector<std::string>(argv + 3, argv + argc));
}
