// MemoryHost: a host that is a map, for tests and fixtures, with a log of what was asked and hooks that play the
// kernel.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "host/host.h"

namespace rocert {

class MemoryHost : public Host {
 public:
  // What the machine holds. Absent paths and objects answer GapReason::kAbsent. A folder is there when something lies
  // below it, or as a key that ends in '/' ("/sys/kernel/config/rdma_cm/"). Links in the middle of a path are followed.
  std::map<std::string, Observed<std::string>> files;
  std::map<std::string, std::string> links;
  std::map<KernelQuery, Observed<KernelAnswer>> objects;

  // What was asked: "read PATH", "list PATH", "link PATH", "get kernel/dcb/eth2.json", "write PATH TEXT", "make PATH",
  // "remove PATH", "apply dcb pfc eth2 ...".
  std::vector<std::string> log;

  // Called instead of the plain store for every write; an Error refuses it. Null: writes are stored as they are, into
  // files and objects that exist.
  std::function<Result<>(MemoryHost&, const std::string& path, std::string_view text)> on_write;
  std::function<Result<>(MemoryHost&, const KernelWrite& write)> on_apply;
  // Called instead of make and remove; configfs fills a new folder with its attributes.
  std::function<Result<>(MemoryHost&, const std::string& path)> on_make;
  std::function<Result<>(MemoryHost&, const std::string& path)> on_remove;

  Observed<std::string> read(const std::string& path, size_t limit) override;
  Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) override;
  Observed<std::vector<std::string>> list(const std::string& path) override;
  Observed<std::string> link(const std::string& path) override;
  Result<> write(const std::string& path, std::string_view text) override;
  Result<> write_at(const std::string& path, uint64_t offset, std::string_view bytes) override;
  Result<> make(const std::string& path) override;
  Result<> remove(const std::string& path) override;
  Result<> apply(const KernelWrite& write) override;

  // The plain store that on_write and on_apply replace, for hooks that want to go on with it.
  Result<> store(const std::string& path, std::string_view text);
  Result<> store(const KernelWrite& write);

 protected:
  Observed<KernelAnswer> ask(const KernelQuery& query) override;

 private:
  Observed<std::string> content(const std::string& path) const;
  std::string resolve(const std::string& path) const;
};

}  // namespace rocert
