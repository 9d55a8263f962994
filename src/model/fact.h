// A file that a unit wants the survey to read, declared beside the unit that uses it: no central list of paths.
#pragma once
#include <cstddef>
#include <string_view>

namespace rocert {

enum class Scope { kHost, kPort, kMember };

struct Fact {
  std::string_view key;  // under which Snapshot, Port or Member holds the text, e.g. "sysctl.port.rp_filter"
  Scope scope = Scope::kHost;
  std::string_view path;  // with {netdev}, {rdma}, {rdma_port}, {bdf} of the port or member
  size_t limit = 4096;    // longer files are a Gap, not cut
};

}  // namespace rocert
