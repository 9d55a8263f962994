#include "probe/gid_table.h"

#include <fmt/format.h>
#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/text.h"
#include "model/rdma.h"
#include "probe/verbs_error.h"

namespace rocert {
namespace {

constexpr uint32_t kTableLimit = 256;  // a queue pair is told the index in 8 bits (ibv_global_route)

std::array<uint8_t, 16> gid_of(const IpAddress& address) {
  if (address.family == Family::kIpv6) return address.bytes;
  std::array<uint8_t, 16> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  std::copy_n(address.bytes.begin(), 4, mapped.begin() + 12);
  return mapped;
}

std::array<uint8_t, 16> raw_of(const ibv_gid_entry& entry) { return std::to_array(entry.gid.raw); }

Result<std::vector<ibv_gid_entry>> read_table(const Verbs& verbs, ibv_context& device, uint32_t port,
                                              uint32_t entries) {
  std::vector<ibv_gid_entry> table;
  int refusal = 0;
  for (uint32_t index = 0; index < std::min(entries, kTableLimit); ++index) {
    ibv_gid_entry entry{};
    const int result = verbs.query_gid_ex(&device, port, index, &entry, 0, sizeof entry);
    if (result == 0) {
      entry.gid_index = index;
      table.push_back(entry);
    } else if (const int number = errno_of(result); number != ENODATA) {
      refusal = number;  // sysfs answers EINVAL for a slot that is not mapped
    }
  }
  if (table.empty() && refusal != 0) return verbs_failure("ibv_query_gid_ex", device_name(device), refusal);
  return table;
}

std::string netdev_of(const ibv_gid_entry& entry) {
  std::array<char, IF_NAMESIZE> name{};
  if (entry.ndev_ifindex == 0) return "no netdev";
  if (if_indextoname(entry.ndev_ifindex, name.data()) == nullptr) return fmt::format("ifindex {}", entry.ndev_ifindex);
  return name.data();
}

std::string type_of(const ibv_gid_entry& entry) {
  switch (entry.gid_type) {
    case IBV_GID_TYPE_ROCE_V2:
      return "RoCE v2";
    case IBV_GID_TYPE_ROCE_V1:
      return "RoCE v1";
    default:
      return "InfiniBand";
  }
}

std::string describe(const std::vector<ibv_gid_entry>& table) {
  std::vector<std::string> texts;
  for (const ibv_gid_entry& entry : table) {
    const Gid gid{.raw = raw_of(entry)};
    texts.push_back(fmt::format("{} {} on {} (index {})", to_text(gid.address()), type_of(entry), netdev_of(entry),
                                entry.gid_index));
  }
  return texts.empty() ? "nothing" : join(texts, ", ");
}

}  // namespace

Result<GidChoice> find_gid(const Verbs& verbs, ibv_context& device, const End& end, uint32_t entries) {
  const std::string where = fmt::format("{} port {}", escaped(end.rdma_device), end.rdma_port);
  const auto address = parse_ip(end.gid);
  if (!address) {
    return fail(ErrorKind::kUsage,
                fmt::format("{}: '{}' is no IP address: a RoCE v2 GID stands for one", where, escaped(end.gid)));
  }
  const std::array<uint8_t, 16> wanted = gid_of(*address);
  const std::vector<ibv_gid_entry> table = TRY(read_table(verbs, device, end.rdma_port, entries));

  std::vector<ibv_gid_entry> matches;
  for (const ibv_gid_entry& entry : table) {
    if (entry.gid_type == IBV_GID_TYPE_ROCE_V2 && raw_of(entry) == wanted) matches.push_back(entry);
  }
  if (matches.empty()) {
    return fail(ErrorKind::kSystem,
                fmt::format("{} has no RoCE v2 GID for {}; it has {}. Is the address set on its netdev {}?", where,
                            escaped(end.gid), describe(table), escaped(end.netdev)));
  }
  const uint32_t ifindex = end.netdev.empty() ? 0 : if_nametoindex(end.netdev.c_str());
  const auto on_netdev = std::ranges::find_if(
      matches, [&](const ibv_gid_entry& entry) { return ifindex != 0 && entry.ndev_ifindex == ifindex; });
  if (on_netdev != matches.end()) return GidChoice{on_netdev->gid_index, wanted};
  if (matches.size() == 1) return GidChoice{matches.front().gid_index, wanted};
  return fail(ErrorKind::kSystem, fmt::format("{}: {} is on several netdevs, and {} is none of them: {}", where,
                                              escaped(end.gid), escaped(end.netdev), describe(matches)));
}

}  // namespace rocert
