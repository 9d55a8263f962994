#include "guest.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace rocert::lab {
namespace {

// Locally administered; the last two bytes are the wire's and the host's number.
std::string mac_of(int wire, int host) {
  char text[18];
  std::snprintf(text, sizeof text, "02:00:00:00:%02x:%02x", wire & 0xff, host & 0xff);
  return text;
}

// At the driver's default depth of 64 its ring drops a part of each burst.
std::string wire_words(const GuestPlan& plan, int wire) {
  const std::string port = wire < plan.rails ? std::to_string(wire) : "mgmt";
  return "vec" + std::to_string(wire) + ":transport=bess,dst=" + plan.lab + "/wires/" + plan.name + ":" + port +
         ",mtu=9216,depth=256,mac=" + mac_of(wire, plan.number);
}

}  // namespace

std::vector<std::string> kernel_words(const GuestPlan& plan, int line) {
  const std::string fd = std::to_string(line);
  std::vector<std::string> words{plan.kernel,
                                 "mem=" + plan.memory,
                                 "umid=" + plan.name,
                                 "uml_dir=" + plan.lab + "/" + plan.name,
                                 "root=/dev/root",
                                 "rootfstype=hostfs",
                                 "rootflags=/",
                                 "ro",
                                 "init=" + plan.init,
                                 "con=null",
                                 "con0=null,fd:1",
                                 "ssl=null",
                                 "ssl0=fd:" + fd + ",fd:" + fd,
                                 "loglevel=4",
                                 "bonding.max_bonds=0",
                                 "dummy.numdummies=0",
                                 "labnic.nics=" + std::to_string(plan.rails),
                                 "lab.host=" + std::to_string(plan.number),
                                 "lab.rails=" + std::to_string(plan.rails),
                                 "lab.mtu=" + std::to_string(plan.mtu),
                                 "lab.exchange=" + plan.lab + "/exchange"};
  for (int wire = 0; wire <= plan.rails; wire++) words.push_back(wire_words(plan, wire));
  if (!plan.extra.empty()) words.push_back(plan.extra);
  return words;
}

pid_t start_process(const std::vector<std::string>& words, const std::string& log, int out, int kept,
                    const std::string& tmpdir) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const int null = open("/dev/null", O_RDONLY);
  const int to = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(null, STDIN_FILENO);
  dup2(out >= 0 ? out : to, STDOUT_FILENO);
  dup2(to, STDERR_FILENO);
  if (kept >= 0) fcntl(kept, F_SETFD, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  setenv("TMPDIR", tmpdir.c_str(), 1);
  execv(argv[0], argv.data());
  std::perror(argv[0]);
  _exit(127);
}

std::optional<Guest> start_guest(const GuestPlan& plan, std::string& why) {
  const std::string folder = plan.lab + "/" + plan.name;
  int ends[2];
  if ((mkdir(folder.c_str(), 0755) < 0 && errno != EEXIST) ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    why = error_text(folder);
    return std::nullopt;
  }
  Guest guest;
  guest.name = plan.name;
  guest.line = Fd(ends[0]);
  const Fd theirs(ends[1]);
  set_nonblocking(guest.line.get());
  // The instance keeps its memory in a file of TMPDIR, which must allow execution.
  guest.pid = start_process(kernel_words(plan, theirs.get()), folder + "/console.log", -1, theirs.get(), "/dev/shm");
  if (guest.pid < 0) {
    why = error_text("fork");
    return std::nullopt;
  }
  return guest;
}

void kill_session(pid_t leader) {
  kill(-leader, SIGKILL);
  kill(leader, SIGKILL);
}

bool session_is_gone(pid_t leader) { return kill(-leader, 0) < 0 && errno == ESRCH; }

}  // namespace rocert::lab
