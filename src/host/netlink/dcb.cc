#include "host/netlink/dcb.h"

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

namespace rocert::netlink {
namespace {

// linux/dcbnl.h of Linux 6.3; Debian 12's ends with DCB_ATTR_DCB_BUFFER = 10.
enum : uint16_t { kTrustTable = 11 };
// Types of an APP or trust entry: IEEE's own selectors, and the kernel's (PCP).
enum : uint16_t { kIeeeEntry = 1, kKernelEntry = 2 };

constexpr size_t kClasses = 8;

uint16_t entry_type(uint8_t selector) { return selector == kAppPcp ? kKernelEntry : kIeeeEntry; }

template <class To, class From>
std::array<To, kClasses> eight(const From* from) {
  std::array<To, kClasses> to{};
  std::copy(from, from + kClasses, to.begin());
  return to;
}

Pfc pfc_of(const ieee_pfc& raw) {
  return {raw.pfc_cap,
          raw.pfc_en,
          raw.mbc != 0,
          raw.delay,
          eight<uint64_t>(raw.requests),
          eight<uint64_t>(raw.indications)};
}

Ets ets_of(const ieee_ets& raw) {
  return {
      raw.willing != 0,           raw.ets_cap, raw.cbs != 0, eight<uint8_t>(raw.tc_tx_bw), eight<uint8_t>(raw.tc_tsa),
      eight<uint8_t>(raw.prio_tc)};
}

std::vector<App> apps_of(const Attributes& table) {
  std::vector<App> apps;
  for (const Attribute& entry : table) {
    const auto raw = plain<dcb_app>(entry.payload);
    if (raw && (entry.type == kIeeeEntry || entry.type == kKernelEntry))
      apps.push_back({raw->selector, raw->priority, raw->protocol});
  }
  std::sort(apps.begin(), apps.end());
  return apps;
}

std::vector<uint8_t> selectors_of(const Attributes& table) {
  std::vector<uint8_t> selectors;
  for (const Attribute& entry : table) {
    const auto selector = plain<uint8_t>(entry.payload);
    if (selector && (entry.type == kIeeeEntry || entry.type == kKernelEntry)) selectors.push_back(*selector);
  }
  return selectors;
}

// A struct inside the nest; false when it is there and too short.
template <class Raw, class T>
bool read(const Attributes& ieee, uint16_t type, T (*convert)(const Raw&), std::optional<T>& into) {
  const auto payload = ieee.find(type);
  if (!payload) return true;
  const auto raw = plain<Raw>(*payload);
  if (raw) into = convert(*raw);
  return raw.has_value();
}

Request request_for(uint16_t type, uint8_t command, const std::string& netdev) {
  dcbmsg header{};
  header.cmd = command;
  Request request(type, kAck, header);
  request.put_text(DCB_ATTR_IFNAME, netdev);
  return request;
}

Reply get(Socket& socket, const std::string& netdev) {
  Request request = request_for(RTM_GETDCB, DCB_CMD_IEEE_GET, netdev);
  return socket.exchange(request);
}

Result<> set(Socket& socket, Request& request, const KernelWrite& write, int fine = 0) {
  Reply reply = socket.exchange(request);
  if (reply.error == 0) {
    if (reply.messages.empty())
      return fail(ErrorKind::kSystem, to_text(write) + ": the kernel did not say how it went");
    reply.error = parse_dcb_result(reply.messages.front().body);
  }
  if (fine != 0 && reply.error == fine) return {};
  return reply.result(to_text(write));
}

template <class Raw>
Result<> set_ieee(Socket& socket, const std::string& netdev, uint16_t type, const Raw& raw, const KernelWrite& write) {
  Request request = request_for(RTM_SETDCB, DCB_CMD_IEEE_SET, netdev);
  request.nest(DCB_ATTR_IEEE, [&] { request.put_plain(type, raw); });
  return set(socket, request, write);
}

Result<> change_app(Socket& socket, uint8_t command, const std::string& netdev, const App& app, int fine,
                    const KernelWrite& write) {
  Request request = request_for(RTM_SETDCB, command, netdev);
  const dcb_app raw{.selector = app.selector, .priority = app.priority, .protocol = app.protocol};
  request.nest(DCB_ATTR_IEEE, [&] {
    request.nest(DCB_ATTR_IEEE_APP_TABLE, [&] { request.put_plain(entry_type(app.selector), raw); });
  });
  return set(socket, request, write, fine);
}

}  // namespace

Observed<Dcb> parse_dcb(Octets body) {
  const auto attributes = Attributes::parse_after(body, sizeof(dcbmsg));
  if (!attributes) return malformed("dcb");
  Dcb dcb;
  dcb.dcbx = attributes->get<uint8_t>(DCB_ATTR_DCBX);
  const auto ieee = attributes->nest(DCB_ATTR_IEEE);
  if (!ieee) {
    if (attributes->has(DCB_ATTR_IEEE)) return malformed("dcb");
    return dcb;
  }
  const bool whole = read(*ieee, DCB_ATTR_IEEE_PFC, pfc_of, dcb.pfc) &&
                     read(*ieee, DCB_ATTR_IEEE_ETS, ets_of, dcb.ets) &&
                     read(*ieee, DCB_ATTR_IEEE_PEER_PFC, pfc_of, dcb.peer_pfc) &&
                     read(*ieee, DCB_ATTR_IEEE_PEER_ETS, ets_of, dcb.peer_ets);
  if (!whole) return malformed("dcb");
  if (const auto raw = ieee->get<dcbnl_buffer>(DCB_ATTR_DCB_BUFFER))
    dcb.buffers = DcbBuffers{eight<uint8_t>(raw->prio2buffer), eight<uint32_t>(raw->buffer_size), raw->total_size};
  if (const auto raw = ieee->get<ieee_maxrate>(DCB_ATTR_IEEE_MAXRATE)) dcb.max_rate = eight<uint64_t>(raw->tc_maxrate);
  if (const auto table = ieee->nest(DCB_ATTR_IEEE_APP_TABLE)) dcb.apps = apps_of(*table);
  if (const auto table = ieee->nest(DCB_ATTR_IEEE_PEER_APP)) dcb.peer_apps = apps_of(*table);
  if (const auto table = ieee->nest(kTrustTable)) dcb.trust_order = selectors_of(*table);
  return dcb;
}

int parse_dcb_result(Octets body) {
  const auto attributes = Attributes::parse_after(body, sizeof(dcbmsg));
  if (!attributes) return EBADMSG;
  // A signed byte: ENOTSUPP (524), which some drivers leak, arrives as 12.
  if (const auto result = attributes->get<int8_t>(DCB_ATTR_IEEE)) return *result < 0 ? -*result : *result;
  if (const auto result = attributes->get<uint8_t>(DCB_ATTR_DCBX)) return *result == 0 ? 0 : EOPNOTSUPP;
  return EBADMSG;
}

Observed<Dcb> read_dcb(Socket& socket, const std::string& netdev) {
  const Reply reply = get(socket, netdev);
  if (reply.error != 0) return tl::unexpected<Gap>(reply.gap("dcb of " + netdev));
  if (reply.messages.empty()) return malformed("dcb");
  return parse_dcb(reply.messages.front().body);
}

Result<> write(Socket& socket, const SetPfc& change) {
  ieee_pfc raw{};
  raw.pfc_cap = change.pfc.capability;
  raw.pfc_en = change.pfc.enabled;
  raw.mbc = change.pfc.mbc ? 1 : 0;
  raw.delay = change.pfc.delay;
  return set_ieee(socket, change.netdev, DCB_ATTR_IEEE_PFC, raw, change);
}

Result<> write(Socket& socket, const SetEts& change) {
  const Reply now = get(socket, change.netdev);
  TRY(now.result(to_text(KernelWrite(change))));
  const auto attributes =
      now.messages.empty() ? std::nullopt : Attributes::parse_after(now.messages.front().body, sizeof(dcbmsg));
  const auto ieee = attributes ? attributes->nest(DCB_ATTR_IEEE) : std::nullopt;
  ieee_ets raw = ieee ? ieee->get<ieee_ets>(DCB_ATTR_IEEE_ETS).value_or(ieee_ets{}) : ieee_ets{};
  raw.willing = change.ets.willing ? 1 : 0;
  raw.ets_cap = change.ets.capability;
  raw.cbs = change.ets.cbs ? 1 : 0;
  std::copy(change.ets.bandwidth.begin(), change.ets.bandwidth.end(), raw.tc_tx_bw);
  std::copy(change.ets.transmission_selection.begin(), change.ets.transmission_selection.end(), raw.tc_tsa);
  std::copy(change.ets.priority_to_class.begin(), change.ets.priority_to_class.end(), raw.prio_tc);
  return set_ieee(socket, change.netdev, DCB_ATTR_IEEE_ETS, raw, change);
}

Result<> write(Socket& socket, const SetDcbBuffers& change) {
  dcbnl_buffer raw{};
  std::copy(change.buffers.priority_to_buffer.begin(), change.buffers.priority_to_buffer.end(), raw.prio2buffer);
  std::copy(change.buffers.size.begin(), change.buffers.size.end(), raw.buffer_size);
  raw.total_size = change.buffers.total;
  return set_ieee(socket, change.netdev, DCB_ATTR_DCB_BUFFER, raw, change);
}

Result<> write(Socket& socket, const AddApp& change) {
  return change_app(socket, DCB_CMD_IEEE_SET, change.netdev, change.app, EEXIST, change);
}

Result<> write(Socket& socket, const RemoveApp& change) {
  return change_app(socket, DCB_CMD_IEEE_DEL, change.netdev, change.app, ENOENT, change);
}

Result<> write(Socket& socket, const SetTrustOrder& change) {
  Request request = request_for(RTM_SETDCB, DCB_CMD_IEEE_SET, change.netdev);
  request.nest(DCB_ATTR_IEEE, [&] {
    request.nest(kTrustTable, [&] {
      for (const uint8_t selector : change.order) request.put_plain(entry_type(selector), selector);
    });
  });
  return set(socket, request, change);
}

Result<> write(Socket& socket, const SetDcbx& change) {
  Request request = request_for(RTM_SETDCB, DCB_CMD_SDCBX, change.netdev);
  request.put_plain(DCB_ATTR_DCBX, change.mode);
  return set(socket, request, change);
}

}  // namespace rocert::netlink
