// A machine in memory, NIC by NIC, as the kernel would show it.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/memory_host.h"

namespace rocert {

inline constexpr int kGidTableLength = 16;

struct Machine {
  MemoryHost host;
  std::vector<Link> links{{.ifindex = 1, .name = "lo", .type = 772, .mtu = 65536, .operstate = "unknown"}};
  std::vector<Address> addresses;
  std::vector<RdmaPort> rdma_ports;

  Machine() {
    host.files["/proc/sys/kernel/hostname"] = "n17\n";
    host.files["/proc/sys/kernel/osrelease"] = "6.1.0-30-amd64\n";
    host.files["/proc/sys/kernel/random/boot_id"] = "7d1f0b36-0000-4000-8000-0123456789ab\n";
    host.files["/etc/machine-id"] = "0123456789abcdef0123456789abcdef\n";
    host.files["/sys/class/dmi/id/product_name"] = gap(GapReason::kDenied, "product_name");
  }

  Link& add_link(const std::string& name, const std::string& kind = "") {
    const int ifindex = static_cast<int>(links.size()) + 1;
    links.push_back({.ifindex = ifindex, .name = name, .type = 1, .kind = kind, .mtu = 4200, .operstate = "up"});
    return links.back();
  }

  // A PCI function that carries the netdev.
  void add_pci(const std::string& netdev, const std::string& bdf, const std::string& driver) {
    const std::string folder = "/sys/bus/pci/devices/" + bdf + "/";
    host.links["/sys/class/net/" + netdev + "/device"] = "../../../" + bdf;
    host.links[folder + "driver"] = "../../../../bus/pci/drivers/" + driver;
    for (const auto& [name, text] : {std::pair{"vendor", "0x15b3"},
                                     {"device", "0x1021"},
                                     {"subsystem_vendor", "0x15b3"},
                                     {"subsystem_device", "0x0041"},
                                     {"current_link_speed", "32.0 GT/s PCIe"},
                                     {"current_link_width", "16"},
                                     {"max_link_speed", "32.0 GT/s PCIe"},
                                     {"max_link_width", "16"},
                                     {"numa_node", "1"}}) {
      host.files[folder + name] = std::string(text) + "\n";
    }
  }

  // GID entries at an index: netdev, type, text. Other indices answer as the kernel does, EINVAL.
  void add_gid(const std::string& device, int index, const std::string& netdev, const std::string& type,
               const std::string& text) {
    const std::string folder = "/sys/class/infiniband/" + device + "/ports/1/";
    for (int i = 0; i < kGidTableLength; ++i) {
      host.files.emplace(fmt::format("{}gid_attrs/ndevs/{}", folder, i), gap(GapReason::kNotSupported, "EINVAL"));
      host.files.emplace(fmt::format("{}gid_attrs/types/{}", folder, i), gap(GapReason::kNotSupported, "EINVAL"));
      host.files.emplace(fmt::format("{}gids/{}", folder, i), "0000:0000:0000:0000:0000:0000:0000:0000\n");
    }
    host.files[fmt::format("{}gid_attrs/ndevs/{}", folder, index)] = netdev + "\n";
    host.files[fmt::format("{}gid_attrs/types/{}", folder, index)] = type + "\n";
    host.files[fmt::format("{}gids/{}", folder, index)] = text + "\n";
  }

  RdmaPort& add_rdma(const std::string& device, const std::string& netdev, const std::string& protocol = "roce") {
    rdma_ports.push_back({.device = device,
                          .device_index = static_cast<uint32_t>(rdma_ports.size()),
                          .port = 1,
                          .protocol = protocol,
                          .driver = "mlx5_ib",
                          .netdev = netdev,
                          .state = "active"});
    return rdma_ports.back();
  }

  // A whole RoCE port with two routable GIDs, its PCI function and what the kernel tells of it.
  void add_port(const std::string& netdev, const std::string& device, const std::string& bdf) {
    add_link(netdev);
    add_pci(netdev, bdf, "mlx5_core");
    add_rdma(device, netdev);
    add_gid(device, 0, netdev, "IB/RoCE v1", "fe80:0000:0000:0000:0000:00ff:fe00:0100");
    add_gid(device, 3, netdev, "RoCE v2", "0000:0000:0000:0000:0000:ffff:c612:0001");
    addresses.push_back({.ifindex = links.back().ifindex, .local = *parse_prefix("198.18.0.1/24")});
    host.objects[DcbOf{netdev}] = KernelAnswer(Dcb{.pfc = Pfc{.enabled = 8}});
    host.objects[StatisticsOf{netdev}] = KernelAnswer(Counters{{"rx_prio3_pause", 7}});
    host.objects[RdmaStatisticsOf{device, 1}] = KernelAnswer(Counters{{"out_of_sequence", 2}});
    host.objects[RdmaPortAttributesOf{device, 1}] = KernelAnswer(RdmaPortAttributes{.active_mtu = 4096});
  }

  // What the kernel's lists answer; call it before the survey.
  MemoryHost& ready() {
    host.objects[Links{}] = KernelAnswer(links);
    host.objects[Addresses{}] = KernelAnswer(addresses);
    host.objects[RdmaPorts{}] = KernelAnswer(rdma_ports);
    return host;
  }

  size_t asked(std::string_view verb) const {
    return static_cast<size_t>(std::count_if(host.log.begin(), host.log.end(), [&](const std::string& entry) {
      return entry.starts_with(std::string(verb) + " ");
    }));
  }
};

}  // namespace rocert
