#include "packet.h"

#include <algorithm>

namespace rocert::lab {
namespace {

constexpr std::uint16_t kVlan = 0x8100, kIpv4 = 0x0800, kIpv6 = 0x86dd;
constexpr std::size_t kVlanTag = 4, kIpv4Header = 20, kIpv6Header = 40, kIpv4Checksum = 10;

std::uint16_t read16(std::span<const std::uint8_t> at, std::size_t offset) {
  return static_cast<std::uint16_t>(at[offset] << 8 | at[offset + 1]);
}

void write16(std::span<std::uint8_t> at, std::size_t offset, std::uint16_t value) {
  at[offset] = static_cast<std::uint8_t>(value >> 8);
  at[offset + 1] = static_cast<std::uint8_t>(value);
}

struct IpHeader {
  std::size_t at = 0;
  bool v4 = false;
};

std::size_t payload_at(std::span<const std::uint8_t> frame) {
  if (!has_ethernet_header(frame)) return frame.size();
  const bool tagged = read16(frame, 12) == kVlan && frame.size() >= kEthernetHeader + kVlanTag;
  return kEthernetHeader + (tagged ? kVlanTag : 0);
}

std::optional<IpHeader> find_ip(std::span<const std::uint8_t> frame) {
  const std::size_t at = payload_at(frame);
  if (at < kEthernetHeader || at > frame.size()) return std::nullopt;
  const std::size_t room = frame.size() - at;
  const std::uint16_t type = read16(frame, at - 2);
  if (type == kIpv4 && room >= kIpv4Header && frame[at] >> 4 == 4) {
    const std::size_t header = (frame[at] & 0xf) * 4u;
    if (header >= kIpv4Header && header <= room) return IpHeader{at, true};
  }
  if (type == kIpv6 && room >= kIpv6Header && frame[at] >> 4 == 6) return IpHeader{at, false};
  return std::nullopt;
}

std::uint8_t traffic_class_of(std::span<const std::uint8_t> frame, IpHeader ip) {
  if (ip.v4) return frame[ip.at + 1];
  return static_cast<std::uint8_t>(read16(frame, ip.at) >> 4);
}

}  // namespace

bool has_ethernet_header(std::span<const std::uint8_t> frame) { return frame.size() >= kEthernetHeader; }

Mac destination_of(std::span<const std::uint8_t> frame) {
  Mac mac;
  std::copy_n(frame.begin(), mac.size(), mac.begin());
  return mac;
}

Mac source_of(std::span<const std::uint8_t> frame) {
  Mac mac;
  std::copy_n(frame.begin() + 6, mac.size(), mac.begin());
  return mac;
}

bool is_group(const Mac& mac) { return mac[0] & 1; }

std::size_t payload_size(std::span<const std::uint8_t> frame) { return frame.size() - payload_at(frame); }

std::optional<std::uint8_t> dscp_of(std::span<const std::uint8_t> frame) {
  const std::optional<IpHeader> ip = find_ip(frame);
  if (!ip) return std::nullopt;
  return static_cast<std::uint8_t>(traffic_class_of(frame, *ip) >> 2);
}

bool set_dscp(std::span<std::uint8_t> frame, std::uint8_t dscp) {
  const std::optional<IpHeader> ip = find_ip(frame);
  if (!ip) return false;
  const auto traffic_class = static_cast<std::uint8_t>(dscp << 2 | (traffic_class_of(frame, *ip) & 3));
  if (!ip->v4) {
    write16(frame, ip->at, static_cast<std::uint16_t>((read16(frame, ip->at) & 0xf00f) | traffic_class << 4));
    return true;
  }
  frame[ip->at + 1] = traffic_class;
  write16(frame, ip->at + kIpv4Checksum, 0);
  const std::size_t header = (frame[ip->at] & 0xf) * 4u;
  write16(frame, ip->at + kIpv4Checksum, internet_checksum(frame.subspan(ip->at, header)));
  return true;
}

std::uint16_t internet_checksum(std::span<const std::uint8_t> bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) sum += read16(bytes, i);
  if (bytes.size() % 2) sum += bytes.back() << 8;
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

}  // namespace rocert::lab
