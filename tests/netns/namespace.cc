#include "netns/namespace.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

namespace rocert {

void in_namespace(const std::function<void()>& body) {
  int error = 0;
  std::thread([&] {
    error = unshare(CLONE_NEWNET) == 0 ? 0 : errno;
    if (error == 0) body();
  }).join();
  if (error != 0) GTEST_SKIP() << "no network namespace of its own: " << std::strerror(error) << ", needs root";
}

std::string shell(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << command << ": " << std::strerror(errno);
    return output;
  }
  std::array<char, 4096> buffer{};
  for (size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), got);
  const int status = pclose(pipe);
  EXPECT_EQ(status, 0) << command << "\n" << output;
  return output;
}

nlohmann::json ip_json(const std::string& arguments) {
  const std::string text = shell("ip -j -d " + arguments);
  if (text.find_first_not_of(" \n") == std::string::npos) return nlohmann::json::array();
  auto json = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << text;
  return json;
}

}  // namespace rocert
