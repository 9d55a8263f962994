#include "host/netlink/link.h"

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

namespace rocert::netlink {
namespace {

constexpr std::array<std::string_view, 7> kOperstates{"unknown", "notpresent", "down", "lowerlayerdown",
                                                      "testing", "dormant",    "up"};

std::string operstate_word(uint8_t state) {
  return state < kOperstates.size() ? std::string(kOperstates[state]) : std::to_string(state);
}

template <class T>
std::optional<T> info_data(const Attributes& link_info, uint16_t type) {
  const auto data = link_info.nest(IFLA_INFO_DATA);
  return data ? data->get<T>(type) : std::nullopt;
}

// IFLA_LINK where it means the device below: not the other end of a pair, and not an index of another namespace.
std::optional<int> lower_of(const Attributes& attributes, const Link& link) {
  const auto index = attributes.get<int>(IFLA_LINK);
  const bool pair = link.kind == "veth" || link.kind == "netkit";
  if (!index || *index <= 0 || *index == link.ifindex || pair || attributes.has(IFLA_LINK_NETNSID)) return std::nullopt;
  return index;
}

// A vxlan tells the device below among its own attributes only.
std::optional<int> vxlan_lower_of(const Attributes& attributes) {
  const auto link_info = attributes.nest(IFLA_LINKINFO);
  const auto index = link_info ? info_data<int>(*link_info, IFLA_VXLAN_LINK) : std::nullopt;
  return index && *index > 0 && !attributes.has(IFLA_LINK_NETNSID) ? index : std::nullopt;
}

ifinfomsg header_for(int ifindex) {
  ifinfomsg header{};
  header.ifi_index = ifindex;
  return header;
}

}  // namespace

Observed<std::optional<Link>> parse_link(Octets body) {
  const auto header = plain<ifinfomsg>(body);
  const auto attributes = Attributes::parse_after(body, sizeof(ifinfomsg));
  if (!header || !attributes) return malformed("link");
  const auto name = attributes->text(IFLA_IFNAME);
  const auto mtu = attributes->get<uint32_t>(IFLA_MTU);
  if (!name || !mtu) return malformed("link");
  Link link;
  link.ifindex = header->ifi_index;
  link.name = *name;
  link.type = header->ifi_type;
  link.mtu = *mtu;
  link.admin_up = (header->ifi_flags & IFF_UP) != 0;
  if (const auto address = attributes->find(IFLA_ADDRESS)) link.address = hex_of(*address, ':');
  link.operstate = operstate_word(attributes->get<uint8_t>(IFLA_OPERSTATE).value_or(0));
  if (const auto carrier = attributes->get<uint8_t>(IFLA_CARRIER)) link.carrier = *carrier != 0;
  if (const auto link_info = attributes->nest(IFLA_LINKINFO)) {
    link.kind = link_info->text(IFLA_INFO_KIND).value_or("");
    if (link.kind == "vlan") link.vlan_id = info_data<uint16_t>(*link_info, IFLA_VLAN_ID);
    if (link.kind == "vrf") link.vrf_table = info_data<uint32_t>(*link_info, IFLA_VRF_TABLE);
  }
  link.lower = lower_of(*attributes, link);
  if (link.kind == "vxlan") link.lower = vxlan_lower_of(*attributes);
  if (const auto master = attributes->get<int>(IFLA_MASTER); master && *master > 0) link.master = master;
  link.carrier_down_count = attributes->get<uint32_t>(IFLA_CARRIER_DOWN_COUNT);
  link.num_vf = attributes->get<uint32_t>(IFLA_NUM_VF);
  link.group = attributes->get<uint32_t>(IFLA_GROUP);
  if (const auto properties = attributes->nest(IFLA_PROP_LIST)) {
    for (const Attribute& property : *properties) {
      if (property.type == IFLA_ALT_IFNAME) link.altnames.push_back(text_of(property.payload));
    }
  }
  link.phys_port_name = attributes->text(IFLA_PHYS_PORT_NAME);
  if (const auto id = attributes->find(IFLA_PHYS_SWITCH_ID)) link.phys_switch_id = hex_of(*id, '\0');
  return link;
}

Observed<std::vector<Link>> read_links(Socket& socket) {
  Request request(RTM_GETLINK, kDump, header_for(0));
  request.put_plain(IFLA_EXT_MASK, uint32_t{RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS});
  return collect(socket.exchange(request), "links", parse_link);
}

Result<> write(Socket& socket, const SetMtu& change) {
  Request request(RTM_NEWLINK, kAck, header_for(change.ifindex));
  request.put_plain(IFLA_MTU, change.mtu);
  return socket.exchange(request).result(to_text(KernelWrite(change)));
}

Result<> write(Socket& socket, const SetLinkUp& change) {
  ifinfomsg header = header_for(change.ifindex);
  header.ifi_change = IFF_UP;
  header.ifi_flags = change.up ? IFF_UP : 0;
  Request request(RTM_NEWLINK, kAck, header);
  return socket.exchange(request).result(to_text(KernelWrite(change)));
}

}  // namespace rocert::netlink
