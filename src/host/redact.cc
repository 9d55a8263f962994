#include "host/redact.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/text.h"

namespace rocert {
namespace {

constexpr std::array<std::string_view, 12> kSecretFiles{
    "product_serial", "board_serial", "chassis_serial", "product_uuid",  "board_asset_tag", "chassis_asset_tag",
    "serial_number",  "vpd",          "product_sku",    "firmware_node", "unique_id",       "board_id_serial"};
// Four numbers in a version are no address.
constexpr std::array<std::string_view, 5> kVersionFiles{"fw_ver", "version", "osrelease", "hw_rev", "fw_pages"};

bool contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Groups of hexadecimal digits of the given widths between the separators: "8-4-4-4-12" is {8, 4, 4, 4, 12}.
bool is_groups(std::string_view text, char separator, std::initializer_list<size_t> widths) {
  const auto parts = split(text, separator);
  return parts.size() == widths.size() &&
         std::equal(parts.begin(), parts.end(), widths.begin(), [](std::string_view part, size_t width) {
           return part.size() == width && std::all_of(part.begin(), part.end(), is_hex);
         });
}

// "02:00:00:00:00:01", and the 20 bytes of an InfiniBand netdev.
bool is_link_address(std::string_view text) {
  const auto parts = split(text, ':');
  return parts.size() >= 6 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           return part.size() == 2 && is_hex(part[0]) && is_hex(part[1]);
         });
}

std::array<uint8_t, 6> mac_bytes(std::string_view hex) {
  std::array<uint8_t, 6> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(parse_unsigned("0x" + std::string(hex.substr(i * 2, 2))).value_or(0));
  return bytes;
}

std::string without(std::string_view text, char separator) {
  std::string out(text);
  std::erase(out, separator);
  return out;
}

bool is_token_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ':' || c == '.' || c == '-' ||
         c == '_';
}

// As the kernel prints GIDs: eight full groups.
std::string full_form(const IpAddress& address) {
  std::string text;
  for (size_t i = 0; i < 16; i += 2)
    text += fmt::format("{}{:02x}{:02x}", i == 0 ? "" : ":", address.bytes[i], address.bytes[i + 1]);
  return text;
}

bool is_mapped_ipv4(const IpAddress& address) {
  static constexpr std::array<uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return address.family == Family::kIpv6 && std::equal(kMapped.begin(), kMapped.end(), address.bytes.begin());
}

}  // namespace

void Redactor::add_host_name(std::string_view name) {
  name = trim(name);
  const std::string_view first = name.substr(0, name.find('.'));
  if (first.size() < 2 || first == "localhost") return;
  const std::string replacement = numbered("host-", first);
  host_names_[std::string(name)] = replacement;
  host_names_[std::string(first)] = replacement;
}

std::string Redactor::numbered(std::string_view kind, std::string_view original) {
  const auto [entry, added] = numbers_.emplace(std::string(kind) + std::string(original), 0);
  if (added) entry->second = ++next_[std::string(kind)];
  return std::string(kind) + std::to_string(entry->second);
}

std::array<uint8_t, 6> Redactor::mac(const std::array<uint8_t, 6>& bytes) {
  const bool group = (bytes[0] & 1) != 0;
  if (group || std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; })) return bytes;
  const std::string key(bytes.begin(), bytes.end());
  const uint64_t number = parse_unsigned(numbered("mac", key).substr(3)).value_or(0);
  return {2, 0, 0, static_cast<uint8_t>(number >> 16), static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)};
}

// Flips each of the bits [first, end) by a coin that was thrown once for all that comes before the bit.
IpAddress Redactor::scrambled(IpAddress address, unsigned first, unsigned end) {
  const IpAddress original = address;
  for (unsigned bit = first; bit < end; ++bit) {
    const IpAddress before = Prefix{original, static_cast<uint8_t>(bit)}.network().address;
    const auto [flip, thrown] = flips_.emplace(std::tuple{before, bit}, false);
    if (thrown) flip->second = (random_() & 1) != 0;
    if (flip->second) address.bytes[bit / 8] = static_cast<uint8_t>(address.bytes[bit / 8] ^ (0x80u >> (bit % 8)));
  }
  return address;
}

IpAddress Redactor::address(const IpAddress& original) {
  if (original.is_unspecified() || original.is_loopback() || original.is_multicast()) return original;
  if (original.family == Family::kIpv4) {
    const uint8_t first = original.bytes[0];
    if (first >= 240 || first == 0) return original;  // netmasks and the limited broadcast
    const bool two = first == 100 || first == 169 || first == 172 || first == 192;
    return scrambled(original, two ? 16 : 8, 24);
  }
  if (is_mapped_ipv4(original)) {
    IpAddress inner;
    std::copy(original.bytes.begin() + 12, original.bytes.end(), inner.bytes.begin());
    inner = address(inner);
    IpAddress mapped = original;
    std::copy(inner.bytes.begin(), inner.bytes.begin() + 4, mapped.bytes.begin() + 12);
    return mapped;
  }
  auto result = original.is_link_local() ? original : scrambled(original, 16, 64);
  if (original.bytes[11] == 0xff && original.bytes[12] == 0xfe) {  // EUI-64 of a link-layer address
    const auto& b = original.bytes;
    const auto m = mac({static_cast<uint8_t>(b[8] ^ 2), b[9], b[10], b[13], b[14], b[15]});
    const std::array<uint8_t, 8> id{static_cast<uint8_t>(m[0] ^ 2), m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5]};
    std::copy(id.begin(), id.end(), result.bytes.begin() + 8);
  } else if (std::any_of(original.bytes.begin() + 8, original.bytes.begin() + 14, [](uint8_t x) { return x != 0; })) {
    const IpAddress id = scrambled(original, 64, 112);
    std::copy(id.bytes.begin() + 8, id.bytes.end(), result.bytes.begin() + 8);
  }
  return result;
}

