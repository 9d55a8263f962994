// Snapshot: what one host is at one moment. Immutable once taken, comparable, serialisable; missing facts are Gaps.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dcb.h"
#include "model/ethtool.h"
#include "model/gap.h"
#include "model/link.h"
#include "model/rdma.h"
#include "model/route.h"

namespace rocert {

// Trimmed text of the files that units declared (model/fact.h), by the Fact's key.
using Facts = std::map<std::string, Observed<std::string>>;

struct HostIdentity {
  std::string name;  // kernel's nodename; empty: not told
  Observed<std::string> machine_id = gap(GapReason::kNotAsked, "");
  Observed<std::string> boot_id = gap(GapReason::kNotAsked, "");
  Observed<std::string> kernel = gap(GapReason::kNotAsked, "");   // release
  Observed<std::string> product = gap(GapReason::kNotAsked, "");  // DMI product name
  bool operator==(const HostIdentity&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"name", &HostIdentity::name}, Field{"machine_id", &HostIdentity::machine_id},
                      Field{"boot_id", &HostIdentity::boot_id}, Field{"kernel", &HostIdentity::kernel},
                      Field{"product", &HostIdentity::product}};
  }
};

struct PciFunction {
  std::string bdf;  // "0000:40:00.0"
  uint16_t vendor = 0, device = 0, subsystem_vendor = 0, subsystem_device = 0;
  std::string driver;                                                  // bound module; empty: none
  bool virtual_function = false;                                       // has a physfn link
  std::string link_speed, link_width, max_link_speed, max_link_width;  // as sysfs prints them; empty: not told
  std::optional<int> numa_node;                                        // -1 in sysfs: none
  bool operator==(const PciFunction&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"bdf", &PciFunction::bdf},
                      Field{"vendor", &PciFunction::vendor},
                      Field{"device", &PciFunction::device},
                      Field{"subsystem_vendor", &PciFunction::subsystem_vendor},
                      Field{"subsystem_device", &PciFunction::subsystem_device},
                      Field{"driver", &PciFunction::driver},
                      Field{"virtual_function", &PciFunction::virtual_function},
                      Field{"link_speed", &PciFunction::link_speed},
                      Field{"link_width", &PciFunction::link_width},
                      Field{"max_link_speed", &PciFunction::max_link_speed},
                      Field{"max_link_width", &PciFunction::max_link_width},
                      Field{"numa_node", &PciFunction::numa_node}};
  }
};

// A physical port or plane below a Port: DCB, pause, FEC and the driver's counters are its own.
struct Member {
  std::string netdev;
  int ifindex = 0;
  std::string address;  // link-layer
  Observed<PciFunction> pci = gap(GapReason::kNotAsked, "");
  Observed<DriverIdentity> driver = gap(GapReason::kNotAsked, "");
  Observed<LinkModes> link_modes = gap(GapReason::kNotAsked, "");
  Observed<Dcb> dcb = gap(GapReason::kNotAsked, "");
  Observed<Pause> pause = gap(GapReason::kNotAsked, "");
  Observed<Fec> fec = gap(GapReason::kNotAsked, "");
  Observed<Rings> rings = gap(GapReason::kNotAsked, "");
  Observed<PrivateFlags> private_flags = gap(GapReason::kNotAsked, "");
  Observed<Counters> statistics = gap(GapReason::kNotAsked, "");
  Facts facts;
  bool operator==(const Member&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"netdev", &Member::netdev},
                      Field{"ifindex", &Member::ifindex},
                      Field{"address", &Member::address},
                      Field{"pci", &Member::pci},
                      Field{"driver", &Member::driver},
                      Field{"link_modes", &Member::link_modes},
                      Field{"dcb", &Member::dcb},
                      Field{"pause", &Member::pause},
                      Field{"fec", &Member::fec},
                      Field{"rings", &Member::rings},
                      Field{"private_flags", &Member::private_flags},
                      Field{"statistics", &Member::statistics},
                      Field{"facts", &Member::facts}};
  }
};

