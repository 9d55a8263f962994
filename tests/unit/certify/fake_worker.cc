#include "unit/certify/fake_worker.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>

#include "base/text.h"
#include "certify/messages.h"
#include "certify/worker.h"
#include "fleet/channel.h"

namespace rocert {
namespace {

constexpr uint32_t kMegabits = 1000;
constexpr uint32_t kSlowMegabits = 100;

std::string behaviour_of(const std::string& host, const std::string& script) {
  for (const std::string_view part : split(script, ',')) {
    const size_t colon = part.find(':');
    if (colon != std::string_view::npos && part.substr(0, colon) == host) return std::string(part.substr(colon + 1));
  }
  return "good";
}

bool say(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Reads and says nothing until the coordinator goes away.
[[noreturn]] void stay() {
  char buffer[4096];
  while (::read(STDIN_FILENO, buffer, sizeof buffer) > 0) {
  }
  std::_Exit(0);
}

std::string frame(const FromWorker& message) { return encode_frame(encode(message)); }

// Those that do not even speak as a worker does.
void play_raw(const std::string& behaviour) {
  const std::string greeting = std::string(kHello) + frame(Welcome{"0", "raw"});
  if (behaviour == "exits") {
    std::cerr << "sh: rocert: command not found" << std::endl;
    std::_Exit(127);
  }
  if (behaviour == "silent") stay();
  if (behaviour == "old") say("rocert-fleet/0\n"), stay();
  if (behaviour == "garbage") say("Last login: today\n"), stay();
  if (behaviour == "oversize") say(std::string(kHello) + "\xff\xff\xff\xff"), stay();
  if (behaviour == "unknown-type") say(greeting + encode_frame(R"({"type": "song"})")), stay();
  if (behaviour == "stubborn") {
    std::signal(SIGTERM, SIG_IGN);
    say(greeting + frame(Surveyed{sample_snapshot("n1")}));
    for (;;) ::pause();
  }
  if (behaviour == "floods") {
    std::string flood;
    for (int i = 0; i < 1000; ++i) flood += frame(StepReached{7, "again"});
    say(greeting);
    while (say(flood)) {
    }
    stay();
  }
}

class Play {
 public:
  Play(std::string host, std::string behaviour) : host_(std::move(host)), behaviour_(std::move(behaviour)) {}

  Snapshot survey() const {
    std::cout << "what a library prints is not the protocol's" << std::endl;
    if (behaviour_ == "dies-in-survey") ::raise(SIGKILL);
    if (behaviour_ == "hangs-in-survey") ::pause();
    if (behaviour_ == "no-gid") {
      Snapshot snapshot = sample_snapshot(host_);
      snapshot.ports[1].gids = std::vector<Gid>{};
      return snapshot;
    }
    return sample_snapshot(host_);
  }

  // The active end's rate is the slower end's, which each tells by the length of its buffer.
  Result<HalfResult> probe(const ProbeOrder& order, const Exchange& exchange) const {
    if (behaviour_ == "no-verbs") return fail(ErrorKind::kSystem, "libibverbs.so.1: not found");
    const bool second_rail = order.self.netdev == "ens2np0";
    const uint32_t rate = behaviour_ == "slow" && second_rail ? kSlowMegabits : kMegabits;
    const Endpoint theirs = TRY(exchange.meet({.qp_number = 1, .length = rate, .mtu = 4096}));
    if (second_rail && behaviour_ == "dies-in-probe") ::raise(SIGKILL);
    if (second_rail && behaviour_ == "freezes-in-probe") ::raise(SIGSTOP);
    TRY(exchange.barrier("ready"));
    TRY(exchange.barrier("done"));
    HalfResult half{.data_intact = behaviour_ != "damages", .mtu = 4096};
    const double megabits = std::min(rate, theirs.length);
    half.figures = Figures{{"bits_per_second", megabits * 1e6}, {"p50_ns", 1e9 / megabits}, {"p99_ns", 2e9 / megabits}};
    return half;
  }

 private:
  std::string host_, behaviour_;
};

}  // namespace

Snapshot sample_snapshot(const std::string& host) {
  Snapshot snapshot;
  snapshot.host.name = host;
  snapshot.taken_at = "2026-11-30T22:55:13Z";
  const auto number = static_cast<uint8_t>(std::stoi(host.substr(1)));
  for (uint8_t rail = 0; rail < 2; ++rail) {
    Port port;
    port.link = {.ifindex = rail + 2, .name = rail == 0 ? "ens1np0" : "ens2np0", .mtu = 9000};
    port.rdma = {.device = rail == 0 ? "mlx5_0" : "mlx5_1", .protocol = "roce"};
    const IpAddress address{Family::kIpv4, {198, 18, rail, number}};
    port.addresses.push_back({.ifindex = port.link.ifindex, .local = {address, 24}});
    Gid local{.index = 0, .raw = {0xfe, 0x80}};
    Gid routable{.index = 3, .raw = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 18, rail, number}};
    port.gids = std::vector<Gid>{local, routable};
    port.attributes = RdmaPortAttributes{.active_mtu = 4096, .max_mtu = 4096, .active_speed = kMegabits};
    snapshot.ports.push_back(std::move(port));
  }
  return snapshot;
}

void play_worker(const std::string& host, const std::string& script) {
  const std::string behaviour = behaviour_of(host, script);
  play_raw(behaviour);
  auto stdio = take_stdio();
  if (!stdio) std::_Exit(9);
  const Play play(host, behaviour);
  const auto ended = run_worker(
      std::move(stdio->input), std::move(stdio->output),
      {.version = "0.1.0",
       .host = host,
       .survey = [&] { return play.survey(); },
       .probe = [&](const ProbeOrder& order, const Exchange& exchange) { return play.probe(order, exchange); },
       .read_counters =
           [packets = std::map<std::string, uint64_t>()](const ProbeOrder& order) mutable {
             return CounterReading{.values = {{"ethtool.rx_prio3_packets", packets[order.self.netdev] += 10}}};
           }});
  if (!ended) std::cerr << to_text(ended.error()) << std::endl;
  std::_Exit(ended ? 0 : 2);
}

}  // namespace rocert
