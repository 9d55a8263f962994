#include "netns/route_get.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace rocert {
namespace {

struct Request {
  nlmsghdr header{};
  rtmsg message{};
  std::array<uint8_t, 256> attributes{};
};

void put(Request& request, uint16_t type, const void* value, size_t size) {
  rtattr attribute{static_cast<uint16_t>(RTA_LENGTH(size)), type};
  uint8_t* at = reinterpret_cast<uint8_t*>(&request) + NLMSG_ALIGN(request.header.nlmsg_len);
  std::memcpy(at, &attribute, sizeof(attribute));
  std::memcpy(at + RTA_LENGTH(0), value, size);
  request.header.nlmsg_len = static_cast<uint32_t>(NLMSG_ALIGN(request.header.nlmsg_len) + RTA_ALIGN(RTA_LENGTH(size)));
}

size_t octets(const IpAddress& address) { return address_bits(address.family) / 8; }

Request request_for(const Flow& flow, bool entry) {
  Request request;
  request.header.nlmsg_len = NLMSG_LENGTH(sizeof(rtmsg));
  request.header.nlmsg_type = RTM_GETROUTE;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.message.rtm_family = flow.destination.family == Family::kIpv4 ? AF_INET : AF_INET6;
  request.message.rtm_dst_len = address_bits(flow.destination.family);
  request.message.rtm_tos = flow.tos;
  request.message.rtm_flags = RTM_F_LOOKUP_TABLE | (entry ? RTM_F_FIB_MATCH : 0);
  put(request, RTA_DST, flow.destination.bytes.data(), octets(flow.destination));
  if (flow.source) {
    request.message.rtm_src_len = address_bits(flow.source->family);
    put(request, RTA_SRC, flow.source->bytes.data(), octets(*flow.source));
  }
  if (flow.out_ifindex != 0) put(request, RTA_OIF, &flow.out_ifindex, sizeof(flow.out_ifindex));
  if (flow.mark != 0) put(request, RTA_MARK, &flow.mark, sizeof(flow.mark));
  put(request, RTA_UID, &flow.uid, sizeof(flow.uid));
  return request;
}

IpAddress address_from(const rtattr* attribute, Family family) {
  IpAddress address{family, {}};
  std::memcpy(address.bytes.data(), RTA_DATA(attribute), std::min<size_t>(RTA_PAYLOAD(attribute), octets(address)));
  return address;
}

RouteAnswer answer_from(nlmsghdr* header, Family family) {
  const auto* message = static_cast<const rtmsg*>(NLMSG_DATA(header));
  RouteAnswer answer{.type = message->rtm_type, .table = message->rtm_table};
  answer.destination = {IpAddress{family, {}}, message->rtm_dst_len};
  auto left = static_cast<int>(RTM_PAYLOAD(header));
  for (const rtattr* at = RTM_RTA(message); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
    if (at->rta_type == RTA_OIF) std::memcpy(&answer.ifindex, RTA_DATA(at), sizeof(answer.ifindex));
    if (at->rta_type == RTA_TABLE) std::memcpy(&answer.table, RTA_DATA(at), sizeof(answer.table));
    if (at->rta_type == RTA_GATEWAY) answer.gateway = address_from(at, family);
    if (at->rta_type == RTA_DST) answer.destination.address = address_from(at, family);
  }
  return answer;
}

}  // namespace

std::optional<RouteAnswer> route_get(const Flow& flow, bool entry) {
  const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return std::nullopt;
  const timeval bound{10, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof(bound));
  const Request request = request_for(flow, entry);
  alignas(nlmsghdr) std::array<uint8_t, 8192> buffer{};
  ssize_t size = send(fd, &request, request.header.nlmsg_len, 0);
  if (size > 0) size = recv(fd, buffer.data(), buffer.size(), 0);
  close(fd);
  auto* header = reinterpret_cast<nlmsghdr*>(buffer.data());
  if (size <= 0 || !NLMSG_OK(header, static_cast<uint32_t>(size))) return std::nullopt;
  if (header->nlmsg_type != NLMSG_ERROR) return answer_from(header, flow.destination.family);
  return RouteAnswer{.error = -static_cast<const nlmsgerr*>(NLMSG_DATA(header))->error};
}

}  // namespace rocert
