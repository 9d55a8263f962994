// The lab's own process: owns the switch and the guests, carries `lab exec`, obeys `lab kill`, `freeze`, `down`.
// It returns to its caller when all guests are set up (exit 0) or one is not (exit 1); everything dies with it.
// usage: lab-daemon --lab DIR --kernel FILE --init FILE --switch FILE --hosts N --rails N --mtu N --memory SIZE
//                   --rate BITS [--kernel-words WORDS] [--with PID: end when that process ends]
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

#include "relay.h"

namespace rocert::lab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kBootLimit{90};
constexpr std::chrono::seconds kSwitchLimit{10};
constexpr std::chrono::seconds kDeathLimit{10};

using Options = std::map<std::string, std::string>;

class Daemon {
 public:
  Daemon(Options options, Fd parent)
      : options_(std::move(options)), lab_(options_["lab"]), parent_(std::move(parent)) {}
  int run();

 private:
  bool start(std::string& why);
  bool start_switch(std::string& why);
  void collect();
  void report_readiness();
  void answer_control();
  std::string obey(const std::string& line);
  std::string status() const;
  void fail(const std::string& why);
  void tell_parent(const std::string& text);
  void end_all();

  Options options_;
  std::string lab_;
  Fd parent_;  // the caller waits at its other end until we say something
  Fd signals_, control_, with_;
  pid_t switch_ = -1;
  std::vector<Guest> guests_;
  std::optional<Relay> relay_;
  Clock::time_point boot_by_ = Clock::now() + kBootLimit;
  bool ready_ = false, ending_ = false;
  std::string failure_;  // why the lab does not come up
  std::vector<Fd> waiting_for_end_;
};

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit status " + std::to_string(WEXITSTATUS(status));
}

bool Daemon::start_switch(std::string& why) {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) < 0) return why = error_text("pipe"), false;
  const Fd read_end(ready[0]);
  {
    const Fd write_end(ready[1]);
    switch_ = start_process({options_["switch"], lab_, options_["hosts"], options_["rails"], options_["rate"]},
                            lab_ + "/switch.log", write_end.get(), -1, "/tmp");
  }
  pollfd poll_of{read_end.get(), POLLIN, 0};
  char byte;
  if (switch_ > 0 && poll(&poll_of, 1, static_cast<int>(std::chrono::milliseconds(kSwitchLimit).count())) == 1 &&
      ::read(read_end.get(), &byte, 1) == 1)
    return true;
  why = "the switch does not start, see " + lab_ + "/switch.log";
  return false;
}

bool Daemon::start(std::string& why) {
  std::optional<Fd> exec = listen_at(lab_ + "/exec.socket", SOCK_STREAM, why);
  std::optional<Fd> control = exec ? listen_at(lab_ + "/control.socket", SOCK_SEQPACKET, why) : std::nullopt;
  if (!control || !start_switch(why)) return false;
  control_ = std::move(*control);
  for (int i = 1; i <= std::atoi(options_["hosts"].c_str()); i++) {
    std::string name = "n";
    std::optional<Guest> guest = start_guest(
        {name.append(std::to_string(i)), i, std::atoi(options_["rails"].c_str()), std::atoi(options_["mtu"].c_str()),
         options_["memory"], options_["kernel"], options_["init"], lab_, options_["kernel-words"]},
        why);
    if (!guest) return false;
    guests_.push_back(std::move(*guest));
  }
  relay_.emplace(guests_, std::move(*exec));
  return true;
}

void Daemon::tell_parent(const std::string& text) {
  std::string bytes = text + "\n";
  if (parent_) write_some(parent_.get(), bytes);
  parent_.close();
}

void Daemon::fail(const std::string& why) {
  failure_ = why;
  ending_ = true;
}

void Daemon::collect() {
  signalfd_siginfo got;
  while (::read(signals_.get(), &got, sizeof got) == sizeof got)
    if (got.ssi_signo != SIGCHLD) ending_ = true;
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == switch_) {
      std::fprintf(stderr, "the switch ended with %s\n", how_it_ended(status).c_str());
      switch_ = -1;
      ending_ = true;
    }
    for (std::size_t i = 0; i < guests_.size(); i++) {
      if (guests_[i].pid != pid) continue;
      kill(-pid, SIGKILL);  // its processes
      guests_[i].death = how_it_ended(status);
      guests_[i].line.close();
      std::fprintf(stderr, "%s ended with %s\n", guests_[i].name.c_str(), guests_[i].death.c_str());
      relay_->guest_is_gone(i, guests_[i].name + " died: " + guests_[i].death);
    }
  }
}

void Daemon::report_readiness() {
  if (ready_ || ending_) return;
  for (const Guest& guest : guests_) {
    const std::string log = ", see " + lab_ + "/" + guest.name + "/console.log";
    if (!guest.alive()) return fail(guest.name + " died: " + guest.death + log);
    if (guest.ready && !guest.ready->empty()) return fail(guest.name + ": " + *guest.ready + log);
    if (!guest.ready && Clock::now() >= boot_by_) return fail(guest.name + " does not come up" + log);
    if (!guest.ready) return;
  }
  ready_ = true;
  tell_parent("ok");
}

std::string Daemon::status() const {
  std::string text = "ok\n";
  for (const Guest& guest : guests_)
    text += guest.name + " " + (guest.alive() ? guest.frozen ? "frozen" : "up" : "dead") + " pid " +
            std::to_string(guest.pid) + (guest.alive() ? "" : " " + guest.death) + "\n";
  return text;
}

