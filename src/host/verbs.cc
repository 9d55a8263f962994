#include "host/verbs.h"

#include <dlfcn.h>

#include <array>
#include <cerrno>
#include <memory>

#include "host/host.h"

namespace rocert {
namespace {

constexpr const char* kLibrary = "libibverbs.so.1";
constexpr std::string_view kPackage = " (Debian: libibverbs1, ibverbs-providers; Fedora: libibverbs)";

template <class Function>
bool load(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) missing = name;
  return function != nullptr;
}

Result<Verbs> load_table() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);  // stays loaded: its threads and devices outlive us
  if (library == nullptr) {
    const char* why = dlerror();
    return fail(ErrorKind::kSystem, std::string(why != nullptr ? why : kLibrary) + std::string(kPackage));
  }
  Verbs v{};
  std::string missing;
  const bool whole =
      load(library, "ibv_get_device_list", v.get_device_list, missing) &&
      load(library, "ibv_free_device_list", v.free_device_list, missing) &&
      load(library, "ibv_get_device_name", v.get_device_name, missing) &&
      load(library, "ibv_open_device", v.open_device, missing) &&
      load(library, "ibv_close_device", v.close_device, missing) &&
      load(library, "ibv_query_device", v.query_device, missing) &&
      load(library, "ibv_query_port", v.query_port, missing) && load(library, "ibv_query_gid", v.query_gid, missing) &&
      load(library, "_ibv_query_gid_ex", v.query_gid_ex, missing) &&
      load(library, "ibv_alloc_pd", v.alloc_pd, missing) && load(library, "ibv_dealloc_pd", v.dealloc_pd, missing) &&
      load(library, "ibv_reg_mr", v.reg_mr, missing) && load(library, "ibv_dereg_mr", v.dereg_mr, missing) &&
      load(library, "ibv_create_comp_channel", v.create_comp_channel, missing) &&
      load(library, "ibv_destroy_comp_channel", v.destroy_comp_channel, missing) &&
      load(library, "ibv_create_cq", v.create_cq, missing) && load(library, "ibv_destroy_cq", v.destroy_cq, missing) &&
      load(library, "ibv_get_cq_event", v.get_cq_event, missing) &&
      load(library, "ibv_ack_cq_events", v.ack_cq_events, missing) &&
      load(library, "ibv_create_qp", v.create_qp, missing) && load(library, "ibv_modify_qp", v.modify_qp, missing) &&
      load(library, "ibv_destroy_qp", v.destroy_qp, missing) &&
      load(library, "ibv_wc_status_str", v.wc_status_str, missing);
  if (whole) return v;
  return fail(ErrorKind::kSystem,
              std::string(kLibrary) + ": has no " + missing + ", wanted rdma-core 32 or newer" + std::string(kPackage));
}

uint32_t bytes_of(ibv_mtu mtu) { return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128u << mtu : 0; }

// Mb/s of one lane, by the bit of ib_port_speed.
uint64_t lane_speed(unsigned speed) {
  switch (speed) {
    case 1:
      return 2500;
    case 2:
      return 5000;
    case 4:
    case 8:
      return 10000;
    case 16:
      return 14000;
    case 32:
      return 25000;
    case 64:
      return 50000;
    case 128:
      return 100000;
    default:
      return 0;
  }
}

uint64_t lanes(unsigned width) {
  switch (width) {
    case 1:
      return 1;
    case 2:
      return 4;
    case 4:
      return 8;
    case 8:
      return 12;
    case 16:
      return 2;
    default:
      return 0;
  }
}

std::string link_layer_word(uint8_t layer) {
  if (layer == IBV_LINK_LAYER_ETHERNET) return "Ethernet";
  return layer == IBV_LINK_LAYER_INFINIBAND ? "InfiniBand" : "Unspecified";
}

// The device of that name in the list; the list is freed by the caller after it was opened.
ibv_device* find_device(const Verbs& verbs, ibv_device** list, int count, const std::string& name) {
  for (int i = 0; i < count; ++i) {
    if (verbs.get_device_name(list[i]) == name) return list[i];
  }
  return nullptr;
}

}  // namespace

Result<const Verbs*> load_verbs() {
  static const Result<Verbs> table = load_table();
  if (!table) return fail(table.error());
  return &*table;
}

Observed<RdmaPortAttributes> read_port_attributes(const Verbs& verbs, const std::string& device, uint32_t port) {
  const std::string what = "verbs device " + device + "/" + std::to_string(port);
  if (port > UINT8_MAX) return gap(GapReason::kAbsent, what);
  int count = 0;
  errno = 0;
  const auto free_list = [&](ibv_device** list) { verbs.free_device_list(list); };
  const std::unique_ptr<ibv_device*, decltype(free_list)> list(verbs.get_device_list(&count), free_list);
  if (!list) return tl::unexpected<Gap>(gap_of(errno, what));
  ibv_device* found = find_device(verbs, list.get(), count, device);
  if (found == nullptr)
    return gap(GapReason::kAbsent, what + ": libibverbs has no such device (is its provider installed?)");
  const auto close = [&](ibv_context* context) { verbs.close_device(context); };
  errno = 0;
  const std::unique_ptr<ibv_context, decltype(close)> context(verbs.open_device(found), close);
  if (!context) return tl::unexpected<Gap>(gap_of(errno, what));
  ibv_port_attr raw{};
  if (const int result = query_port(verbs, context.get(), static_cast<uint8_t>(port), raw); result != 0)
    return tl::unexpected<Gap>(gap_of(result > 0 ? result : errno, what));
  return RdmaPortAttributes{bytes_of(raw.active_mtu), bytes_of(raw.max_mtu),
                            lane_speed(raw.active_speed) * lanes(raw.active_width), link_layer_word(raw.link_layer)};
}

}  // namespace rocert
