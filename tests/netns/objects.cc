#include "netns/objects.h"

#include <algorithm>

namespace rocert {

uint32_t numbered(const nlohmann::json& object, const char* key, const std::map<std::string, uint32_t>& words,
                  uint32_t absent) {
  if (!object.contains(key)) return absent;
  const nlohmann::json& value = object[key];
  if (value.is_number()) return value.get<uint32_t>();
  const auto text = value.get<std::string>();
  const auto found = words.find(text);
  return found == words.end() ? static_cast<uint32_t>(std::stoul(text, nullptr, 0)) : found->second;
}

void make_links() {
  shell("echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad");  // else link-local addresses take a second or two
  shell("ip link set lo up");
  shell("ip link add rail0 type veth peer name rail1");
  shell("ip link set rail0 address 02:00:00:00:01:00 mtu 4200 up");
  shell("ip link set rail1 address 02:00:00:00:01:01 mtu 4200 up");
  shell("ip link add storage type veth peer name storage1");
  shell("ip link set storage up");
  shell("ip link set storage1 up");
  shell("ip link add br0 type bridge");
  shell("ip link set storage1 master br0");
  shell("ip link add mv0 link rail0 type macvlan mode bridge");
  shell("ip link property add dev rail0 altname first-rail");
  shell("ip link add vx0 type vxlan id 42 dev rail0 dstport 4789");
  shell("ip address add 198.18.0.1/24 dev rail0");
  shell("ip address add 198.18.0.101 peer 198.18.0.102 dev rail0");
  shell("ip address add 198.19.0.1/24 dev storage");
  shell("ip -6 address add 2001:db8:1::1/64 dev rail0 nodad");
  shell("ip -6 address add 2001:db8:2::1/64 dev storage nodad");
  settle();
}

int index_of(const std::vector<Link>& links, const std::string& name) {
  const auto found = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == name; });
  return found == links.end() ? 0 : found->ifindex;
}

}  // namespace rocert
