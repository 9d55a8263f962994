// Compares text with a file beside the test; ROCERT_REWRITE=1 writes the file instead.
#pragma once
#include <string>
#include <string_view>

namespace rocert {

// Path below tests/unit/report/golden. A missing or differing file fails the running test.
void expect_golden(std::string_view name, const std::string& text);

}  // namespace rocert
