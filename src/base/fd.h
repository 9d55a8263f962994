// Fd owns one file descriptor and closes it.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace rocert {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    Fd(std::move(other)).swap(*this);
    return *this;
  }
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void swap(Fd& other) noexcept { std::swap(fd_, other.fd_); }
  // Another descriptor for the same open file, closed on exec; empty when there is none or the limit is reached.
  Fd duplicate() const { return Fd(fd_ < 0 ? -1 : ::fcntl(fd_, F_DUPFD_CLOEXEC, 3)); }

 private:
  int fd_ = -1;
};

}  // namespace rocert
