// Bounded reads of an open file, shared by the door's backends.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "model/gap.h"

namespace rocert {

// From the current place to the end of the file; more than `limit` bytes are a Gap (kMalformed), not cut. `what` names
// the file in Gaps.
Observed<std::string> read_all(const Fd& file, const std::string& what, size_t limit);
// `size` bytes at `offset`, fewer at the end of the file.
Observed<std::string> read_range(const Fd& file, const std::string& what, uint64_t offset, size_t size);
// One write of everything at once; an errno, or 0. A short write is EIO: the kernel took half of a value.
int write_whole(const Fd& file, std::string_view text);
// The same at an offset.
int write_range(const Fd& file, uint64_t offset, std::string_view bytes);

bool is_regular(const Fd& file);

}  // namespace rocert
