#include "survey/gids.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace rocert {
namespace {

std::string port_folder(const std::string& device, uint32_t port) {
  return fmt::format("/sys/class/infiniband/{}/ports/{}", device, port);
}

// The kernel answers EINVAL for an index without an entry.
bool is_empty_slot(const Gap& gap) {
  return gap.reason == GapReason::kNotSupported || gap.reason == GapReason::kAbsent ||
         gap.reason == GapReason::kUnreadable;
}

Observed<std::vector<uint32_t>> list_indices(Host& host, const std::string& folder) {
  const auto names = host.list(folder + "/gid_attrs/ndevs");
  if (!names) return tl::unexpected<Gap>(names.error());
  std::vector<uint32_t> indices;
  for (const std::string& name : *names) {
    const auto index = parse_unsigned(name);
    if (!index || *index > 0xffff)
      return gap(GapReason::kMalformed, folder + "/gid_attrs/ndevs: seen " + escaped(name, 60) + ", wanted an index");
    indices.push_back(static_cast<uint32_t>(*index));
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

// Netdev of the entry; empty: no entry.
Observed<std::string> read_netdev(Host& host, const std::string& folder, uint32_t index) {
  const auto text = host.read(fmt::format("{}/gid_attrs/ndevs/{}", folder, index));
  if (text) return std::string(trim(*text));
  if (is_empty_slot(text.error())) return std::string();
  return text;
}

Observed<GidType> parse_gid_type(std::string_view text, const std::string& path) {
  if (text == "RoCE v2") return GidType::kRoceV2;
  if (text == "IB/RoCE v1") return GidType::kRoceV1;
  return gap(GapReason::kMalformed,
             path + ": seen \"" + escaped(text, 60) + "\", wanted \"RoCE v2\" or \"IB/RoCE v1\"");
}

Observed<Gid> read_entry(Host& host, const std::string& folder, uint32_t index, std::string netdev) {
  const std::string type_path = fmt::format("{}/gid_attrs/types/{}", folder, index);
  const std::string gid_path = fmt::format("{}/gids/{}", folder, index);
  const auto type_text = host.read(type_path);
  if (!type_text) return tl::unexpected<Gap>(type_text.error());
  const auto type = parse_gid_type(trim(*type_text), type_path);
  if (!type) return tl::unexpected<Gap>(type.error());
  const auto gid_text = host.read(gid_path);
  if (!gid_text) return tl::unexpected<Gap>(gid_text.error());
  const auto address = parse_ip(trim(*gid_text));
  if (!address || address->family != Family::kIpv6)
    return gap(GapReason::kMalformed, gid_path + ": seen \"" + escaped(trim(*gid_text), 60) + "\", wanted a GID");
  return Gid{index, address->bytes, *type, std::move(netdev)};
}

}  // namespace

Observed<std::vector<Gid>> read_gids(Host& host, const std::string& device, uint32_t port) {
  const std::string folder = port_folder(device, port);
  const auto indices = list_indices(host, folder);
  if (!indices) return tl::unexpected<Gap>(indices.error());
  std::vector<Gid> gids;
  for (const uint32_t index : *indices) {
    auto netdev = read_netdev(host, folder, index);
    if (!netdev) return tl::unexpected<Gap>(netdev.error());
    if (netdev->empty()) continue;
    auto gid = read_entry(host, folder, index, *std::move(netdev));
    if (!gid) return tl::unexpected<Gap>(gid.error());
    gids.push_back(*std::move(gid));
  }
  return gids;
}

Observed<std::string> read_first_gid_netdev(Host& host, const std::string& device, uint32_t port) {
  const std::string folder = port_folder(device, port);
  const auto indices = list_indices(host, folder);
  if (!indices) return tl::unexpected<Gap>(indices.error());
  for (const uint32_t index : *indices) {
    auto netdev = read_netdev(host, folder, index);
    if (!netdev || !netdev->empty()) return netdev;
  }
  return gap(GapReason::kAbsent, folder + ": no GID names a netdev");
}

}  // namespace rocert
