#include "support/fake_verbs.h"

#include <net/if.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "support/fake_wire.h"

namespace rocert::testing_support {
namespace {

FakeFabric::Wire* current = nullptr;

// The errno that the device was told to answer the call with; 0: none.
int refusal(ibv_context* context, const std::string& call) {
  const auto& refuse = device_of(context).is.faults.refuse;
  const auto found = refuse.find(call);
  return found == refuse.end() ? 0 : found->second;
}

template <class Object>
Object* refused(int number) {
  errno = number;
  return nullptr;
}

template <class Object>
Object* born(Object* object) {
  ++current->alive;
  return object;
}

template <class Object>
int gone(Object* object) {
  const std::lock_guard lock(current->mutex);
  --current->alive;
  delete object;
  return 0;
}

// --- devices ---

ibv_device** get_device_list(int* count) {
  auto** list = new ibv_device*[current->devices.size() + 1]();
  for (size_t i = 0; i < current->devices.size(); ++i) list[i] = current->devices[i].get();
  *count = static_cast<int>(current->devices.size());
  return list;
}

void free_device_list(ibv_device** list) { delete[] list; }
const char* get_device_name(ibv_device* device) { return device->name; }

int poll_cq(ibv_cq* queue, int limit, ibv_wc* completions);
int req_notify_cq(ibv_cq* queue, int solicited_only);
int post_send(ibv_qp* pair, ibv_send_wr* request, ibv_send_wr** bad);
int post_recv(ibv_qp* pair, ibv_recv_wr* request, ibv_recv_wr** bad);

ibv_context* open_device(ibv_device* device) {
  const std::lock_guard lock(current->mutex);
  auto context = std::make_unique<ibv_context>();
  context->device = device;
  context->ops.poll_cq = poll_cq;
  context->ops.req_notify_cq = req_notify_cq;
  context->ops.post_send = post_send;
  context->ops.post_recv = post_recv;
  if (const int number = refusal(context.get(), "open_device")) return refused<ibv_context>(number);
  return born(context.release());
}

int close_device(ibv_context* context) { return gone(context); }
int query_device(ibv_context*, ibv_device_attr* attributes) {
  *attributes = {};
  return 0;
}

int query_port(ibv_context* context, uint8_t port, _compat_ibv_port_attr* short_attributes) {
  if (port != 1) return EINVAL;
  if (const int number = refusal(context, "query_port")) return number;
  const FakeDevice& is = device_of(context).is;
  auto* attributes = reinterpret_cast<ibv_port_attr*>(short_attributes);
  attributes->state = is.state;
  attributes->active_mtu = is.active_mtu;
  attributes->max_mtu = IBV_MTU_4096;
  attributes->gid_tbl_len = static_cast<int>(is.gids.size());
  attributes->link_layer = is.link_layer;
  return 0;
}

int query_gid_ex(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry, uint32_t, size_t) {
  if (const int number = refusal(context, "query_gid_ex")) return number;
  const FakeDevice& is = device_of(context).is;
  if (port != 1 || index >= is.gids.size()) return EINVAL;
  const FakeGid& gid = is.gids[index];
  if (!gid.populated) return ENODATA;
  const auto raw = raw_gid(gid.address);
  std::ranges::copy(raw, entry->gid.raw);
  entry->gid_index = index;
  entry->port_num = port;
  entry->gid_type = gid.type;
  entry->ndev_ifindex = gid.netdev.empty() ? 0 : if_nametoindex(gid.netdev.c_str());
  return 0;
}

int query_gid(ibv_context* context, uint8_t port, int index, ibv_gid* gid) {
  ibv_gid_entry entry{};
  const int result = query_gid_ex(context, port, static_cast<uint32_t>(index), &entry, 0, sizeof entry);
  *gid = entry.gid;
  return result == 0 ? 0 : -1;
}

// --- domains, memory, queues ---

ibv_pd* alloc_pd(ibv_context* context) {
  const std::lock_guard lock(current->mutex);
  if (const int number = refusal(context, "alloc_pd")) return refused<ibv_pd>(number);
  return born(new ibv_pd{.context = context, .handle = 0});
}

ibv_mr* reg_mr(ibv_pd* domain, void* address, size_t length, int) {
  const std::lock_guard lock(current->mutex);
  if (const int number = refusal(domain->context, "reg_mr")) return refused<ibv_mr>(number);
  const uint32_t key = current->next_number++;
  auto* region = new ibv_mr{.context = domain->context,
                            .pd = domain,
                            .addr = address,
                            .length = length,
                            .handle = 0,
                            .lkey = key,
                            .rkey = key};
  current->regions[key] = region;
  return born(region);
}

int dereg_mr(ibv_mr* region) {
  {
    const std::lock_guard lock(current->mutex);
    current->regions.erase(region->lkey);
  }
  return gone(region);
}

ibv_comp_channel* create_comp_channel(ibv_context* context) {
  const std::lock_guard lock(current->mutex);
  if (const int number = refusal(context, "create_comp_channel")) return refused<ibv_comp_channel>(number);
  auto* channel = new Channel();
  channel->context = context;
  channel->fd = eventfd(0, EFD_SEMAPHORE);
  return born(channel);
}

int destroy_comp_channel(ibv_comp_channel* channel) {
  close(channel->fd);
  return gone(static_cast<Channel*>(channel));
}

ibv_cq* create_cq(ibv_context* context, int entries, void*, ibv_comp_channel* channel, int) {
  const std::lock_guard lock(current->mutex);
  if (const int number = refusal(context, "create_cq")) return refused<ibv_cq>(number);
  auto* queue = new Queue();
  queue->context = context;
  queue->channel = channel;
  queue->cqe = entries;
  return born(queue);
}

int destroy_cq(ibv_cq* queue) {
  // The real call waits for ever: the test fails instead.
  if (static_cast<Queue*>(queue)->unacknowledged != 0) return EBUSY;
  return gone(static_cast<Queue*>(queue));
}

int get_cq_event(ibv_comp_channel* channel, ibv_cq** queue, void**) {
  uint64_t count = 0;
  if (read(channel->fd, &count, sizeof count) != sizeof count) return -1;
  const std::lock_guard lock(current->mutex);
  auto& events = static_cast<Channel*>(channel)->events;
  *queue = events.front();
  events.pop_front();
  ++static_cast<Queue*>(*queue)->unacknowledged;
  return 0;
}

void ack_cq_events(ibv_cq* queue, unsigned count) {
  const std::lock_guard lock(current->mutex);
  static_cast<Queue*>(queue)->unacknowledged -= static_cast<int>(count);
}

int poll_cq(ibv_cq* queue, int limit, ibv_wc* completions) {
  const std::lock_guard lock(current->mutex);
  auto& entries = static_cast<Queue*>(queue)->entries;
  int count = 0;
  for (; count < limit && !entries.empty(); ++count) {
    completions[count] = entries.front();
    entries.pop_front();
  }
  return count;
}

int req_notify_cq(ibv_cq* queue, int) {
  const std::lock_guard lock(current->mutex);
  static_cast<Queue*>(queue)->armed = true;
  return 0;
}

// --- queue pairs ---

ibv_qp* create_qp(ibv_pd* domain, ibv_qp_init_attr* attributes) {
  const std::lock_guard lock(current->mutex);
  if (const int number = refusal(domain->context, "create_qp")) return refused<ibv_qp>(number);
  auto* pair = new Pair();
  pair->context = domain->context;
  pair->pd = domain;
  pair->send_cq = attributes->send_cq;
  pair->recv_cq = attributes->recv_cq;
  pair->qp_num = current->next_number++;
  pair->state = IBV_QPS_RESET;
  pair->told.device = domain->context->device->name;
  current->pairs[pair->qp_num] = pair;
  return born(pair);
}

std::string call_of(ibv_qp_state state) {
  switch (state) {
    case IBV_QPS_INIT:
      return "modify_qp INIT";
    case IBV_QPS_RTR:
      return "modify_qp RTR";
    case IBV_QPS_RTS:
      return "modify_qp RTS";
    default:
      return "modify_qp ERR";
  }
}

int modify_qp(ibv_qp* base, ibv_qp_attr* attributes, int) {
  const std::lock_guard lock(current->mutex);
  auto& pair = *static_cast<Pair*>(base);
  const ibv_qp_state state = attributes->qp_state;
  if (const int number = refusal(pair.context, call_of(state))) return number;
  const bool in_order = state == IBV_QPS_ERR || static_cast<int>(state) == static_cast<int>(pair.state) + 1;
  if (!in_order) return EINVAL;
  pair.state = state;
  if (state == IBV_QPS_RTR) {
    const auto& gids = device_of(pair.context).is.gids;
    if (attributes->ah_attr.grh.sgid_index >= gids.size()) return EINVAL;
    pair.gid = raw_gid(gids[attributes->ah_attr.grh.sgid_index].address);
    pair.told.rtr = *attributes;
  }
  if (state == IBV_QPS_RTS) pair.told.rts = *attributes;
  if (state == IBV_QPS_ERR) current->flush(pair);
  return 0;
}

int destroy_qp(ibv_qp* base) {
  auto* pair = static_cast<Pair*>(base);
  {
    const std::lock_guard lock(current->mutex);
    current->forget(*pair);
    current->pairs.erase(pair->qp_num);
    current->past.push_back(pair->told);
  }
  return gone(pair);
}

int post_send(ibv_qp* base, ibv_send_wr* request, ibv_send_wr** bad) {
  const std::lock_guard lock(current->mutex);
  auto* pair = static_cast<Pair*>(base);
  *bad = request;
  if (const int number = refusal(pair->context, "post_send")) return number;
  if (pair->state != IBV_QPS_RTS && pair->state != IBV_QPS_ERR) return EINVAL;
  for (; request != nullptr; request = request->next) {
    current->messages.push_back({.from = pair,
                                 .id = request->wr_id,
                                 .source = *request->sg_list,
                                 .opcode = request->opcode,
                                 .signaled = (request->send_flags & IBV_SEND_SIGNALED) != 0,
                                 .remote_address = request->wr.rdma.remote_addr,
                                 .remote_key = request->wr.rdma.rkey,
                                 .number = device_of(pair->context).sent++});
  }
  if (pair->state == IBV_QPS_ERR) current->flush(*pair);
  current->changed.notify_all();
  return 0;
}

int post_recv(ibv_qp* base, ibv_recv_wr* request, ibv_recv_wr** bad) {
  const std::lock_guard lock(current->mutex);
  auto* pair = static_cast<Pair*>(base);
  *bad = request;
  if (const int number = refusal(pair->context, "post_recv")) return number;
  if (pair->state == IBV_QPS_RESET) return EINVAL;
  for (; request != nullptr; request = request->next) pair->receives.push_back({request->wr_id, *request->sg_list});
  return 0;
}

const char* wc_status_str(ibv_wc_status) { return "status"; }

constexpr Verbs kVerbs{.get_device_list = get_device_list,
                       .free_device_list = free_device_list,
                       .get_device_name = get_device_name,
                       .open_device = open_device,
                       .close_device = close_device,
                       .query_device = query_device,
                       .query_port = query_port,
                       .query_gid = query_gid,
                       .query_gid_ex = query_gid_ex,
                       .alloc_pd = alloc_pd,
                       .dealloc_pd = [](ibv_pd* domain) { return gone(domain); },
                       .reg_mr = reg_mr,
                       .dereg_mr = dereg_mr,
                       .create_comp_channel = create_comp_channel,
                       .destroy_comp_channel = destroy_comp_channel,
                       .create_cq = create_cq,
                       .destroy_cq = destroy_cq,
                       .get_cq_event = get_cq_event,
                       .ack_cq_events = ack_cq_events,
                       .create_qp = create_qp,
                       .modify_qp = modify_qp,
                       .destroy_qp = destroy_qp,
                       .wc_status_str = wc_status_str};

}  // namespace

FakeFabric::FakeFabric(std::vector<FakeDevice> devices) : wire_(std::make_unique<Wire>()) {
  for (FakeDevice& is : devices) {
    auto device = std::make_unique<Device>();
    device->name[is.name.copy(device->name, sizeof device->name - 1)] = '\0';
    device->is = std::move(is);
    wire_->devices.push_back(std::move(device));
  }
  current = wire_.get();
  wire_->thread = std::thread([wire = wire_.get()] { wire->run(); });
}

FakeFabric::~FakeFabric() {
  {
    const std::lock_guard lock(wire_->mutex);
    wire_->stopping = true;
    wire_->changed.notify_all();
  }
  wire_->thread.join();
  current = nullptr;
}

const Verbs& FakeFabric::verbs() const { return kVerbs; }

int FakeFabric::alive() const {
  const std::lock_guard lock(wire_->mutex);
  return wire_->alive;
}

std::vector<FakeConnection> FakeFabric::connections() const {
  const std::lock_guard lock(wire_->mutex);
  return wire_->past;
}

}  // namespace rocert::testing_support
