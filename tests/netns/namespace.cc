#include "netns/namespace.h"

#include <gmock/gmock.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>
#include <thread>

namespace rocert {
namespace {

bool has_flag(const nlohmann::json& link, const char* flag) {
  const auto& flags = link.at("flags");
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

// IPv6 addresses without a local route, and links that are not operational yet.
std::set<std::string> unsettled() {
  std::set<std::string> names;
  for (const auto& link : ip_json("-6 address show")) {
    for (const auto& address : link.value("addr_info", nlohmann::json::array())) names.insert(address.at("local"));
  }
  for (const auto& route : ip_json("-6 route show table local type local")) names.erase(route.at("dst"));
  for (const auto& link : ip_json("link show")) {
    if (has_flag(link, "LOWER_UP") && has_flag(link, "NO-CARRIER")) names.insert(link.at("ifname"));
  }
  return names;
}

}  // namespace

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

void settle() {
  std::set<std::string> waited_for = unsettled();
  for (int looks = 0; looks < 1000 && !waited_for.empty(); ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    waited_for = unsettled();
  }
  EXPECT_THAT(waited_for, testing::IsEmpty());
}

}  // namespace rocert
