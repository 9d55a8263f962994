#include "posix.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace rocert::lab {
namespace {

bool fill_address(const std::string& path, sockaddr_un& address, std::string& why) {
  address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    why = path + ": longer than the " + std::to_string(sizeof address.sun_path - 1) + " bytes of a socket's path";
    return false;
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return true;
}

}  // namespace

void Fd::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

Io read_some(int fd, std::string& to, std::size_t limit) {
  std::vector<char> buffer(limit);
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got > 0) {
      to.append(buffer.data(), static_cast<std::size_t>(got));
      return Io::kOk;
    }
    if (got == 0) return Io::kEnd;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? Io::kWouldBlock : Io::kFailed;
  }
}

Io write_some(int fd, std::string& from) {
  while (!from.empty()) {
    const ssize_t sent = ::write(fd, from.data(), from.size());
    if (sent >= 0) {
      from.erase(0, static_cast<std::size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? Io::kWouldBlock : Io::kFailed;
  }
  return Io::kOk;
}

std::string error_text(const std::string& what) { return what + ": " + std::strerror(errno); }

std::optional<Fd> listen_at(const std::string& path, int type, std::string& why) {
  sockaddr_un address;
  if (!fill_address(path, address, why)) return std::nullopt;
  Fd fd(socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  ::unlink(path.c_str());
  if (!fd || bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 || listen(fd.get(), 64) < 0) {
    why = error_text(path);
    return std::nullopt;
  }
  return fd;
}

std::optional<Fd> connect_to(const std::string& path, int type, std::string& why) {
  sockaddr_un address;
  if (!fill_address(path, address, why)) return std::nullopt;
  Fd fd(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  if (!fd || connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
    why = error_text(path);
    return std::nullopt;
  }
  return fd;
}

}  // namespace rocert::lab
