#include "fabric.h"

#include <algorithm>

namespace rocert::lab {

void Fabric::receive(std::size_t port, SharedPacket packet, Nanoseconds now) {
  if (!has_ethernet_header(*packet)) return;
  ports_[port].from_host.offer(std::move(packet), now);
  advance(now);
}

void Fabric::advance(Nanoseconds now) {
  for (std::size_t i = 0; i < ports_.size(); i++) {
    Lane& lane = ports_[i].from_host;
    for (auto due = lane.next_departure(); due && *due <= now; due = lane.next_departure())
      forward(i, lane.pop(now), now);
  }
}

std::optional<Nanoseconds> Fabric::next_advance() const {
  std::optional<Nanoseconds> next;
  for (const Port& port : ports_)
    if (const auto due = port.from_host.next_departure(); due && (!next || *due < *next)) next = due;
  return next;
}

void Fabric::forward(std::size_t from, const SharedPacket& packet, Nanoseconds now) {
  const int segment = ports_[from].segment;
  const Mac source = source_of(*packet);
  const Mac destination = destination_of(*packet);
  if (!is_group(source)) learned_[{segment, source}] = from;
  const auto known = is_group(destination) ? learned_.end() : learned_.find({segment, destination});
  for (std::size_t i = 0; i < ports_.size(); i++) {
    if (i == from || ports_[i].segment != segment || !ports_[i].connected) continue;
    if (known != learned_.end() && known->second != i) continue;
    ports_[i].to_host.offer(packet, now);
  }
}

Port* Fabric::find_port(std::string_view name) {
  const auto found = std::find_if(ports_.begin(), ports_.end(), [&](const Port& port) { return port.name == name; });
  return found == ports_.end() ? nullptr : &*found;
}

void Fabric::swap_segments(Port& a, Port& b) {
  std::swap(a.segment, b.segment);
  learned_.clear();
}

}  // namespace rocert::lab
