#include "fleet/channel.h"

#include <fmt/format.h>

#include "base/text.h"

namespace rocert {
namespace {

constexpr size_t kHeader = 4;
constexpr size_t kHelloLimit = 64;
constexpr std::string_view kProtocol = "rocert-fleet/";

std::string shown(std::string_view bytes) { return "\"" + escaped(trim(bytes.substr(0, kHelloLimit))) + "\""; }

Error not_the_protocol(std::string_view seen) {
  return {ErrorKind::kMalformed,
          fmt::format("the worker's stream starts with {}, wanted \"{}\": does a shell start-up file print something?",
                      shown(seen), trim(kHello)),
          {}};
}

}  // namespace

std::string encode_frame(std::string_view payload) {
  const auto length = static_cast<uint32_t>(payload.size());
  std::string frame;
  frame.reserve(kHeader + payload.size());
  for (int shift = 24; shift >= 0; shift -= 8) frame.push_back(static_cast<char>(length >> shift));
  return frame.append(payload);
}

Result<> FrameReader::greet() {
  const std::string_view seen(buffer_);
  const std::string_view start = seen.substr(0, kProtocol.size());
  if (start != kProtocol.substr(0, start.size())) return fail(not_the_protocol(seen));
  const size_t end = seen.substr(0, kHelloLimit).find('\n');
  if (end == std::string_view::npos) {
    if (seen.size() >= kHelloLimit) return fail(not_the_protocol(seen));
    return {};
  }
  if (seen.substr(0, end + 1) != kHello)
    return fail(ErrorKind::kMalformed,
                fmt::format("the other end speaks {}, this one \"{}\": install the same rocert on both",
                            shown(seen.substr(0, end)), trim(kHello)));
  greeted_ = true;
  buffer_.erase(0, end + 1);
  return {};
}

Result<> FrameReader::cut() {
  size_t at = 0;
  while (buffer_.size() - at >= kHeader) {
    size_t length = 0;
    for (size_t i = 0; i < kHeader; ++i) length = length << 8 | static_cast<unsigned char>(buffer_[at + i]);
    if (length > limit_)
      return fail(ErrorKind::kMalformed, fmt::format("a frame of {} bytes, wanted at most {}", length, limit_));
    if (buffer_.size() - at - kHeader < length) break;
    whole_.push_back(buffer_.substr(at + kHeader, length));
    at += kHeader + length;
  }
  buffer_.erase(0, at);
  return {};
}

Result<> FrameReader::feed(std::string_view bytes) {
  if (broken_) return fail(*broken_);
  buffer_.append(bytes);
  auto result = greeted_ ? Result<>() : greet();
  if (result && greeted_) result = cut();
  if (!result) broken_ = result.error();
  return result;
}

std::optional<std::string> FrameReader::next() {
  if (whole_.empty()) return std::nullopt;
  std::string payload = std::move(whole_.front());
  whole_.pop_front();
  return payload;
}

}  // namespace rocert
