#include "survey/rdma.h"

#include <fmt/format.h>

#include <cctype>

#include "base/text.h"
#include "survey/gids.h"

namespace rocert {
namespace {

constexpr std::string_view kClass = "/sys/class/infiniband";

std::string port_path(const RdmaPort& port, std::string_view name) {
  return fmt::format("{}/{}/ports/{}/{}", kClass, port.device, port.port, name);
}

// soft-RoCE names its netdev in `parent` and may hang on another driver's PCI function.
std::string read_driver(Host& host, const std::string& device) {
  if (host.read(fmt::format("{}/{}/parent", kClass, device))) return "rxe";
  const auto target = host.link(fmt::format("{}/{}/device/driver", kClass, device));
  return target ? target->substr(target->rfind('/') + 1) : std::string();
}

// "5: LinkUp" as "link_up", the word of netlink's tools.
std::string parse_state(std::string_view text) {
  const size_t colon = text.find(':');
  std::string word;
  for (const char c : trim(colon == std::string_view::npos ? text : text.substr(colon + 1))) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) && !word.empty() && std::islower(static_cast<unsigned char>(word.back()))) word += '_';
    word += c;
  }
  for (char& c : word) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

std::string read_text(Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trim(*text)) : std::string();
}

RdmaPort read_sysfs_port(Host& host, const std::string& device, uint32_t number) {
  RdmaPort port{.device = device, .port = number};
  port.firmware = read_text(host, fmt::format("{}/{}/fw_ver", kClass, device));
  port.state = parse_state(read_text(host, port_path(port, "state")));
  port.physical_state = parse_state(read_text(host, port_path(port, "phys_state")));
  port.netdev = read_first_gid_netdev(host, device, number).value_or("");
  return port;
}

Observed<std::vector<RdmaPort>> read_sysfs_ports(Host& host) {
  const auto devices = host.list(std::string(kClass));
  if (!devices) return tl::unexpected<Gap>(devices.error());
  std::vector<RdmaPort> ports;
  for (const std::string& device : *devices) {
    const auto numbers = host.list(fmt::format("{}/{}/ports", kClass, device));
    if (!numbers) return tl::unexpected<Gap>(numbers.error());
    for (const std::string& name : *numbers) {
      const auto number = parse_unsigned(name);
      if (!number || *number > 0xff)
        return gap(GapReason::kMalformed, fmt::format("{}/{}/ports: seen {}", kClass, device, escaped(name, 60)));
      ports.push_back(read_sysfs_port(host, device, static_cast<uint32_t>(*number)));
    }
  }
  return ports;
}

RdmaNature nature_of_ethernet(Host& host, const RdmaPort& port) {
  const std::string path = fmt::format("{}/{}/node_type", kClass, port.device);
  const auto node_type = host.read(path);
  if (!node_type) return {DeviceKind::kUnknownRdma, "no protocol told, node type " + to_text(node_type.error())};
  const std::string_view text = trim(*node_type);
  if (text.starts_with("1:")) return {std::nullopt, "link layer Ethernet, node type CA"};
  if (text.starts_with("4:")) return {DeviceKind::kIwarp, "node type RNIC"};
  return {DeviceKind::kUnknownRdma, "node type " + std::string(text)};
}

}  // namespace

Observed<std::vector<RdmaPort>> read_rdma_ports(Host& host) {
  auto ports = host.get(RdmaPorts{});
  if (!ports) {
    auto found = read_sysfs_ports(host);
    if (!found && found.error().reason == GapReason::kAbsent) return ports;
    ports = std::move(found);
  }
  if (!ports) return ports;
  for (RdmaPort& port : *ports) {
    if (port.driver.empty()) port.driver = read_driver(host, port.device);
  }
  return ports;
}

RdmaNature read_rdma_nature(Host& host, const RdmaPort& port) {
  if (port.driver == "efa") return {DeviceKind::kEfa, "driver efa"};
  if (port.protocol == "roce") return {std::nullopt, "protocol roce"};
  if (port.protocol == "ib") return {DeviceKind::kInfiniband, "protocol ib"};
  if (port.protocol == "iw") return {DeviceKind::kIwarp, "protocol iw"};
  if (!port.protocol.empty()) return {DeviceKind::kUnknownRdma, "protocol " + port.protocol};
  const auto layer = host.read(port_path(port, "link_layer"));
  if (!layer) return {DeviceKind::kUnknownRdma, "no protocol told, link layer " + to_text(layer.error())};
  const std::string_view text = trim(*layer);
  if (text == "InfiniBand") return {DeviceKind::kInfiniband, "link layer InfiniBand"};
  if (text == "Ethernet") return nature_of_ethernet(host, port);
  return {DeviceKind::kUnknownRdma, "link layer " + std::string(text)};
}

}  // namespace rocert
