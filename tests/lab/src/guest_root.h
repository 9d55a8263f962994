// Turns the build machine's read-only userland into a guest's own: places to write, a name, kernel file systems.
#pragma once

#include <string>

namespace rocert::lab {

// Where the folder that all guests share with the build machine is seen in a guest.
inline constexpr const char* kExchange = "/run/lab";

// Reads the lab's words of the kernel's command line into LAB_HOST (n1), LAB_NUMBER, LAB_RAILS, LAB_MTU and
// LAB_EXCHANGE, then mounts and names. Answers what went wrong, or nothing.
std::string set_up_root();

}  // namespace rocert::lab