// A RoCE port: an L3 netdev with its RDMA device. MTU, addresses, GIDs and routes belong to it.
struct Port {
  Link link;
  RdmaPort rdma;
  std::vector<Address> addresses;  // of the netdev
  Observed<std::vector<Gid>> gids = gap(GapReason::kNotAsked, "");
  Observed<RdmaPortAttributes> attributes = gap(GapReason::kNotAsked, "");
  Observed<Counters> rdma_statistics = gap(GapReason::kNotAsked, "");
  Facts facts;
  std::vector<Member> members;  // at least one where a physical port is found; the netdev itself when it is one
  bool operator==(const Port&) const = default;
  const std::string& netdev() const { return link.name; }
  static constexpr auto fields() {
    return std::tuple{Field{"link", &Port::link},
                      Field{"rdma", &Port::rdma},
                      Field{"addresses", &Port::addresses},
                      Field{"gids", &Port::gids},
                      Field{"attributes", &Port::attributes},
                      Field{"rdma_statistics", &Port::rdma_statistics},
                      Field{"facts", &Port::facts},
                      Field{"members", &Port::members}};
  }
};

// What is not a RoCE port is told apart by what it is, listed and counted, never judged.
enum class DeviceKind { kManagement, kVirtual, kInfiniband, kIwarp, kEfa, kUnknownRdma };
template <>
struct Words<DeviceKind> {
  static constexpr std::array<std::pair<DeviceKind, std::string_view>, 6> values{
      {{DeviceKind::kManagement, "management"},
       {DeviceKind::kVirtual, "virtual"},
       {DeviceKind::kInfiniband, "infiniband"},
       {DeviceKind::kIwarp, "iwarp"},
       {DeviceKind::kEfa, "efa"},
       {DeviceKind::kUnknownRdma, "unknown rdma"}}};
};

struct OtherDevice {
  std::string name;  // netdev, or RDMA device and port ("mlx5_4/1") without one
  DeviceKind kind = DeviceKind::kManagement;
  std::string why;  // the fact that decided, e.g. "link layer InfiniBand"
  bool operator==(const OtherDevice&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"name", &OtherDevice::name}, Field{"kind", &OtherDevice::kind},
                      Field{"why", &OtherDevice::why}};
  }
};

struct Snapshot {
  HostIdentity host;
  std::string taken_at;  // UTC, "2026-11-30T22:55:13Z"
  Observed<std::vector<Link>> links = gap(GapReason::kNotAsked, "");
  Observed<std::vector<Address>> addresses = gap(GapReason::kNotAsked, "");
  Observed<std::vector<Route>> routes = gap(GapReason::kNotAsked, "");
  Observed<std::vector<Rule>> rules = gap(GapReason::kNotAsked, "");
  Observed<std::vector<Neighbour>> neighbours = gap(GapReason::kNotAsked, "");
  Observed<std::vector<RdmaPort>> rdma_ports = gap(GapReason::kNotAsked, "");  // of every protocol
  Observed<RdmaSystem> rdma_system = gap(GapReason::kNotAsked, "");
  Facts facts;
  std::vector<Port> ports;          // RoCE ports, by netdev name
  std::vector<OtherDevice> others;  // by name
  bool operator==(const Snapshot&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"host", &Snapshot::host},
                      Field{"taken_at", &Snapshot::taken_at},
                      Field{"links", &Snapshot::links},
                      Field{"addresses", &Snapshot::addresses},
                      Field{"routes", &Snapshot::routes},
                      Field{"rules", &Snapshot::rules},
                      Field{"neighbours", &Snapshot::neighbours},
                      Field{"rdma_ports", &Snapshot::rdma_ports},
                      Field{"rdma_system", &Snapshot::rdma_system},
                      Field{"facts", &Snapshot::facts},
                      Field{"ports", &Snapshot::ports},
                      Field{"others", &Snapshot::others}};
  }
};

// A fact by key, or a Gap "not asked" when nobody declared it.
Observed<std::string> find_fact(const Facts& facts, std::string_view key);
// Port by netdev or by RDMA device name; null when there is none.
const Port* find_port(const Snapshot& snapshot, std::string_view name);

struct Tally {
  size_t facts = 0;
  size_t gaps = 0;
};
// How many facts a snapshot holds and how many are Gaps (every Observed counts as one).
Tally tally(const Snapshot& snapshot);

// `schema: rocert/snapshot/1`, indented, keys in the order of fields(). decode refuses an unknown major with both
// named; a fact that an older writer lacked is a Gap "not recorded".
std::string encode_snapshot(const Snapshot& snapshot);
Result<Snapshot> decode_snapshot(std::string_view text);

}  // namespace rocert
