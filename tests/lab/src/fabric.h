// The switch without its sockets: ports on segments, and who was seen where. Pure, as lane.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lane.h"

namespace rocert::lab {

struct Port {
  std::string name;  // n1:0 is host n1's cable on rail 0, n1:mgmt its management cable
  int segment = 0;
  Lane from_host, to_host;
  bool connected = false;
};

class Fabric {
 public:
  explicit Fabric(std::vector<Port> ports) : ports_(std::move(ports)) {}

  // A frame that a host sent. What is due is forwarded at once.
  void receive(std::size_t port, SharedPacket packet, Nanoseconds now);
  // Forwards what was held back on its way in and is due. What is due on its way out, the caller pops from to_host.
  void advance(Nanoseconds now);
  // The next time at which advance() has something to do.
  [[nodiscard]] std::optional<Nanoseconds> next_advance() const;

  [[nodiscard]] std::vector<Port>& ports() { return ports_; }
  [[nodiscard]] Port* find_port(std::string_view name);
  // Exchanges the far ends of two cables.
  void swap_segments(Port& a, Port& b);

 private:
  void forward(std::size_t from, const SharedPacket& packet, Nanoseconds now);

  std::vector<Port> ports_;
  std::map<std::pair<int, Mac>, std::size_t> learned_;
};

}  // namespace rocert::lab
