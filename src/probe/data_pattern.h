// Data that can be recognised: bytes that follow from a seed, so that the receiver knows what must have arrived.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace rocert {

void fill_pattern(std::span<std::byte> bytes, uint64_t seed);
// Where the bytes first differ from the seed's pattern: "byte 4711 of 65536 is 0x00, wanted 0x5c". Nothing: intact.
std::optional<std::string> find_damage(std::span<const std::byte> bytes, uint64_t seed);

}  // namespace rocert
