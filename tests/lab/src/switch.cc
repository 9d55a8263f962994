// The lab's switch: one Unix socket a port (SOCK_SEQPACKET, one frame a packet), all segments in one process.
// usage: lab-switch LAB HOSTS RAILS RATE     writes one byte to standard output when every port listens
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "commands.h"
#include "posix.h"

namespace rocert::lab {
namespace {

// A queue pair of soft-RoCE has at most half a megabyte in flight: room for eight of them, so that an incast on a
// healthy port loses nothing.
constexpr std::size_t kQueueBytes = 4 << 20;
constexpr std::size_t kMaxFrame = 16 * 1024;
constexpr int kReadsInTurn = 64;
constexpr int kWantedSocketBuffer = 1 << 20;

Nanoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

struct Plug {
  Fd listener, wire;
  bool blocked = false;  // the guest does not take more just now
};

std::string port_name(int host, int wire, int rails) {
  std::string name = "n";
  return name.append(std::to_string(host)).append(":").append(wire < rails ? std::to_string(wire) : "mgmt");
}

class Switch {
 public:
  Switch(Fabric fabric, std::vector<Plug> plugs, Fd control)
      : fabric_(std::move(fabric)), plugs_(std::move(plugs)), control_(std::move(control)) {}
  [[noreturn]] void serve();

 private:
  void plug_in(std::size_t port);
  void receive(std::size_t port);
  void send(std::size_t port);
  void answer_control();
  [[nodiscard]] std::optional<Nanoseconds> next_event() const;

  mutable Fabric fabric_;
  std::vector<Plug> plugs_;
  Fd control_;
};

// The kernel grants an unprivileged process less than it asks for, without an error.
void set_send_buffer(int fd, const std::string& name) {
  int got = 0;
  socklen_t size = sizeof got;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kWantedSocketBuffer, sizeof kWantedSocketBuffer);
  getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &got, &size);
  std::fprintf(stderr, "%s: plugged in, send buffer %d bytes\n", name.c_str(), got);
}

void Switch::plug_in(std::size_t port) {
  const int fd = accept4(plugs_[port].listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  set_send_buffer(fd, fabric_.ports()[port].name);
  plugs_[port].wire = Fd(fd);
  plugs_[port].blocked = false;
  fabric_.ports()[port].connected = true;
}

void Switch::receive(std::size_t port) {
  static std::array<std::uint8_t, kMaxFrame> buffer;
  for (int i = 0; i < kReadsInTurn; i++) {
    const ssize_t got = recv(plugs_[port].wire.get(), buffer.data(), buffer.size(), MSG_TRUNC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      plugs_[port].wire.close();
      fabric_.ports()[port].connected = false;
      return;
    }
    if (static_cast<std::size_t>(got) > buffer.size()) continue;
    fabric_.receive(port, std::make_shared<const Packet>(buffer.begin(), buffer.begin() + got), now());
  }
}

void Switch::send(std::size_t port) {
  Lane& lane = fabric_.ports()[port].to_host;
  const Nanoseconds time = now();
  for (auto due = lane.next_departure(); due && *due <= time; due = lane.next_departure()) {
    const Packet& packet = lane.front();
    if (plugs_[port].wire &&
        ::send(plugs_[port].wire.get(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
        (errno == EAGAIN || errno == ENOBUFS)) {
      plugs_[port].blocked = true;
      return;
    }
    lane.pop(time);
  }
}

void Switch::answer_control() {
  const Fd client(accept4(control_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  pollfd poll_of{client.get(), POLLIN, 0};
  std::string line;
  if (!client || poll(&poll_of, 1, 1000) != 1 || read_some(client.get(), line, 4096) != Io::kOk) return;
  std::string answer = obey(fabric_, line);
  write_some(client.get(), answer);
}

std::optional<Nanoseconds> Switch::next_event() const {
  std::optional<Nanoseconds> next = fabric_.next_advance();
  for (std::size_t i = 0; i < plugs_.size(); i++) {
    const auto due = plugs_[i].blocked ? std::nullopt : fabric_.ports()[i].to_host.next_departure();
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

void Switch::serve() {
  std::vector<pollfd> polls;
  for (;;) {
    polls.assign(1, {control_.get(), POLLIN, 0});
    for (const Plug& plug : plugs_) {
      polls.push_back({plug.listener.get(), POLLIN, 0});
      polls.push_back({plug.wire.get(), static_cast<short>(POLLIN | (plug.blocked ? POLLOUT : 0)), 0});
    }
    timespec left{};
    const std::optional<Nanoseconds> next = next_event();
    if (next) {
      const Nanoseconds wait = std::max(*next - now(), Nanoseconds(0));
      left.tv_sec = std::chrono::duration_cast<std::chrono::seconds>(wait).count();
      left.tv_nsec = (wait % std::chrono::seconds(1)).count();
    }
    if (ppoll(polls.data(), polls.size(), next ? &left : nullptr, nullptr) < 0 && errno != EINTR) std::abort();
    if (polls[0].revents) answer_control();
    for (std::size_t i = 0; i < plugs_.size(); i++) {
      const pollfd& wire = polls[2 + 2 * i];
      if (wire.revents & POLLOUT) plugs_[i].blocked = false;
      if (wire.revents & (POLLIN | POLLHUP | POLLERR)) receive(i);
      if (polls[1 + 2 * i].revents) plug_in(i);
    }
    fabric_.advance(now());
    for (std::size_t i = 0; i < plugs_.size(); i++)
      if (!plugs_[i].blocked) send(i);
  }
}

int run(const std::string& lab, int hosts, int rails, std::uint64_t rate) {
  std::string why;
  std::vector<Port> ports;
  std::vector<Plug> plugs;
  const std::string folder = lab + "/wires/";
  mkdir(folder.c_str(), 0755);
  for (int host = 1; host <= hosts; host++)
    for (int wire = 0; wire <= rails; wire++) {
      const std::string name = port_name(host, wire, rails);
      const std::uint64_t seed = ports.size() * 2;
      ports.push_back({name, wire, Lane(0, kQueueBytes, seed), Lane(wire < rails ? rate : 0, kQueueBytes, seed + 1)});
      std::optional<Fd> listener = listen_at(folder + name, SOCK_SEQPACKET, why);
      if (!listener) return std::fprintf(stderr, "lab-switch: %s\n", why.c_str()), 1;
      plugs.push_back({std::move(*listener), {}});
    }
  std::optional<Fd> control = listen_at(lab + "/switch.socket", SOCK_SEQPACKET, why);
  if (!control) return std::fprintf(stderr, "lab-switch: %s\n", why.c_str()), 1;
  if (::write(STDOUT_FILENO, "+", 1) != 1) return 1;
  Switch(Fabric(std::move(ports)), std::move(plugs), std::move(*control)).serve();
}

}  // namespace
}  // namespace rocert::lab

int main(int argc, char** argv) {
  using namespace rocert::lab;
  const std::optional<std::uint64_t> rate = argc == 5 ? parse_rate(argv[4]) : std::nullopt;
  if (!rate) {
    std::fprintf(stderr, "usage: lab-switch LAB HOSTS RAILS RATE\n");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  return run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), *rate);
}
