#include "host/bytes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "host/host.h"

namespace rocert {
namespace {

constexpr size_t kChunk = 16384;

// Repeats a call that a signal interrupted.
template <class Call>
ssize_t persistent(Call&& call) {
  for (;;) {
    const ssize_t result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

int outcome_of(ssize_t written, size_t wanted) {
  if (written < 0) return errno;
  return static_cast<size_t>(written) == wanted ? 0 : EIO;
}

}  // namespace

Observed<std::string> read_all(const Fd& file, const std::string& what, size_t limit) {
  std::string text;
  for (;;) {
    const size_t have = text.size();
    const size_t room = std::min(kChunk, limit - have + 1);
    text.resize(have + room);
    const ssize_t got = persistent([&] { return ::read(file.get(), text.data() + have, room); });
    if (got < 0) return tl::unexpected<Gap>(gap_of(errno, what));
    text.resize(have + static_cast<size_t>(got));
    if (got == 0) return text;
    if (text.size() > limit)
      return gap(GapReason::kMalformed, what + ": longer than " + std::to_string(limit) + " bytes");
  }
}

Observed<std::string> read_range(const Fd& file, const std::string& what, uint64_t offset, size_t size) {
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < size) {
    const ssize_t got = persistent(
        [&] { return ::pread(file.get(), bytes.data() + have, size - have, static_cast<off_t>(offset + have)); });
    if (got < 0) return tl::unexpected<Gap>(gap_of(errno, what));
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

int write_whole(const Fd& file, std::string_view text) {
  return outcome_of(persistent([&] { return ::write(file.get(), text.data(), text.size()); }), text.size());
}

int write_range(const Fd& file, uint64_t offset, std::string_view bytes) {
  return outcome_of(
      persistent([&] { return ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); }),
      bytes.size());
}

bool is_regular(const Fd& file) {
  struct stat status{};
  return fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace rocert
