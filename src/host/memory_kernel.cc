// The kernel objects of a MemoryHost under writes: stored as asked, as a kernel without opinions would.
#include <algorithm>

#include "host/memory_host.h"

namespace rocert {
namespace {

// The held answer of a query, to be changed in place.
template <class Query>
Result<typename Query::Answer*> held(MemoryHost& host, const Query& query) {
  const auto found = host.objects.find(query);
  if (found == host.objects.end()) return fail(ErrorKind::kSystem, recording_path(query) + ": absent");
  if (!found->second) return fail(ErrorKind::kSystem, to_text(found->second.error()));
  return &std::get<typename Query::Answer>(*found->second);
}

Result<Link*> link_of(MemoryHost& host, int ifindex) {
  auto* links = TRY(held(host, Links{}));
  const auto found = std::find_if(links->begin(), links->end(), [&](const Link& l) { return l.ifindex == ifindex; });
  if (found == links->end()) return fail(ErrorKind::kSystem, "no link with index " + std::to_string(ifindex));
  return &*found;
}

template <class Query, class Item>
Result<> add(MemoryHost& host, const Query& query, const Item& item) {
  auto* items = TRY(held(host, query));
  if (std::find(items->begin(), items->end(), item) != items->end())
    return fail(ErrorKind::kSystem, recording_path(query) + ": exists already");
  items->push_back(item);
  return {};
}

template <class Query, class Item>
Result<> erase(MemoryHost& host, const Query& query, const Item& item) {
  auto* items = TRY(held(host, query));
  if (std::erase(*items, item) == 0) return fail(ErrorKind::kSystem, recording_path(query) + ": absent");
  return {};
}

struct Store {
  MemoryHost& host;

  Result<> operator()(const SetMtu& w) const {
    TRY(link_of(host, w.ifindex))->mtu = w.mtu;
    return {};
  }
  Result<> operator()(const SetLinkUp& w) const {
    TRY(link_of(host, w.ifindex))->admin_up = w.up;
    return {};
  }
  Result<> operator()(const SetPfc& w) const {
    TRY(held(host, DcbOf{w.netdev}))->pfc = w.pfc;
    return {};
  }
  Result<> operator()(const SetEts& w) const {
    TRY(held(host, DcbOf{w.netdev}))->ets = w.ets;
    return {};
  }
  Result<> operator()(const SetDcbBuffers& w) const {
    TRY(held(host, DcbOf{w.netdev}))->buffers = w.buffers;
    return {};
  }
  Result<> operator()(const AddApp& w) const {
    auto& apps = TRY(held(host, DcbOf{w.netdev}))->apps;
    if (std::find(apps.begin(), apps.end(), w.app) != apps.end())
      return fail(ErrorKind::kSystem, to_text(KernelWrite(w)) + ": exists already");
    apps.push_back(w.app);
    return {};
  }
  Result<> operator()(const RemoveApp& w) const {
    if (std::erase(TRY(held(host, DcbOf{w.netdev}))->apps, w.app) == 0)
      return fail(ErrorKind::kSystem, to_text(KernelWrite(w)) + ": absent");
    return {};
  }
  Result<> operator()(const SetTrustOrder& w) const {
    TRY(held(host, DcbOf{w.netdev}))->trust_order = w.order;
    return {};
  }
  Result<> operator()(const SetDcbx& w) const {
    TRY(held(host, DcbOf{w.netdev}))->dcbx = w.mode;
    return {};
  }
  Result<> operator()(const SetPause& w) const {
    auto* pause = TRY(held(host, PauseOf{w.netdev}));
    pause->autoneg = w.autoneg;
    pause->rx = w.rx;
    pause->tx = w.tx;
    return {};
  }
  Result<> operator()(const AddAddress& w) const { return add(host, Addresses{}, w.address); }
  Result<> operator()(const RemoveAddress& w) const { return erase(host, Addresses{}, w.address); }
  Result<> operator()(const AddRoute& w) const { return add(host, Routes{}, w.route); }
  Result<> operator()(const RemoveRoute& w) const { return erase(host, Routes{}, w.route); }
  Result<> operator()(const AddRule& w) const { return add(host, Rules{}, w.rule); }
  Result<> operator()(const RemoveRule& w) const { return erase(host, Rules{}, w.rule); }
  Result<> operator()(const AddNeighbour& w) const { return add(host, Neighbours{}, w.neighbour); }
  Result<> operator()(const RemoveNeighbour& w) const { return erase(host, Neighbours{}, w.neighbour); }
  Result<> operator()(const SetPrivateFlag& w) const {
    auto* flags = TRY(held(host, PrivateFlagsOf{w.netdev}));
    const auto found = flags->find(w.flag);
    if (found == flags->end()) return fail(ErrorKind::kSystem, to_text(KernelWrite(w)) + ": absent");
    found->second = w.on;
    return {};
  }
};

}  // namespace

Result<> MemoryHost::store(const KernelWrite& write) { return std::visit(Store{*this}, write); }

}  // namespace rocert
