#include "host/netlink/rdma.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <unistd.h>

namespace rocert::netlink {
namespace {

constexpr uint16_t type_of(uint16_t command) { return RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command); }

// enum ib_port_state and enum ib_port_phys_state of include/rdma/ib_verbs.h.
constexpr std::array<std::string_view, 6> kStates{"nop", "down", "init", "armed", "active", "active_defer"};
constexpr std::array<std::string_view, 8> kPhysicalStates{
    "", "sleep", "polling", "disabled", "port_configuration_training", "link_up", "link_error_recovery", "phy_test"};
// Modules by enum rdma_driver_id of rdma/ib_user_ioctl_verbs.h; the last three are newer than Debian 12's.
constexpr std::array<std::string_view, 23> kDrivers{
    "",    "mlx5_ib", "mlx4_ib",    "iw_cxgb3", "iw_cxgb4", "ib_mthca",   "bnxt_re", "ocrdma",
    "nes", "irdma",   "vmw_pvrdma", "qedr",     "hns_roce", "usnic",      "rxe",     "hfi1",
    "qib", "efa",     "siw",        "erdma",    "mana_ib",  "ionic_rdma", "bng_re"};

template <size_t N>
std::string word(const std::array<std::string_view, N>& words, uint64_t number) {
  return number < N ? std::string(words[number]) : std::to_string(number);
}

// Numbers of nldev are four bytes in some kernels and eight in others.
std::optional<uint64_t> number(const Attributes& attributes, uint16_t type) {
  const auto payload = attributes.find(type);
  if (!payload) return std::nullopt;
  if (payload->size() >= sizeof(uint64_t)) return plain<uint64_t>(*payload);
  return plain<uint32_t>(*payload);
}

Request request_for(uint16_t command, uint16_t flags) { return {type_of(command), flags, Octets{}}; }

}  // namespace

int Rdma::open() { return socket_.open(NETLINK_RDMA); }

Observed<std::optional<RdmaPort>> parse_rdma_device(Octets body) {
  const auto attributes = Attributes::parse(body);
  if (!attributes) return malformed("rdma device");
  const auto index = attributes->get<uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX);
  const auto name = attributes->text(RDMA_NLDEV_ATTR_DEV_NAME);
  if (!index || !name) return malformed("rdma device");
  RdmaPort device;
  device.device = *name;
  device.device_index = *index;
  device.port = 0;
  device.protocol = attributes->text(RDMA_NLDEV_ATTR_DEV_PROTOCOL).value_or("");
  device.firmware = attributes->text(RDMA_NLDEV_ATTR_FW_VERSION).value_or("");
  return device;
}

Observed<std::optional<RdmaPort>> parse_rdma_port(Octets body) {
  const auto attributes = Attributes::parse(body);
  if (!attributes) return malformed("rdma port");
  const auto index = attributes->get<uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX);
  const auto name = attributes->text(RDMA_NLDEV_ATTR_DEV_NAME);
  const auto number = attributes->get<uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX);
  if (!index || !name || !number) return malformed("rdma port");
  RdmaPort port;
  port.device = *name;
  port.device_index = *index;
  port.port = *number;
  port.netdev_ifindex = attributes->get<int>(RDMA_NLDEV_ATTR_NDEV_INDEX);
  port.netdev = attributes->text(RDMA_NLDEV_ATTR_NDEV_NAME).value_or("");
  if (const auto state = attributes->get<uint8_t>(RDMA_NLDEV_ATTR_PORT_STATE)) port.state = word(kStates, *state);
  if (const auto state = attributes->get<uint8_t>(RDMA_NLDEV_ATTR_PORT_PHYS_STATE))
    port.physical_state = word(kPhysicalStates, *state);
  return port;
}

Observed<RdmaSystem> parse_rdma_system(Octets body) {
  const auto attributes = Attributes::parse(body);
  const auto mode = attributes ? attributes->get<uint8_t>(RDMA_NLDEV_SYS_ATTR_NETNS_MODE) : std::nullopt;
  if (!mode) return malformed("rdma system");
  return RdmaSystem{.netns_shared = *mode != 0};
}

