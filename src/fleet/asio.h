// Asio and the loop's context, for the .cc files of this room alone.
#pragma once
#include <utility>  // Boost 1.74 uses std::exchange and includes nothing for it
//
#include <boost/asio.hpp>

#include "fleet/loop.h"

namespace rocert {

namespace asio = boost::asio;

struct Loop::Context {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
};

}  // namespace rocert
