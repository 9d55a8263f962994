// make_hosts FOLDER: writes the constructed recordings of tests/hosts, each a snapshot of a sample host played back
// through a host in memory and recorded as `rocert record` does.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "cmd/units.h"
#include "host/memory_host.h"
#include "host/recorded_host.h"
#include "registry/drivers.h"
#include "support/snapshot_builder.h"
#include "survey/facts.h"
#include "survey/survey.h"

namespace rocert {
namespace {

template <class Query, class T>
void put_object(MemoryHost& host, const Query& query, const Observed<T>& object) {
  if (object) {
    host.objects[query] = KernelAnswer(*object);
  } else {
    host.objects[query] = tl::unexpected<Gap>(object.error());
  }
}

void put_file(MemoryHost& host, const std::string& path, const Observed<std::string>& text) {
  host.files[path] = text ? Observed<std::string>(*text + "\n") : text;
}

void put_facts(MemoryHost& host, Scope scope, const Placeholders& placeholders, const Facts& facts) {
  for (const Fact& fact : declared_facts()) {
    const auto found = facts.find(std::string(fact.key));
    const auto path = fill_in(fact.path, placeholders);
    if (fact.scope == scope && found != facts.end() && path) put_file(host, *path, found->second);
  }
}

void put_gids(MemoryHost& host, const Port& port) {
  const std::string folder = fmt::format("/sys/class/infiniband/{}/ports/{}", port.rdma.device, port.rdma.port);
  for (const Gid& gid : *port.gids) {
    std::string text;
    for (size_t i = 0; i < gid.raw.size(); i += 2)
      text += fmt::format("{}{:02x}{:02x}", i == 0 ? "" : ":", gid.raw[i], gid.raw[i + 1]);
    host.files[fmt::format("{}/gid_attrs/ndevs/{}", folder, gid.index)] = gid.netdev + "\n";
    host.files[fmt::format("{}/gid_attrs/types/{}", folder, gid.index)] =
        gid.type == GidType::kRoceV2 ? "RoCE v2\n" : "IB/RoCE v1\n";
    host.files[fmt::format("{}/gids/{}", folder, gid.index)] = text + "\n";
  }
}

void put_pci(MemoryHost& host, const Member& member) {
  const std::string folder = "/sys/bus/pci/devices/" + member.pci->bdf + "/";
  host.links["/sys/class/net/" + member.netdev + "/device"] = "../../../" + member.pci->bdf;
  host.links[folder + "driver"] = "../../../../bus/pci/drivers/" + member.pci->driver;
  host.files[folder + "vendor"] = fmt::format("{:#06x}\n", member.pci->vendor);
  host.files[folder + "device"] = fmt::format("{:#06x}\n", member.pci->device);
  host.files[folder + "subsystem_vendor"] = fmt::format("{:#06x}\n", member.pci->subsystem_vendor);
  host.files[folder + "subsystem_device"] = fmt::format("{:#06x}\n", member.pci->subsystem_device);
  host.files[folder + "numa_node"] = fmt::format("{}\n", member.pci->numa_node.value_or(-1));
}

void put_member(MemoryHost& host, const Member& member) {
  put_pci(host, member);
  put_object(host, DriverOf{member.netdev}, member.driver);
  put_object(host, LinkModesOf{member.netdev}, member.link_modes);
  put_object(host, DcbOf{member.netdev}, member.dcb);
  put_object(host, PauseOf{member.netdev}, member.pause);
  put_object(host, FecOf{member.netdev}, member.fec);
  put_object(host, RingsOf{member.netdev}, member.rings);
  put_object(host, PrivateFlagsOf{member.netdev}, member.private_flags);
  put_object(host, StatisticsOf{member.netdev}, member.statistics);
  put_facts(host, Scope::kMember, {{"netdev", member.netdev}, {"bdf", member.pci->bdf}}, member.facts);
}

void put_port(MemoryHost& host, const Port& port) {
  const RdmaPort& rdma = port.rdma;
  put_gids(host, port);
  put_object(host, RdmaStatisticsOf{rdma.device, rdma.port}, port.rdma_statistics);
  put_object(host, RdmaPortAttributesOf{rdma.device, rdma.port}, port.attributes);
  put_facts(host, Scope::kPort,
            {{"netdev", port.netdev()}, {"rdma", rdma.device}, {"rdma_port", std::to_string(rdma.port)}}, port.facts);
  for (const Member& member : port.members) put_member(host, member);
}

void play(MemoryHost& host, const Snapshot& snapshot) {
  put_file(host, "/proc/sys/kernel/hostname", snapshot.host.name);
  put_file(host, "/proc/sys/kernel/osrelease", snapshot.host.kernel);
  put_file(host, "/proc/sys/kernel/random/boot_id", snapshot.host.boot_id);
  put_file(host, "/etc/machine-id", snapshot.host.machine_id);
  put_file(host, "/sys/class/dmi/id/product_name", snapshot.host.product);
  host.links["/sys/class/net/eno1/device"] = "../../../0000:02:00.0";
  put_object(host, Links{}, snapshot.links);
  put_object(host, Addresses{}, snapshot.addresses);
  put_object(host, Routes{}, snapshot.routes);
  put_object(host, Rules{}, snapshot.rules);
  put_object(host, Neighbours{}, snapshot.neighbours);
  put_object(host, RdmaPorts{}, snapshot.rdma_ports);
  put_object(host, RdmaSystemOf{}, snapshot.rdma_system);
  put_facts(host, Scope::kHost, {}, snapshot.facts);
  for (const Port& port : snapshot.ports) put_port(host, port);
}

Result<> record(const Snapshot& snapshot, const std::string& folder) {
  MemoryHost host;
  play(host, snapshot);
  RecordingHost recording(host, {});
  static_cast<void>(survey(recording, {.facts = declared_facts(), .drivers = registry::drivers()}));
  return recording.save(folder);
}

// PFC forgotten on one port, MTU on the other.
Snapshot two_faults() {
  Snapshot snapshot = samples::good_snapshot({.name = "n18", .number = 2});
  snapshot.ports[1].members[0].dcb->pfc->enabled = 0;
  snapshot.ports[0].link.mtu = 1500;
  snapshot.ports[0].attributes->active_mtu = rdma_mtu_for(1500);
  samples::settle(snapshot);
  return snapshot;
}

// One of the two NICs is gone.
Snapshot one_port() { return samples::good_snapshot({.name = "n19", .number = 3, .ports = 1}); }

// What tests/bench measures on: as many ports and counters as a large GPU host has.
Snapshot crowded() {
  constexpr int kPorts = 8;
  constexpr int kCounters = 1500;
  Snapshot snapshot = samples::good_snapshot({.name = "n20", .number = 4, .ports = kPorts});
  for (Port& port : snapshot.ports) {
    for (int i = 0; i < kCounters; ++i) {
      (*port.members[0].statistics)[fmt::format("rx_{}_queue_packets", i)] = static_cast<uint64_t>(i) * 1'000'003;
    }
  }
  return snapshot;
}

Result<> make(const std::string& folder) {
  TRY(record(samples::good_snapshot({.name = "n17"}), folder + "/good"));
  TRY(record(two_faults(), folder + "/two-faults"));
  TRY(record(one_port(), folder + "/one-port"));
  return {};
}

}  // namespace
}  // namespace rocert

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool is_crowded = words.size() == 2 && words[0] == "--crowded";
  if (words.size() != 1 && !is_crowded) {
    fmt::print(stderr, "usage: make_hosts FOLDER, or make_hosts --crowded RECORDING\n");
    return 2;
  }
  const auto made = is_crowded ? rocert::record(rocert::crowded(), words[1]) : rocert::make(words[0]);
  if (!made) fmt::print(stderr, "make_hosts: {}\n", to_text(made.error()));
  return made ? 0 : 1;
}
