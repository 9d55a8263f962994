// What the switch reads of a frame and changes in it. Frames come from guests: nothing here trusts a length in them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rocert::lab {

using Packet = std::vector<std::uint8_t>;
using Mac = std::array<std::uint8_t, 6>;

inline constexpr std::size_t kEthernetHeader = 14;

[[nodiscard]] bool has_ethernet_header(std::span<const std::uint8_t> frame);
// Both need has_ethernet_header().
[[nodiscard]] Mac destination_of(std::span<const std::uint8_t> frame);
[[nodiscard]] Mac source_of(std::span<const std::uint8_t> frame);
[[nodiscard]] bool is_group(const Mac& mac);  // broadcast or multicast

// Bytes behind the Ethernet header and one VLAN tag: what an MTU bounds.
[[nodiscard]] std::size_t payload_size(std::span<const std::uint8_t> frame);

// Nothing for frames that are neither IPv4 nor IPv6.
[[nodiscard]] std::optional<std::uint8_t> dscp_of(std::span<const std::uint8_t> frame);
// Keeps the ECN bits and an IPv4 header's checksum right. RoCE's ICRC does not cover the field. False: not IP.
bool set_dscp(std::span<std::uint8_t> frame, std::uint8_t dscp);

// The Internet checksum of an IPv4 header as it stands; 0 when its checksum field is right.
[[nodiscard]] std::uint16_t internet_checksum(std::span<const std::uint8_t> bytes);

}  // namespace rocert::lab
