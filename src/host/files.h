// Files of this machine as the door gives them: bounded, with a Gap or an Error that says what would help.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/gap.h"

namespace rocert {

Observed<std::string> read_file(const std::string& path, size_t limit);
Observed<std::string> read_file_at(const std::string& path, uint64_t offset, size_t size);
Observed<std::vector<std::string>> list_folder(const std::string& path);
Observed<std::string> read_link(const std::string& path);
// Into a file that exists, in one write.
Result<> write_file(const std::string& path, std::string_view text);
Result<> write_file_at(const std::string& path, uint64_t offset, std::string_view bytes);
Result<> make_folder(const std::string& path);
Result<> remove_folder(const std::string& path);

}  // namespace rocert
