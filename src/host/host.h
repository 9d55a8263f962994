// Host: the one door to a machine. Files by path, kernel objects by query; everything read is a fact or a Gap with its
// reason. A read never creates anything. Journal, lock and clock are not Host.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/gap.h"
#include "model/kernel.h"

namespace rocert {

class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  // Whole content of a regular or virtual file, at most `limit` bytes: a longer one is a Gap, not cut.
  virtual Observed<std::string> read(const std::string& path, size_t limit = kReadLimit) = 0;
  // `size` bytes at `offset`; fewer at the end of the file. For PCI configuration space.
  virtual Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) = 0;
  // Names in a folder, sorted, without "." and "..".
  virtual Observed<std::vector<std::string>> list(const std::string& path) = 0;
  // Target of a symbolic link, as stored.
  virtual Observed<std::string> link(const std::string& path) = 0;
  // One write of the whole text, as sysfs and procfs want it.
  virtual Result<> write(const std::string& path, std::string_view text) = 0;
  virtual Result<> write_at(const std::string& path, uint64_t offset, std::string_view bytes) = 0;
  virtual Result<> make(const std::string& path) = 0;    // a folder, e.g. in configfs
  virtual Result<> remove(const std::string& path) = 0;  // an empty folder

  // A kernel object by query; apply writes one.
  template <class Query>
  Observed<typename Query::Answer> get(const Query& query) {
    auto answer = ask(query);
    if (!answer) return tl::unexpected<Gap>(std::move(answer).error());
    return std::get<typename Query::Answer>(std::move(*answer));
  }
  virtual Result<> apply(const KernelWrite& write) = 0;

  // A recording that is not what its manifest says, known once that part was read. A machine has no damage.
  virtual std::optional<Error> damage() const { return std::nullopt; }

  static constexpr size_t kReadLimit = size_t{1} << 20;

 protected:
  virtual Observed<KernelAnswer> ask(const KernelQuery& query) = 0;
  friend class RecordingHost;  // asks the host that it wraps
};

// An errno as a Gap or an Error: the only place that maps it. `what` is the path or object.
Gap gap_of(int error_number, std::string_view what);
Error error_of(int error_number, std::string_view what);

}  // namespace rocert
