#include "host/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>

#include "host/bytes.h"
#include "host/host.h"

namespace rocert {
namespace {

tl::unexpected<Gap> gap_here(const std::string& path) { return tl::unexpected<Gap>(gap_of(errno, path)); }
tl::unexpected<Error> error_here(const std::string& path) { return fail(error_of(errno, path)); }

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

Result<> outcome(int error, const std::string& path) {
  if (error != 0) return fail(error_of(error, path));
  return {};
}

}  // namespace

Observed<std::string> read_file(const std::string& path, size_t limit) {
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return gap_here(path);
  return read_all(file, path, limit);
}

Observed<std::string> read_file_at(const std::string& path, uint64_t offset, size_t size) {
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return gap_here(path);
  return read_range(file, path, offset, size);
}

Observed<std::vector<std::string>> list_folder(const std::string& path) {
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(path.c_str()));
  if (!folder) return gap_here(path);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) return gap_here(path);
  std::sort(names.begin(), names.end());
  return names;
}

Observed<std::string> read_link(const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t size = readlink(path.c_str(), target.data(), target.size());
  if (size < 0) return gap_here(path);
  target.resize(static_cast<size_t>(size));
  return target;
}

Result<> write_file(const std::string& path, std::string_view text) {
  const Fd file(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!file) return error_here(path);
  return outcome(write_whole(file, text), path);
}

Result<> write_file_at(const std::string& path, uint64_t offset, std::string_view bytes) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return error_here(path);
  return outcome(write_range(file, offset, bytes), path);
}

Result<> make_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0755) != 0) return error_here(path);
  return {};
}

Result<> remove_folder(const std::string& path) {
  if (rmdir(path.c_str()) != 0) return error_here(path);
  return {};
}

}  // namespace rocert
