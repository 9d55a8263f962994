#include "cmd/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/fd.h"
#include "host/host.h"

namespace rocert {
namespace {

constexpr size_t kTextLimit = size_t{16} << 20;

// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

void tell(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

Result<> print(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error != 0 && error != EPIPE) return fail(error_of(error, "standard output"));
  return {};
}

Result<std::string> read_text_file(const std::string& path) {
  const auto unreadable = [&](int error) { return fail(ErrorKind::kUsage, error_of(error, path).message); };
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return unreadable(errno);
  std::string text;
  std::string buffer(size_t{64} << 10, '\0');
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    if (count == 0) return text;
    text.append(buffer, 0, static_cast<size_t>(count));
    if (text.size() > kTextLimit) return fail(ErrorKind::kMalformed, "larger than 16 MiB", {path, 0, 0});
  }
}

bool wants_color(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(descriptor) == 1 && (refused == nullptr || *refused == '\0');
}

}  // namespace rocert
