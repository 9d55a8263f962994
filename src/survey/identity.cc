#include "survey/identity.h"

#include "base/text.h"

namespace rocert {
namespace {

Observed<std::string> read_line(Host& host, const std::string& path) {
  const auto text = host.read(path);
  if (!text) return text;
  return std::string(trim(*text));
}

}  // namespace

HostIdentity read_identity(Host& host) {
  HostIdentity identity;
  identity.name = read_line(host, "/proc/sys/kernel/hostname").value_or("");
  identity.machine_id = read_line(host, "/etc/machine-id");
  identity.boot_id = read_line(host, "/proc/sys/kernel/random/boot_id");
  identity.kernel = read_line(host, "/proc/sys/kernel/osrelease");
  identity.product = read_line(host, "/sys/class/dmi/id/product_name");
  return identity;
}

}  // namespace rocert
