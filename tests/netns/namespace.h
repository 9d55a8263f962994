// Runs a test's body in a network namespace of its own, and asks iproute2 what it sees there.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace rocert {

// Runs `body` in a thread of its own with a new, empty network namespace; loopback is down in it. Skips the test, with
// the reason, where that is not allowed. Everything made in there is gone when the thread ends.
void in_namespace(const std::function<void()>& body);

// Runs a shell command inside the namespace of the calling thread; a failure of it fails the test.
std::string shell(const std::string& command);

// `ip -j -d ARGUMENTS`, parsed; an empty answer is an empty array.
nlohmann::json ip_json(const std::string& arguments);

// Waits until the kernel's work queues are done with what was set up: every IPv6 address has its local route (also with
// nodad, addrconf_dad_start), every link with carrier is operational (linkwatch). At most 1,000 looks 10 ms apart, else
// the test fails.
void settle();

}  // namespace rocert
