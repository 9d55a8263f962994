#include "frames.h"

namespace rocert::lab {

std::string number_to_bytes(std::uint32_t number) {
  std::string bytes(4, '\0');
  for (int i = 0; i < 4; i++) bytes[i] = static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

std::optional<std::uint32_t> number_from_bytes(std::string_view bytes) {
  if (bytes.size() != 4) return std::nullopt;
  std::uint32_t number = 0;
  for (int i = 0; i < 4; i++) number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return number;
}

void append_frame(std::string& to, Kind kind, std::uint32_t stream, std::string_view payload) {
  to += number_to_bytes(static_cast<std::uint32_t>(payload.size()));
  to += static_cast<char>(kind);
  to += number_to_bytes(stream);
  to += payload;
}

void FrameReader::feed(std::string_view bytes) {
  if (!bad_.empty()) return;
  pending_.erase(0, at_);
  at_ = 0;
  pending_ += bytes;
}

std::optional<Frame> FrameReader::next() {
  const std::string_view rest = std::string_view(pending_).substr(at_);
  if (!bad_.empty() || rest.size() < kHeaderBytes) return std::nullopt;
  const std::uint32_t size = *number_from_bytes(rest.substr(0, 4));
  const auto kind = static_cast<std::uint8_t>(rest[4]);
  if (size > kMaxPayload || kind == 0 || kind > kLastKind) {
    bad_ = "no frame: kind " + std::to_string(kind) + ", " + std::to_string(size) + " bytes";
    return std::nullopt;
  }
  if (rest.size() < kHeaderBytes + size) return std::nullopt;
  at_ += kHeaderBytes + size;
  return Frame{static_cast<Kind>(kind), *number_from_bytes(rest.substr(5, 4)),
               std::string(rest.substr(kHeaderBytes, size))};
}

std::string join_words(const std::vector<std::string>& words) {
  std::string bytes;
  for (const std::string& word : words) bytes.append(word).push_back('\0');
  return bytes;
}

std::vector<std::string> split_words(std::string_view bytes) {
  std::vector<std::string> words;
  for (std::size_t end = 0; (end = bytes.find('\0')) != std::string_view::npos; bytes.remove_prefix(end + 1))
    words.emplace_back(bytes.substr(0, end));
  return words;
}

}  // namespace rocert::lab
