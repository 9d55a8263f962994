// Stream: bytes both ways, whatever carries them: a child's stdio, a socket pair, one day a TLS socket.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "fleet/loop.h"

namespace rocert {

class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  // Some bytes as they come, valid during the call; none: the other end has closed. One read at a time.
  virtual void read(std::function<void(Result<std::string_view>)> done) = 0;
  // All of the bytes. One write at a time.
  virtual void write(std::string bytes, std::function<void(Result<>)> done) = 0;
  // Ends both directions at once; calls that wait are not answered any more.
  virtual void close() = 0;
};

// Reads from one descriptor and writes to another; both become non-blocking. Either may be empty.
std::unique_ptr<Stream> descriptor_stream(Loop& loop, Fd input, Fd output);

}  // namespace rocert
