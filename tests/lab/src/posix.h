// Descriptors that close themselves, and byte queues in front of non-blocking ones.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace rocert::lab {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) close(), fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~Fd() { close(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

enum class Io { kOk, kWouldBlock, kEnd, kFailed };

void set_nonblocking(int fd);

// Reads once, at most `limit` bytes, and appends them.
Io read_some(int fd, std::string& to, std::size_t limit);
// Writes what the descriptor takes and drops that from the front.
Io write_some(int fd, std::string& from);

// "strerror(errno) for `what`", for messages.
std::string error_text(const std::string& what);

// Unix sockets in the file system; the path is bounded by the address's size. Nothing is left behind on failure.
std::optional<Fd> listen_at(const std::string& path, int type, std::string& why);
std::optional<Fd> connect_to(const std::string& path, int type, std::string& why);

}  // namespace rocert::lab
