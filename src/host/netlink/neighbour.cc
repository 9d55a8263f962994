#include "host/netlink/neighbour.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <cerrno>

#include "base/text.h"

namespace rocert::netlink {
namespace {

Request request_for(uint16_t type, uint16_t flags, const Neighbour& neighbour) {
  ndmsg header{};
  header.ndm_family = static_cast<uint8_t>(address_family(neighbour.address.family));
  header.ndm_ifindex = neighbour.ifindex;
  header.ndm_state = neighbour.state;
  header.ndm_flags = neighbour.flags;
  Request request(type, flags, header);
  request.put(NDA_DST, octets_of(neighbour.address));
  return request;
}

// "02:00:00:00:00:01" as bytes; nothing when malformed.
std::optional<std::vector<uint8_t>> parse_link_address(std::string_view text) {
  std::vector<uint8_t> bytes;
  for (std::string_view part : split(text, ':')) {
    const auto byte = part.size() == 2 ? parse_unsigned("0x" + std::string(part)) : std::nullopt;
    if (!byte || bytes.size() == 32) return std::nullopt;
    bytes.push_back(static_cast<uint8_t>(*byte));
  }
  return bytes;
}

}  // namespace

Observed<std::optional<Neighbour>> parse_neighbour(Octets body) {
  const auto header = plain<ndmsg>(body);
  const auto attributes = Attributes::parse_after(body, sizeof(ndmsg));
  if (!header || !attributes) return malformed("neighbour");
  const auto family = family_of(header->ndm_family);
  if (!family) return std::nullopt;
  const auto destination = attributes->find(NDA_DST);
  const auto address = destination ? address_of(*destination) : std::nullopt;
  if (!address || address->family != *family) return malformed("neighbour");
  Neighbour neighbour;
  neighbour.ifindex = header->ndm_ifindex;
  neighbour.address = *address;
  if (const auto link = attributes->find(NDA_LLADDR)) neighbour.link_address = hex_of(*link, ':');
  neighbour.state = header->ndm_state;
  neighbour.flags = header->ndm_flags;
  return neighbour;
}

Observed<std::vector<Neighbour>> read_neighbours(Socket& socket) {
  return collect(socket.dump(RTM_GETNEIGH, ndmsg{}), "neighbours", parse_neighbour);
}

Result<> write(Socket& socket, const AddNeighbour& change) {
  Request request = request_for(RTM_NEWNEIGH, kReplace, change.neighbour);
  if (!change.neighbour.link_address.empty()) {
    const auto bytes = parse_link_address(change.neighbour.link_address);
    if (!bytes)
      return fail(ErrorKind::kUsage, to_text(KernelWrite(change)) + ": seen a malformed link-layer address, wanted " +
                                         "pairs of hexadecimal digits and colons");
    request.put(NDA_LLADDR, *bytes);
  }
  return socket.exchange(request).result(to_text(KernelWrite(change)));
}

Result<> write(Socket& socket, const RemoveNeighbour& change) {
  Request request = request_for(RTM_DELNEIGH, kAck, change.neighbour);
  const Reply reply = socket.exchange(request);
  if (reply.error == ENOENT) return {};
  return reply.result(to_text(KernelWrite(change)));
}

}  // namespace rocert::netlink
