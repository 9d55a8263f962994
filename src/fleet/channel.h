// Frames: how bounded messages are cut out of a byte stream, both ways. The stream starts with a hello that carries the
// protocol's version. Frames carry messages and do not know what they mean.
#pragma once
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocert {

// Every stream starts with the hello "rocert-fleet/1\n" from both ends; a mismatch is an Error that names both
// versions.
inline constexpr std::string_view kHello = "rocert-fleet/1\n";
inline constexpr size_t kFrameLimit = size_t{64} << 20;  // bytes of one frame's payload

// A frame on the wire: u32 length of the payload, big endian, then the payload of at most kFrameLimit bytes.
std::string encode_frame(std::string_view payload);

// Cuts a byte stream into frames; strict about the hello and about lengths. It holds at most the bytes that it was fed
// and that next() did not give yet.
class FrameReader {
 public:
  // Frames longer than `limit` are refused as soon as their length is seen.
  explicit FrameReader(size_t limit = kFrameLimit) : limit_(limit) {}

  // Appends bytes; afterwards next() gives what is whole. An Error (kMalformed) ends the stream for good.
  Result<> feed(std::string_view bytes);
  // The next whole payload, if there is one.
  std::optional<std::string> next();
  // The other end's hello has come.
  bool greeted() const { return greeted_; }
  // The stream can end here: the hello is complete and no frame has begun.
  bool at_boundary() const { return greeted_ && buffer_.empty(); }

 private:
  Result<> greet();
  Result<> cut();

  size_t limit_;
  std::string buffer_;  // the hello or a frame that is not whole yet
  std::deque<std::string> whole_;
  bool greeted_ = false;
  std::optional<Error> broken_;
};

}  // namespace rocert
