// What a finding or a change is about: a host, one of its ports, one item of it (a route, a rule, a map entry, a
// class).
#pragma once
#include <compare>
#include <string>

#include "model/fields.h"

namespace rocert {

struct Subject {
  std::string host;
  std::string port;  // netdev of the port or member; empty: the host itself
  std::string item;  // empty: the port or host as a whole
  auto operator<=>(const Subject&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"host", &Subject::host}, Field{"port", &Subject::port}, Field{"item", &Subject::item}};
  }
};

}  // namespace rocert
