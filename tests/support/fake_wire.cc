#include "support/fake_wire.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "model/ip.h"

namespace rocert::testing_support {
namespace {

ibv_wc_opcode completed(ibv_wr_opcode opcode) { return opcode == IBV_WR_RDMA_WRITE ? IBV_WC_RDMA_WRITE : IBV_WC_SEND; }

}  // namespace

std::array<uint8_t, 16> raw_gid(const std::string& text) {
  const auto address = parse_ip(text).value();
  if (address.family == Family::kIpv6) return address.bytes;
  std::array<uint8_t, 16> raw{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  std::copy_n(address.bytes.begin(), 4, raw.begin() + 12);
  return raw;
}

void FakeFabric::Wire::run() {
  std::unique_lock lock(mutex);
  while (!stopping) {
    if (messages.empty()) {
      changed.wait(lock);
      continue;
    }
    const auto slow = device_of(messages.front().from->context).is.faults.slow;
    if (slow.count() > 0) {
      // Others may post, flush or stop meanwhile; what then stands first is delivered.
      changed.wait_for(lock, slow, [&] { return stopping; });
      if (stopping || messages.empty()) continue;
    }
    const Message message = messages.front();
    messages.pop_front();
    deliver(message);
  }
}

Pair* FakeFabric::Wire::peer_of(const Pair& pair) const {
  const auto found = pairs.find(pair.told.rtr.dest_qp_num);
  if (found == pairs.end()) return nullptr;
  Pair* peer = found->second;
  const bool reachable = std::ranges::equal(pair.told.rtr.ah_attr.grh.dgid.raw, peer->gid);
  const bool ready = peer->state == IBV_QPS_RTR || peer->state == IBV_QPS_RTS;
  return reachable && ready ? peer : nullptr;
}

void FakeFabric::Wire::deliver(const Message& message) {
  const FakeFaults& faults = device_of(message.from->context).is.faults;
  const bool faulty = message.number >= faults.after;
  if (faulty && faults.vanishes) {
    lost.push_back(message);
    return;
  }
  const ibv_wc_status status = faulty && faults.fails_with ? *faults.fails_with : move(message);
  finish(message, status);
  if (status == IBV_WC_SUCCESS) return;
  message.from->state = IBV_QPS_ERR;
  flush(*message.from);
}

// What the peer's memory sees of the message.
ibv_wc_status FakeFabric::Wire::move(const Message& message) {
  Pair* peer = peer_of(*message.from);
  if (peer == nullptr) return IBV_WC_RETRY_EXC_ERR;
  uint64_t target = message.remote_address;
  Receive receive;
  if (message.opcode == IBV_WR_RDMA_WRITE) {
    const auto region = regions.find(message.remote_key);
    if (region == regions.end()) return IBV_WC_REM_ACCESS_ERR;
    const auto start = reinterpret_cast<uintptr_t>(region->second->addr);
    const bool inside = target >= start && target + message.source.length <= start + region->second->length;
    if (!inside) return IBV_WC_REM_ACCESS_ERR;
  } else {
    if (peer->receives.empty()) return IBV_WC_RNR_RETRY_EXC_ERR;
    receive = peer->receives.front();
    peer->receives.pop_front();
    if (message.source.length > receive.target.length) return IBV_WC_REM_INV_REQ_ERR;
    target = receive.target.addr;
  }
  std::memcpy(reinterpret_cast<void*>(target), reinterpret_cast<const void*>(message.source.addr),
              message.source.length);
  const FakeFaults& faults = device_of(message.from->context).is.faults;
  if (faults.arrives_damaged && message.number >= faults.after) {
    reinterpret_cast<uint8_t*>(target)[message.source.length / 2] ^= 0x10;
  }
  if (message.opcode != IBV_WR_RDMA_WRITE) {
    ibv_wc arrived{};
    arrived.wr_id = receive.id;
    arrived.opcode = IBV_WC_RECV;
    arrived.byte_len = message.source.length;
    arrived.wc_flags = message.opcode == IBV_WR_SEND_WITH_IMM ? unsigned{IBV_WC_WITH_IMM} : 0u;
    complete(peer->recv_cq, arrived);
  }
  return IBV_WC_SUCCESS;
}

void FakeFabric::Wire::finish(const Message& message, ibv_wc_status status) const {
  if (!message.signaled && status == IBV_WC_SUCCESS) return;
  ibv_wc completion{};
  completion.wr_id = message.id;
  completion.status = status;
  completion.opcode = completed(message.opcode);
  completion.vendor_err = status == IBV_WC_SUCCESS ? 0 : 0x81;
  complete(message.from->send_cq, completion);
}

void FakeFabric::Wire::complete(ibv_cq* base, const ibv_wc& completion) const {
  auto& queue = *static_cast<Queue*>(base);
  queue.entries.push_back(completion);
  if (!queue.armed || queue.channel == nullptr) return;
  queue.armed = false;
  static_cast<Channel*>(queue.channel)->events.push_back(base);
  const uint64_t one = 1;
  static_cast<void>(write(queue.channel->fd, &one, sizeof one));
}

void FakeFabric::Wire::flush(Pair& pair) {
  if (!device_of(pair.context).is.faults.never_flushes) {
    for (const auto* posted : {&lost, &messages}) {
      for (const Message& message : *posted) {
        if (message.from == &pair) finish(message, IBV_WC_WR_FLUSH_ERR);
      }
    }
    for (const Receive& receive : pair.receives) {
      ibv_wc completion{};
      completion.wr_id = receive.id;
      completion.status = IBV_WC_WR_FLUSH_ERR;
      complete(pair.recv_cq, completion);
    }
  }
  pair.receives.clear();
  forget(pair);
}

void FakeFabric::Wire::forget(const Pair& pair) {
  const auto is_its = [&](const Message& message) { return message.from == &pair; };
  std::erase_if(messages, is_its);
  std::erase_if(lost, is_its);
}

}  // namespace rocert::testing_support
