// The verbs and rdma_cm calls that rocert makes, as one table loaded by dlopen: a host without rdma-core can still be
// audited, and tests bring a fake. Types are rdma-core's own headers.
#pragma once
#include <infiniband/verbs.h>

#include <string>

#include "base/result.h"
#include "model/gap.h"
#include "model/rdma.h"

namespace rocert {

// Exported functions of libibverbs.so.1 that rocert calls. Inline verbs (post_send, poll_cq, req_notify_cq) go through
// the context's own operations, which a fake fills in.
struct Verbs {
  ibv_device** (*get_device_list)(int* count);
  void (*free_device_list)(ibv_device** list);
  const char* (*get_device_name)(ibv_device* device);
  ibv_context* (*open_device)(ibv_device* device);
  int (*close_device)(ibv_context* context);
  int (*query_device)(ibv_context* context, ibv_device_attr* attributes);
  // The exported symbol takes the shorter, older struct; query_port() below hides that.
  int (*query_port)(ibv_context* context, uint8_t port, _compat_ibv_port_attr* attributes);
  int (*query_gid)(ibv_context* context, uint8_t port, int index, ibv_gid* gid);
  // Symbol _ibv_query_gid_ex: the entry with its type and netdev. ENODATA: the slot is empty.
  int (*query_gid_ex)(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry, uint32_t flags,
                      size_t entry_size);
  ibv_pd* (*alloc_pd)(ibv_context* context);
  int (*dealloc_pd)(ibv_pd* domain);
  ibv_mr* (*reg_mr)(ibv_pd* domain, void* address, size_t length, int access);
  int (*dereg_mr)(ibv_mr* region);
  ibv_comp_channel* (*create_comp_channel)(ibv_context* context);
  int (*destroy_comp_channel)(ibv_comp_channel* channel);
  ibv_cq* (*create_cq)(ibv_context* context, int entries, void* cookie, ibv_comp_channel* channel, int vector);
  int (*destroy_cq)(ibv_cq* queue);
  int (*get_cq_event)(ibv_comp_channel* channel, ibv_cq** queue, void** cookie);
  void (*ack_cq_events)(ibv_cq* queue, unsigned int count);
  ibv_qp* (*create_qp)(ibv_pd* domain, ibv_qp_init_attr* attributes);
  int (*modify_qp)(ibv_qp* pair, ibv_qp_attr* attributes, int mask);
  int (*destroy_qp)(ibv_qp* pair);
  const char* (*wc_status_str)(ibv_wc_status status);
};

// Attributes of a port; those that an older library does not know stay zero. Returns 0 or an errno.
inline int query_port(const Verbs& verbs, ibv_context* context, uint8_t port, ibv_port_attr& attributes) {
  attributes = {};
  return verbs.query_port(context, port, reinterpret_cast<_compat_ibv_port_attr*>(&attributes));
}

// What the library tells of a port: opens the device, asks, closes it.
Observed<RdmaPortAttributes> read_port_attributes(const Verbs& verbs, const std::string& device, uint32_t port);

// Loads libibverbs.so.1 once. An Error (kSystem) says which library or symbol is missing and which package has it.
Result<const Verbs*> load_verbs();

}  // namespace rocert