std::string Daemon::obey(const std::string& line) {
  std::istringstream words(line);
  std::string verb, name;
  words >> verb >> name;
  if (verb == "status") return status();
  const auto guest = std::find_if(guests_.begin(), guests_.end(), [&](const Guest& one) { return one.name == name; });
  if (guest == guests_.end()) return "no host '" + name + "' in this lab";
  if (!guest->alive()) return name + " is dead: " + guest->death;
  // Only the kernel's own process: its guest's processes are traced by it and stop with it.
  if (verb == "kill") {
    kill_session(guest->pid);
  } else if (verb == "freeze" || verb == "thaw") {
    guest->frozen = verb == "freeze";
    kill(guest->pid, guest->frozen ? SIGSTOP : SIGCONT);
  } else {
    return "unknown command '" + verb + "'";
  }
  return "ok";
}

void Daemon::answer_control() {
  for (int fd; (fd = accept4(control_.get(), nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    Fd client(fd);
    // The client's line is on its way: it sends right after it has connected. Nobody may hold us up.
    pollfd poll_of{client.get(), POLLIN, 0};
    std::string line;
    if (poll(&poll_of, 1, 1000) != 1 || read_some(client.get(), line, 4096) != Io::kOk) continue;
    if (line == "down") {
      ending_ = true;
      waiting_for_end_.push_back(std::move(client));
      continue;
    }
    std::string answer = obey(line);
    write_some(client.get(), answer);
  }
}

// Bounded: what SIGKILL does not end within the limit is reported, not waited for.
void Daemon::end_all() {
  std::vector<pid_t> leaders;
  for (const Guest& guest : guests_)
    if (guest.pid > 0) leaders.push_back(guest.pid);
  if (switch_ > 0) leaders.push_back(switch_);
  for (const Guest& guest : guests_)
    if (guest.alive()) kill_session(guest.pid);
  if (switch_ > 0) kill_session(switch_);
  const auto by = Clock::now() + kDeathLimit;
  while (Clock::now() < by) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    std::erase_if(leaders, session_is_gone);
    if (leaders.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (const pid_t leader : leaders) std::fprintf(stderr, "processes of session %d survive SIGKILL\n", leader);
  std::error_code none;
  for (const char* name : {"/exec.socket", "/control.socket", "/switch.socket", "/pid", "/wires"})
    std::filesystem::remove_all(lab_ + name, none);
  for (const Guest& guest : guests_) std::filesystem::remove_all(lab_ + "/" + guest.name + "/" + guest.name, none);
  for (Fd& client : waiting_for_end_) {
    std::string answer = leaders.empty() ? "ok" : "some processes survive SIGKILL, see " + lab_ + "/daemon.log";
    write_some(client.get(), answer);
  }
}

int Daemon::run() {
  sigset_t handled;
  sigemptyset(&handled);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&handled, signal);
  sigprocmask(SIG_BLOCK, &handled, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  signals_ = Fd(signalfd(-1, &handled, SFD_NONBLOCK | SFD_CLOEXEC));
  if (const int with = std::atoi(options_["with"].c_str()); with > 0) {
    with_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, with, 0)));
    if (!with_) return tell_parent(error_text("process " + options_["with"])), 1;
  }
  std::string why;
  if (!start(why)) {
    end_all();
    tell_parent(why);
    return 1;
  }
  while (!ending_) {
    std::vector<pollfd> polls{{signals_.get(), POLLIN, 0}, {control_.get(), POLLIN, 0}, {with_.get(), POLLIN, 0}};
    relay_->add_polls(polls);
    if (poll(polls.data(), polls.size(), ready_ ? -1 : 1000) < 0 && errno != EINTR) break;
    relay_->serve(polls.data() + 3);
    if (polls[0].revents) collect();
    if (polls[1].revents) answer_control();
    if (polls[2].revents) ending_ = true;
    report_readiness();
  }
  end_all();
  if (!ready_) tell_parent(failure_.empty() ? "ended before the hosts were up" : failure_);
  return 0;
}

// The caller's process stays until the daemon has said "ok" or what is wrong.
int wait_for_daemon(int from) {
  std::string text;
  while (read_some(from, text, 4096) == Io::kOk) {
  }
  if (text == "ok\n") return 0;
  std::fprintf(stderr, "lab: %s", text.empty() ? "the daemon died, see daemon.log\n" : text.c_str());
  return 1;
}

}  // namespace
}  // namespace rocert::lab

int main(int argc, char** argv) {
  using namespace rocert::lab;
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) options[std::string(argv[i]).substr(2)] = argv[i + 1];
  for (const char* name : {"lab", "kernel", "init", "switch", "hosts", "rails", "mtu", "memory", "rate"}) {
    if (!options[name].empty()) continue;
    std::fprintf(stderr, "lab-daemon: --%s is missing\n", name);
    return 2;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return 1;
  Fd from(ends[0]), to(ends[1]);
  const pid_t pid = fork();
  if (pid < 0) return 1;
  if (pid > 0) {
    to.close();
    return wait_for_daemon(from.get());
  }
  from.close();
  setsid();
  const std::string lab = options["lab"];
  const int log = open((lab + "/daemon.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  if (FILE* file = std::fopen((lab + "/pid").c_str(), "w")) {
    std::fprintf(file, "%d\n", getpid());
    std::fclose(file);
  }
  return Daemon(std::move(options), std::move(to)).run();
}
