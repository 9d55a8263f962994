#include "survey/pci.h"

#include "base/text.h"

namespace rocert {
namespace {

std::string last_component(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Domain:bus:device.function, e.g. "0000:40:00.0"; domains of more than four digits exist (VMD).
bool is_bdf(std::string_view name) {
  static constexpr std::string_view kHex = "[0-9a-f]";
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos || colon < 4 || colon > 8) return false;
  for (const char c : name.substr(0, colon)) {
    if (!matches_glob(kHex, std::string_view(&c, 1))) return false;
  }
  return matches_glob(":[0-9a-f][0-9a-f]:[0-9a-f][0-9a-f].[0-7]", name.substr(colon));
}

Observed<uint16_t> read_id(Host& host, const std::string& path) {
  const auto text = host.read(path);
  if (!text) return tl::unexpected<Gap>(text.error());
  const auto id = parse_unsigned(trim(*text));
  if (!id || *id > 0xffff)
    return gap(GapReason::kMalformed, path + ": seen \"" + escaped(trim(*text), 60) + "\", wanted a PCI id");
  return static_cast<uint16_t>(*id);
}

// What sysfs prints, empty where it does not say.
std::string read_text(Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trim(*text)) : std::string();
}

}  // namespace

Observed<std::string> read_parent(Host& host, const std::string& netdev) {
  const auto target = host.link("/sys/class/net/" + netdev + "/device");
  if (!target) return target;
  return last_component(*target);
}

Observed<PciFunction> read_pci_function(Host& host, const Observed<std::string>& parent) {
  if (!parent) return tl::unexpected<Gap>(parent.error());
  if (!is_bdf(*parent))
    return gap(GapReason::kNotSupported, "its device is " + escaped(*parent, 60) + ", not a PCI function");
  const std::string folder = "/sys/bus/pci/devices/" + *parent + "/";
  PciFunction function{.bdf = *parent};
  for (const auto& [name, member] : {std::pair{"vendor", &PciFunction::vendor},
                                     {"device", &PciFunction::device},
                                     {"subsystem_vendor", &PciFunction::subsystem_vendor},
                                     {"subsystem_device", &PciFunction::subsystem_device}}) {
    const auto id = read_id(host, folder + name);
    if (!id) return tl::unexpected<Gap>(id.error());
    function.*member = *id;
  }
  if (const auto driver = host.link(folder + "driver")) function.driver = last_component(*driver);
  function.virtual_function = host.link(folder + "physfn").has_value();
  function.link_speed = read_text(host, folder + "current_link_speed");
  function.link_width = read_text(host, folder + "current_link_width");
  function.max_link_speed = read_text(host, folder + "max_link_speed");
  function.max_link_width = read_text(host, folder + "max_link_width");
  if (const auto node = parse_int(read_text(host, folder + "numa_node")); node && *node >= 0 && *node < 1 << 20)
    function.numa_node = static_cast<int>(*node);
  return function;
}

}  // namespace rocert
