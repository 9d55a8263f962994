#include "unit/report/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/source_dir.h"

namespace rocert {

void expect_golden(std::string_view name, const std::string& text) {
  const std::string path = source_dir() + "/tests/unit/report/golden/" + std::string(name);
  if (std::getenv("ROCERT_REWRITE") != nullptr) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    ASSERT_TRUE(file.good()) << path << " cannot be written";
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream golden;
  golden << file.rdbuf();
  ASSERT_TRUE(file.good() || !golden.str().empty()) << path << " is missing; write it with ROCERT_REWRITE=1";
  EXPECT_EQ(golden.str(), text) << "differs from " << path;
}

}  // namespace rocert
