#include "probe/data_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace rocert {
namespace {

using Word = std::array<std::byte, sizeof(uint64_t)>;

// splitmix64 (Steele, Lea, Flood 2014) of the word's position, least significant byte first on every machine.
Word word_at(uint64_t seed, uint64_t position) {
  uint64_t z = seed + (position + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  Word word;
  for (size_t i = 0; i < word.size(); ++i) word[i] = static_cast<std::byte>(z >> (8 * i));
  return word;
}

}  // namespace

void fill_pattern(std::span<std::byte> bytes, uint64_t seed) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(Word)) {
    const Word word = word_at(seed, at / sizeof(Word));
    std::memcpy(&bytes[at], word.data(), std::min(sizeof(Word), bytes.size() - at));
  }
}

std::optional<std::string> find_damage(std::span<const std::byte> bytes, uint64_t seed) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(Word)) {
    const Word word = word_at(seed, at / sizeof(Word));
    const auto part = bytes.subspan(at, std::min(sizeof(Word), bytes.size() - at));
    const auto [seen, wanted] = std::mismatch(part.begin(), part.end(), word.begin());
    if (seen == part.end()) continue;
    return fmt::format("byte {} of {} is {:#04x}, wanted {:#04x}", at + static_cast<size_t>(seen - part.begin()),
                       bytes.size(), static_cast<unsigned>(*seen), static_cast<unsigned>(*wanted));
  }
  return std::nullopt;
}

}  // namespace rocert
