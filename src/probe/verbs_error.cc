#include "probe/verbs_error.h"

#include <fmt/format.h>

#include <cerrno>

#include "host/host.h"

namespace rocert {

tl::unexpected<Error> verbs_failure(std::string_view call, std::string_view object, int error_number,
                                    std::string_view hint) {
  Error error = error_of(error_number, fmt::format("{} on {}", call, object));
  if (!hint.empty()) error.message += fmt::format("; {}", hint);
  return fail(std::move(error));
}

int errno_of(int verbs_result) { return verbs_result > 0 ? verbs_result : errno; }

std::string_view opening_hint(int error_number) {
  switch (error_number) {
    case EACCES:
    case EPERM:
      return "no right to open /dev/infiniband/uverbsN: run as root, or as a user who may (in a container the device "
             "nodes must be passed in)";
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return "its /dev/infiniband/uverbsN is missing: is ib_uverbs loaded, and does this container have the node?";
    default:
      return {};
  }
}

std::string_view memory_hint(int error_number) {
  switch (error_number) {
    case ENOMEM:
    case EPERM:
    case EAGAIN:
      return "RDMA memory is locked memory: raise the memlock limit of this process (ulimit -l unlimited; "
             "LimitMEMLOCK=infinity for a service; --ulimit memlock=-1 for a container)";
    default:
      return {};
  }
}

std::string_view path_hint(int error_number) {
  switch (error_number) {
    case EINVAL:
      return "the GID or the route was refused: check that this port still has the GID, that the peer's GID is of the "
             "same type, and that a route leads to the peer's address from this port "
             "(ip route get PEER from ADDRESS oif NETDEV)";
    case ETIMEDOUT:
    case ETIME:
      return "the peer's address was not resolved: nobody answered ARP or neighbour discovery on this port. Wrong "
             "rail, VLAN or cable, a peer that is down, or another port that answers for it (ip neigh show dev NETDEV)";
    case ENETUNREACH:
    case EHOSTUNREACH:
      return "no route leads to the peer's address from this port (ip route get PEER from ADDRESS oif NETDEV)";
    case ENODEV:
    case EADDRNOTAVAIL:
      return "the GID's netdev is gone or lost its address";
    default:
      return {};
  }
}

}  // namespace rocert
