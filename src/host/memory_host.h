// MemoryHost: a host that is a map, for tests and fixtures, with a log of what was asked and a hook that plays the
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
  // What the machine holds. Absent paths and objects answer GapReason::kAbsent.
  std::map<std::string, Observed<std::string>> files;
  std::map<std::string, std::string> links;
  std::map<KernelQuery, Observed<KernelAnswer>> objects;

  // What was asked: "read PATH", "list PATH", "link PATH", "get kernel/dcb/eth2.json", "write PATH TEXT", "apply ...".
  std::vector<std::string> log;

  // Called instead of the plain store for every write; an Error refuses it. Null: writes are stored as they are.
  std::function<Result<>(MemoryHost&, const std::string& path, std::string_view text)> on_write;
  std::function<Result<>(MemoryHost&, const KernelWrite& write)> on_apply;

  Observed<std::string> read(const std::string& path, size_t limit) override;
  Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) override;
  Observed<std::vector<std::string>> list(const std::string& path) override;
  Observed<std::string> link(const std::string& path) override;
  Result<> write(const std::string& path, std::string_view text) override;
  Result<> write_at(const std::string& path, uint64_t offset, std::string_view bytes) override;
  Result<> make(const std::string& path) override;
  Result<> remove(const std::string& path) override;
  Result<> apply(const KernelWrite& write) override;

 protected:
  Observed<KernelAnswer> ask(const KernelQuery& query) override;
};

}  // namespace rocert
