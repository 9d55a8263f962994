// DirectoryHost: a folder of the test machine as a host, written through, so that a process can die in the middle of a
// change and another one can look at what it left.
#pragma once
#include <string>

#include "host/files.h"
#include "host/host.h"

namespace rocert {

class DirectoryHost : public Host {
 public:
  explicit DirectoryHost(std::string root) : root_(std::move(root)) {}

  Observed<std::string> read(const std::string& path, size_t limit) override { return read_file(root_ + path, limit); }
  Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) override {
    return read_file_at(root_ + path, offset, size);
  }
  Observed<std::vector<std::string>> list(const std::string& path) override { return list_folder(root_ + path); }
  Observed<std::string> link(const std::string& path) override { return read_link(root_ + path); }
  Result<> write(const std::string& path, std::string_view text) override { return write_file(root_ + path, text); }
  Result<> write_at(const std::string& path, uint64_t offset, std::string_view bytes) override {
    return write_file_at(root_ + path, offset, bytes);
  }
  Result<> make(const std::string& path) override { return make_folder(root_ + path); }
  Result<> remove(const std::string& path) override { return remove_folder(root_ + path); }
  // Kernel objects lie at "/" + recording_path(); what was applied is appended, a line each, to "/applied", which the
  // test makes.
  Result<> apply(const KernelWrite& write) override {
    const auto before = read_file(root_ + "/applied", size_t{1} << 20);
    return write_file(root_ + "/applied", before.value_or("") + to_text(write) + "\n");
  }

 protected:
  Observed<KernelAnswer> ask(const KernelQuery& query) override {
    const auto text = read_file(root_ + "/" + recording_path(query), size_t{1} << 20);
    if (!text) return tl::unexpected<Gap>(text.error());
    auto answer = decode_answer(query, *text);
    if (!answer) return gap(GapReason::kMalformed, to_text(answer.error()));
    return std::move(*answer);
  }

 private:
  std::string root_;
};

}  // namespace rocert
