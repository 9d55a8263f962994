#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace rocert::log {
namespace {

spdlog::level::level_enum level_of(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarn:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("rocert", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("rocert: %l: %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

}  // namespace

void set_level(Level level) { logger().set_level(level_of(level)); }

void write(Level level, std::string_view message) {
  logger().log(level_of(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace rocert::log
