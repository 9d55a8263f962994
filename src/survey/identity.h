// Who a host is, from procfs and sysfs.
#pragma once
#include "host/host.h"
#include "model/snapshot.h"

namespace rocert {

// The name stays empty where the kernel does not tell it.
HostIdentity read_identity(Host& host);

}  // namespace rocert
