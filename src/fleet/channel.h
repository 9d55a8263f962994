// Channel: a byte stream that carries bounded, versioned frames both ways. It carries messages and does not know what
// they mean. Over a child's stdio today; a TLS socket is another implementation of the same.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocert {

// Every stream starts with the hello "rocert-fleet/1\n" from both ends; a mismatch is an Error that names both
// versions.
inline constexpr std::string_view kHello = "rocert-fleet/1\n";
inline constexpr size_t kFrameLimit = size_t{64} << 20;  // bytes of one frame's payload

// A frame on the wire: u32 length of the payload, big endian, then the payload.
std::string encode_frame(std::string_view payload);

// Cuts a byte stream into frames; strict about length. Feed it bytes as they come.
class FrameReader {
 public:
  // Appends bytes; afterwards next() gives what is whole. An Error (kMalformed) ends the stream for good.
  Result<> feed(std::string_view bytes);
  // The next whole payload, if there is one.
  std::optional<std::string> next();

 private:
  std::string buffer_;
  size_t consumed_ = 0;
  bool greeted_ = false;
};

}  // namespace rocert
