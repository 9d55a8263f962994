#include "model/value.h"

#include <fmt/format.h>

namespace rocert {
namespace {

struct ToText {
  std::string operator()(const Absent&) const { return "none"; }
  std::string operator()(bool flag) const { return flag ? "on" : "off"; }
  std::string operator()(int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& word) const { return word; }
  std::string operator()(const Bits& bits) const {
    std::string text;
    for (unsigned i = 0; i < bits.width; ++i) {
      if (i != 0) text += ',';
      text += (bits.mask >> i) & 1 ? '1' : '0';
    }
    return text;
  }
  std::string operator()(const Table& table) const {
    std::string text;
    for (const auto& [key, value] : table) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", key, value);
    return text.empty() ? "none" : text;
  }
};

}  // namespace

std::string to_text(const Value& value) { return std::visit(ToText{}, value); }

}  // namespace rocert
