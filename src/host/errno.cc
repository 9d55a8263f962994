#include <cerrno>
#include <cstring>

#include "host/host.h"

namespace rocert {
namespace {

constexpr int kKernelNotSupported = 524;  // ENOTSUPP of include/linux/errno.h: drivers leak it

std::string_view word_for(int error_number) {
  switch (error_number) {
    case ENOENT:
      return "no such file or object";
    case ENODEV:
    case ENXIO:
      return "no such device";
    case EACCES:
      return "permission denied, needs root";
    case EPERM:
      return "not permitted, needs root or CAP_NET_ADMIN";
    case EOPNOTSUPP:
    case kKernelNotSupported:
      return "the kernel or the driver does not offer it";
    default:
      return strerrordesc_np(error_number) != nullptr ? strerrordesc_np(error_number) : "unknown error";
  }
}

std::string message(int error_number, std::string_view what) {
  const char* name = strerrorname_np(error_number);
  return std::string(what) + ": " + std::string(word_for(error_number)) + " (" +
         (name != nullptr ? name : std::to_string(error_number).c_str()) + ")";
}

GapReason reason_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case ENXIO:
    case ESRCH:
      return GapReason::kAbsent;
    case EACCES:
    case EPERM:
      return GapReason::kDenied;
    case EOPNOTSUPP:
    case ENOSYS:
    case EINVAL:  // what sysfs and dcbnl answer for an attribute that this device does not have
    case EPROTONOSUPPORT:
    case EAFNOSUPPORT:
    case ENOTTY:
    case kKernelNotSupported:
      return GapReason::kNotSupported;
    case ETIMEDOUT:
    case ETIME:
      return GapReason::kTimedOut;
    default:
      return GapReason::kUnreadable;
  }
}

}  // namespace

Gap gap_of(int error_number, std::string_view what) { return {reason_of(error_number), message(error_number, what)}; }

Error error_of(int error_number, std::string_view what) {
  const bool timed_out = reason_of(error_number) == GapReason::kTimedOut;
  return {timed_out ? ErrorKind::kTimeout : ErrorKind::kSystem, message(error_number, what), {}};
}

}  // namespace rocert
