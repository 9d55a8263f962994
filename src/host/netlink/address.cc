#include "host/netlink/address.h"

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include <cerrno>

namespace rocert::netlink {
namespace {

// What the kernel keeps by itself and a request may not carry.
constexpr uint32_t kStateFlags =
    IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED | IFA_F_PERMANENT | IFA_F_SECONDARY | IFA_F_STABLE_PRIVACY;

Request request_for(uint16_t type, uint16_t flags, const Address& address) {
  ifaddrmsg header{};
  header.ifa_family = static_cast<uint8_t>(address_family(address.local.address.family));
  header.ifa_prefixlen = address.local.length;
  header.ifa_scope = address.scope;
  header.ifa_index = static_cast<uint32_t>(address.ifindex);
  Request request(type, flags, header);
  request.put(IFA_LOCAL, octets_of(address.local.address));
  request.put(IFA_ADDRESS, octets_of(address.peer.value_or(address.local.address)));
  if (type == RTM_NEWADDR) request.put_plain(IFA_FLAGS, address.flags & ~kStateFlags);
  return request;
}

}  // namespace

Observed<std::optional<Address>> parse_address(Octets body) {
  const auto header = plain<ifaddrmsg>(body);
  const auto attributes = Attributes::parse_after(body, sizeof(ifaddrmsg));
  if (!header || !attributes) return malformed("address");
  const auto family = family_of(header->ifa_family);
  if (!family) return std::nullopt;
  const auto remote = attributes->find(IFA_ADDRESS);
  const auto local = attributes->find(IFA_LOCAL);
  if (!remote && !local) return malformed("address");
  const auto own = address_of(local ? *local : *remote);
  const auto other = address_of(remote ? *remote : *local);
  if (!own || !other || own->family != *family || header->ifa_prefixlen > address_bits(*family))
    return malformed("address");
  Address address;
  address.ifindex = static_cast<int>(header->ifa_index);
  address.local = {*own, header->ifa_prefixlen};
  if (*other != *own) address.peer = other;
  address.scope = header->ifa_scope;
  address.flags = attributes->get<uint32_t>(IFA_FLAGS).value_or(header->ifa_flags);
  return address;
}

Observed<std::vector<Address>> read_addresses(Socket& socket) {
  return collect(socket.dump(RTM_GETADDR, ifaddrmsg{}), "addresses", parse_address);
}

Result<> write(Socket& socket, const AddAddress& change) {
  Request request = request_for(RTM_NEWADDR, kReplace, change.address);
  return socket.exchange(request).result(to_text(KernelWrite(change)));
}

Result<> write(Socket& socket, const RemoveAddress& change) {
  Request request = request_for(RTM_DELADDR, kAck, change.address);
  const Reply reply = socket.exchange(request);
  if (reply.error == EADDRNOTAVAIL) return {};
  return reply.result(to_text(KernelWrite(change)));
}

}  // namespace rocert::netlink