Observed<Counters> parse_rdma_statistics(Octets body) {
  const auto attributes = Attributes::parse(body);
  const auto table = attributes ? attributes->nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS) : std::nullopt;
  if (!table) return malformed("rdma statistics");
  Counters counters;
  for (const Attribute& attribute : *table) {
    const auto entry = Attributes::parse(attribute.payload);
    const auto name = entry ? entry->text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME) : std::nullopt;
    const auto value = entry ? entry->get<uint64_t>(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE) : std::nullopt;
    if (!name || !value) return malformed("rdma statistics");
    counters.emplace(*name, *value);
  }
  return counters;
}

std::string parse_rdma_driver(Octets body) {
  const auto attributes = Attributes::parse(body);
  const auto id = attributes ? number(*attributes, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID) : std::nullopt;
  return id ? word(kDrivers, *id) : "";
}

// The question loads ib_uverbs where it is not loaded, and a read changes nothing: without its class it is not asked.
std::string Rdma::driver_of(uint32_t index) {
  if (access("/sys/class/infiniband_verbs", F_OK) != 0) return {};
  Request request = request_for(RDMA_NLDEV_CMD_GET_CHARDEV, kAck);
  request.put_plain(RDMA_NLDEV_ATTR_DEV_INDEX, index);
  request.put_text(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
  const Reply reply = socket_.exchange(request);
  return reply.error != 0 || reply.messages.empty() ? "" : parse_rdma_driver(reply.messages.front().body);
}

Observed<std::vector<RdmaPort>> Rdma::ports() {
  Request devices_request = request_for(RDMA_NLDEV_CMD_GET, kDump);
  const auto devices = collect(socket_.exchange(devices_request), "rdma devices", parse_rdma_device);
  if (!devices) return devices;
  indices_.clear();
  std::vector<RdmaPort> all;
  for (const RdmaPort& device : *devices) {
    indices_[device.device] = device.device_index;
    Request request = request_for(RDMA_NLDEV_CMD_PORT_GET, kDump);
    request.put_plain(RDMA_NLDEV_ATTR_DEV_INDEX, device.device_index);
    auto ports = collect(socket_.exchange(request), "rdma ports of " + device.device, parse_rdma_port);
    if (!ports) return ports;
    const std::string driver = driver_of(device.device_index);
    for (RdmaPort& port : *ports) {
      port.protocol = device.protocol;
      port.firmware = device.firmware;
      port.driver = driver;
      all.push_back(std::move(port));
    }
  }
  return all;
}

Observed<RdmaSystem> Rdma::system() {
  Request request = request_for(RDMA_NLDEV_CMD_SYS_GET, kAck);
  const Reply reply = socket_.exchange(request);
  if (reply.error != 0) return tl::unexpected<Gap>(reply.gap("rdma system"));
  if (reply.messages.empty()) return malformed("rdma system");
  return parse_rdma_system(reply.messages.front().body);
}

Observed<uint32_t> Rdma::index_of(const std::string& device) {
  if (const auto known = indices_.find(device); known != indices_.end()) return known->second;
  Request request = request_for(RDMA_NLDEV_CMD_GET, kDump);
  const auto devices = collect(socket_.exchange(request), "rdma devices", parse_rdma_device);
  if (!devices) return tl::unexpected<Gap>(devices.error());
  for (const RdmaPort& known : *devices) indices_[known.device] = known.device_index;
  const auto found = indices_.find(device);
  if (found == indices_.end()) return gap(GapReason::kAbsent, "rdma device " + device);
  return found->second;
}

Observed<Counters> Rdma::statistics(const std::string& device, uint32_t port) {
  const auto index = index_of(device);
  if (!index) return tl::unexpected<Gap>(index.error());
  Request request = request_for(RDMA_NLDEV_CMD_STAT_GET, kAck);
  request.put_plain(RDMA_NLDEV_ATTR_DEV_INDEX, *index);
  request.put_plain(RDMA_NLDEV_ATTR_PORT_INDEX, port);
  const Reply reply = socket_.exchange(request);
  const std::string what = "rdma statistics of " + device + "/" + std::to_string(port);
  if (reply.error != 0) {
    indices_.erase(device);  // it may have gone and come back under another number
    return tl::unexpected<Gap>(reply.gap(what));
  }
  if (reply.messages.empty()) return malformed("rdma statistics");
  return parse_rdma_statistics(reply.messages.front().body);
}

}  // namespace rocert::netlink
