#include "base/result.h"

#include <fmt/format.h>

namespace rocert {

std::string to_text(const Error& error) {
  const Place& at = error.place;
  if (at.file.empty()) return error.message;
  if (at.line <= 0) return fmt::format("{}: {}", at.file, error.message);
  if (at.column <= 0) return fmt::format("{}:{}: {}", at.file, at.line, error.message);
  return fmt::format("{}:{}:{}: {}", at.file, at.line, at.column, error.message);
}

}  // namespace rocert
