#include "commands.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace rocert::lab {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// A decimal number, not negative, and one of the units.
std::optional<double> parse_quantity(std::string_view text, std::initializer_list<Unit> units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& unit : units)
    if (rest == unit.name) return number * unit.factor;
  return std::nullopt;
}

std::optional<std::uint64_t> parse_integer(std::string_view text, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > most) return std::nullopt;
  return number;
}

// Sets one fault; false: the words do not say one.
bool set_fault(Faults& faults, const std::string& key, const std::string& value, const std::string& more) {
  if (key == "rewrite-dscp" && value == "off" && more.empty()) return faults.rewrite.reset(), true;
  if (key == "rewrite-dscp") {
    const auto from = parse_integer(value, 63), to = parse_integer(more, 63);
    if (!from || !to) return false;
    faults.rewrite = {static_cast<std::uint8_t>(*from), static_cast<std::uint8_t>(*to)};
    return true;
  }
  if (!more.empty()) return false;
  if (key == "cut") {
    faults.cut = value == "on";
    return value == "on" || value == "off";
  }
  if (key == "drop") {
    const auto share = parse_share(value);
    faults.drop = share.value_or(faults.drop);
    return share.has_value();
  }
  if (key == "delay") {
    const auto delay = parse_delay(value);
    faults.delay = delay.value_or(faults.delay);
    return delay.has_value();
  }
  if (key == "rate") {
    const auto rate = parse_rate(value);
    faults.rate = rate.value_or(faults.rate);
    return rate.has_value();
  }
  if (key == "mtu") {
    const auto mtu = parse_integer(value, 65535);
    faults.mtu = static_cast<std::size_t>(mtu.value_or(faults.mtu));
    return mtu.has_value();
  }
  return false;
}

std::string set(Fabric& fabric, std::istringstream& words) {
  std::string name, direction, key, value, more;
  words >> name >> direction >> key >> value >> more;
  Port* port = fabric.find_port(name);
  if (!port) return "no port '" + name + "'";
  const bool from = direction == "from-host" || direction == "both", to = direction == "to-host" || direction == "both";
  if (!from && !to) return "'" + direction + "' is not from-host, to-host or both";
  Faults faults;
  if (!set_fault(faults, key, value, more))
    return "not a fault: '" + key + " " + value + (more.empty() ? "" : " ") + more + "'";
  if (from) set_fault(port->from_host.faults, key, value, more);
  if (to) set_fault(port->to_host.faults, key, value, more);
  return "ok";
}

std::string clear(Fabric& fabric, const std::string& name) {
  bool found = false;
  for (Port& port : fabric.ports()) {
    if (name != "all" && port.name != name) continue;
    port.from_host.faults = port.to_host.faults = {};
    found = true;
  }
  return found ? "ok" : "no port '" + name + "'";
}

std::string describe(const Faults& faults) {
  std::ostringstream text;
  if (faults.cut) text << " cut";
  if (faults.drop > 0) text << " drop=" << faults.drop;
  if (faults.mtu) text << " mtu=" << faults.mtu;
  if (faults.delay.count()) text << " delay=" << faults.delay.count() << "ns";
  if (faults.rate) text << " rate=" << faults.rate;
  if (faults.rewrite) text << " rewrite-dscp=" << +faults.rewrite->from << ":" << +faults.rewrite->to;
  return text.str();
}

std::string describe(const Port& port, const char* direction, const Lane& lane) {
  const LaneCounters& counted = lane.counters();
  std::ostringstream text;
  text << port.name << " segment=" << port.segment << (port.connected ? " " : " unconnected ") << direction
       << " frames=" << counted.frames << " bytes=" << counted.bytes << " dropped_by_cut=" << counted.dropped_by_cut
       << " dropped_by_share=" << counted.dropped_by_share << " dropped_by_mtu=" << counted.dropped_by_mtu
       << " dropped_by_queue=" << counted.dropped_by_queue << " rewritten=" << counted.rewritten
       << describe(lane.faults) << "\n";
  return text.str();
}

}  // namespace

std::optional<double> parse_share(std::string_view text) {
  const std::optional<double> share = parse_quantity(text, {{"", 1}, {"%", 0.01}});
  return share && *share <= 1 ? share : std::nullopt;
}

std::optional<Nanoseconds> parse_delay(std::string_view text) {
  if (text == "0") return Nanoseconds(0);
  const std::optional<double> delay = parse_quantity(text, {{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}});
  if (!delay || *delay > 10e9) return std::nullopt;
  return Nanoseconds(static_cast<std::int64_t>(*delay));
}

std::optional<std::uint64_t> parse_rate(std::string_view text) {
  const std::optional<double> rate = parse_quantity(text, {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}});
  if (!rate || *rate > 1e12 || (*rate > 0 && *rate < 1e4)) return std::nullopt;
  return static_cast<std::uint64_t>(*rate);
}

std::string obey(Fabric& fabric, std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string verb;
  words >> verb;
  if (verb == "set") return set(fabric, words);
  std::string first, second;
  words >> first >> second;
  if (verb == "clear") return clear(fabric, first);
  if (verb == "ports") {
    std::string text = "ok\n";
    for (const Port& port : fabric.ports())
      text += describe(port, "from-host", port.from_host) + describe(port, "to-host", port.to_host);
    return text;
  }
  if (verb != "swap") return "unknown command '" + verb + "'";
  Port* a = fabric.find_port(first);
  Port* b = fabric.find_port(second);
  if (!a || !b) return "no port '" + (a ? second : first) + "'";
  fabric.swap_segments(*a, *b);
  return "ok";
}

}  // namespace rocert::lab
