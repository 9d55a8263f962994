// Where the checkout is, for tests that read fixtures. From the environment (ctest sets it), so that no object file
// holds a path and a clean clone hits the compiler cache; else the current folder.
#pragma once
#include <cstdlib>
#include <string>

namespace rocert {

inline std::string source_dir() {
  const char* dir = std::getenv("ROCERT_SOURCE_DIR");
  return dir != nullptr ? dir : ".";
}

}  // namespace rocert