Prefix Redactor::prefix(const Prefix& original) {
  const Prefix replaced{address(original.address), original.length};
  return original == original.network() ? replaced.network() : replaced;
}

std::string Redactor::token(std::string_view token, std::string_view after, Addresses addresses) {
  if (is_link_address(token)) {
    if (split(token, ':').size() > 6) {
      const uint64_t number = parse_unsigned(numbered("ib", token).substr(2)).value_or(0);
      return fmt::format("{}:02:00:00:00:00:{:02x}:{:02x}:{:02x}", token.substr(0, token.size() - 24), number >> 16,
                         (number >> 8) & 0xff, number & 0xff);
    }
    const auto bytes = mac(mac_bytes(without(token, ':')));
    return fmt::format("{:02x}", fmt::join(bytes, ":"));
  }
  if (token.size() == 15 && token.starts_with("enx") && is_groups(token.substr(3), ':', {12}))
    return fmt::format("enx{:02x}", fmt::join(mac(mac_bytes(token.substr(3))), ""));
  if (is_groups(token, ':', {4, 4, 4, 4})) {
    if (token.find_first_not_of("0:") == std::string_view::npos) return std::string(token);
    const uint64_t number = parse_unsigned(numbered("guid", token).substr(4)).value_or(0);
    return fmt::format("0200:0000:{:04x}:{:04x}", number >> 16, number & 0xffff);
  }
  if (is_groups(token, '-', {8, 4, 4, 4, 12})) {
    const uint64_t number = parse_unsigned(numbered("uuid", token).substr(4)).value_or(0);
    return fmt::format("00000000-0000-4000-8000-{:012x}", number);
  }
  if (is_groups(token, '-', {32})) {
    const uint64_t number = parse_unsigned(numbered("id", token).substr(2)).value_or(0);
    return fmt::format("{:032x}", number);
  }
  if (addresses == Addresses::kKept) return std::string(token);
  if (const auto ip = parse_ip(token)) {
    const auto length = after.starts_with('/') ? parse_prefix(std::string(token) + std::string(after)) : std::nullopt;
    const IpAddress replaced = length ? prefix(*length).address : address(*ip);
    return token.size() == 39 ? full_form(replaced) : to_text(replaced);
  }
  return std::string(token);
}

std::string Redactor::text(std::string_view text, Addresses addresses) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_token_char(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    std::string_view word = text.substr(at, end - at);
    const size_t digits = text.find_first_not_of("0123456789", std::min(end + 1, text.size()));
    const std::string_view after = text.substr(end, std::min(digits, text.size()) - end);
    std::string replaced = token(word, after, addresses);
    if (replaced == word) {  // "1.2.3.4." and "1.2.3.4:80."
      const std::string_view core = word.substr(0, word.find_last_not_of(":.") + 1);
      const std::string_view host = core.substr(0, core.rfind(':'));
      for (const std::string_view part : {core, host}) {
        if (replaced == word) replaced = token(part, "", addresses) + std::string(word.substr(part.size()));
      }
    }
    out += replaced;
    at = end;
  }
  return out;
}

std::string Redactor::name(std::string_view name) { return text(name, Addresses::kKept); }

std::string Redactor::file(const std::string& path, std::string_view content) {
  const std::string base = path.substr(path.rfind('/') + 1);
  if (contains(kSecretFiles, base)) return numbered("redacted-", content) + "\n";
  std::string out = text(content, contains(kVersionFiles, base) ? Addresses::kKept : Addresses::kReplaced);
  // From behind, a name that begins with another one comes first.
  for (const auto& [original, replacement] : std::ranges::reverse_view(host_names_)) {
    for (size_t at = out.find(original); at != std::string::npos; at = out.find(original, at)) {
      const size_t end = at + original.size();
      const auto is_word = [](char c) { return is_token_char(c) && c != ':' && c != '.'; };
      const bool whole = (at == 0 || !is_word(out[at - 1])) && (end == out.size() || !is_word(out[end]));
      if (whole) out.replace(at, original.size(), replacement);
      at += whole ? replacement.size() : 1;
    }
  }
  return out;
}

// The members of an answer by their type; text is a name or a version, never an address.
template <class T>
void Redactor::replace(const char* field, T& value) {
  if constexpr (std::is_same_v<T, IpAddress>) {
    value = address(value);
  } else if constexpr (std::is_same_v<T, Prefix>) {
    value = prefix(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = std::string_view(field) == "phys_switch_id" ? numbered("switch-", value) : name(value);
  } else if constexpr (Described<T>) {
    for_each_field(value, [&](const char* member_name, auto& member) { replace(member_name, member); });
  } else if constexpr (requires { value.has_value(); }) {
    if (value) replace(field, *value);
  } else if constexpr (requires {
                         typename T::value_type;
                         value.push_back({});
                       }) {
    for (auto& item : value) replace(field, item);
  }
}

KernelAnswer Redactor::answer(const KernelAnswer& original) {
  KernelAnswer result = original;
  std::visit([&](auto& value) { replace("", value); }, result);
  return result;
}

}  // namespace rocert
