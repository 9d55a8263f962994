#include "probe/verbs_objects.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "probe/verbs_error.h"

namespace rocert {
namespace {

constexpr size_t kPage = 4096;

using DeviceList = std::unique_ptr<ibv_device*, void (*)(ibv_device**)>;

std::string named(std::span<ibv_device* const> devices, const Verbs& verbs) {
  std::vector<std::string> names;
  for (ibv_device* device : devices) names.emplace_back(verbs.get_device_name(device));
  return names.empty() ? "none" : join(names, ", ");
}

}  // namespace

const char* device_name(const ibv_context& device) { return device.device->name; }

Result<Owned<ibv_context>> open_device(const Verbs& verbs, const std::string& name) {
  int count = 0;
  const DeviceList list(verbs.get_device_list(&count), verbs.free_device_list);
  if (!list) return verbs_failure("ibv_get_device_list", "this host", errno, "is ib_uverbs loaded?");
  const std::span<ibv_device* const> devices(list.get(), static_cast<size_t>(count));
  for (ibv_device* device : devices) {
    if (name != verbs.get_device_name(device)) continue;
    Owned<ibv_context> context(verbs.open_device(device), verbs.close_device);
    if (!context) return verbs_failure("ibv_open_device", name, errno, opening_hint(errno));
    return context;
  }
  return fail(ErrorKind::kSystem,
              fmt::format("no RDMA device {}: verbs see {} (renamed, unplugged, driver not loaded, or moved to another "
                          "network namespace?)",
                          escaped(name), escaped(named(devices, verbs))));
}

Result<Owned<ibv_pd>> allocate_domain(const Verbs& verbs, ibv_context& device) {
  Owned<ibv_pd> domain(verbs.alloc_pd(&device), verbs.dealloc_pd);
  if (!domain) return verbs_failure("ibv_alloc_pd", device_name(device), errno);
  return domain;
}

Result<Buffer> Buffer::create(const Verbs& verbs, ibv_pd& domain, size_t size, int access) {
  const size_t rounded = (size + kPage - 1) / kPage * kPage;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(kPage, rounded)));
  if (!memory) return fail(ErrorKind::kSystem, fmt::format("no memory for a buffer of {} bytes", rounded));
  std::memset(memory.get(), 0, rounded);
  Owned<ibv_mr> region(verbs.reg_mr(&domain, memory.get(), size, access), verbs.dereg_mr);
  if (!region) {
    const int number = errno;
    return verbs_failure(fmt::format("ibv_reg_mr of {} bytes", size), device_name(*domain.context), number,
                         memory_hint(number));
  }
  return Buffer(std::move(memory), std::move(region));
}

}  // namespace rocert
