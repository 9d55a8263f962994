#include "host/netlink/ethtool.h"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <algorithm>
#include <cerrno>

namespace rocert::netlink {
namespace {

// Every request's first attribute is its header nest, and it has the number 1 in all of them.
constexpr uint16_t kHeader = 1;
static_assert(ETHTOOL_A_PAUSE_HEADER == kHeader && ETHTOOL_A_FEC_HEADER == kHeader &&
              ETHTOOL_A_RINGS_HEADER == kHeader && ETHTOOL_A_LINKMODES_HEADER == kHeader &&
              ETHTOOL_A_LINKSTATE_HEADER == kHeader && ETHTOOL_A_PRIVFLAGS_HEADER == kHeader);
constexpr uint64_t kNotCounted = ~uint64_t{0};  // ETHTOOL_STAT_NOT_SET

struct Bit {
  std::string name;
  bool value = false;
};

// A bitset with names; nothing when it is malformed. Compact ones, which have no names, are not asked for.
std::optional<std::vector<Bit>> parse_bitset(const Attributes& parent, uint16_t type) {
  const auto bitset = parent.nest(type);
  if (!bitset) return std::nullopt;
  const bool list = bitset->has(ETHTOOL_A_BITSET_NOMASK);  // without a mask, what is named is set
  const auto bits = bitset->nest(ETHTOOL_A_BITSET_BITS);
  if (!bits) return std::nullopt;
  std::vector<Bit> result;
  for (const Attribute& attribute : *bits) {
    const auto bit = Attributes::parse(attribute.payload);
    if (!bit) return std::nullopt;
    const auto name = bit->text(ETHTOOL_A_BITSET_BIT_NAME);
    const auto index = bit->get<uint32_t>(ETHTOOL_A_BITSET_BIT_INDEX);
    result.push_back(
        {name.value_or("bit" + std::to_string(index.value_or(0))), list || bit->has(ETHTOOL_A_BITSET_BIT_VALUE)});
  }
  return result;
}

// Speed and lanes use all ones, or zero, for what is not known.
std::optional<uint32_t> known(std::optional<uint32_t> value) {
  return value == uint32_t{0} || value == ~uint32_t{0} ? std::nullopt : value;
}

std::optional<bool> flag(const Attributes& attributes, uint16_t type) {
  const auto value = attributes.get<uint8_t>(type);
  if (!value) return std::nullopt;
  return *value != 0;
}

// The first of the numbers is the port's total; lanes may follow.
std::optional<uint64_t> counted(const Attributes& statistics, uint16_t type) {
  const auto value = statistics.get<uint64_t>(type);
  return value == kNotCounted ? std::nullopt : value;
}

// ETHTOOL_A_FEC_ACTIVE is the number of a link mode.
std::string fec_word(uint32_t link_mode) {
  switch (link_mode) {
    case ETHTOOL_LINK_MODE_FEC_NONE_BIT:
      return "None";
    case ETHTOOL_LINK_MODE_FEC_RS_BIT:
      return "RS";
    case ETHTOOL_LINK_MODE_FEC_BASER_BIT:
      return "BASER";
    case ETHTOOL_LINK_MODE_FEC_LLRS_BIT:
      return "LLRS";
    default:
      return "bit" + std::to_string(link_mode);
  }
}

std::optional<Attributes> attributes_of(Octets body) { return Attributes::parse_after(body, sizeof(genlmsghdr)); }

genlmsghdr command_header(uint8_t command) { return {.cmd = command, .version = ETHTOOL_GENL_VERSION, .reserved = 0}; }

void put_header(Request& request, const std::string& netdev, uint32_t flags) {
  request.nest(kHeader, [&] {
    request.put_text(ETHTOOL_A_HEADER_DEV_NAME, netdev);
    if (flags != 0) request.put_plain(ETHTOOL_A_HEADER_FLAGS, flags);
  });
}

}  // namespace

int Ethtool::open() {
  if (const int error = socket_.open(NETLINK_GENERIC); error != 0) return error;
  Request request(GENL_ID_CTRL, kAck, genlmsghdr{.cmd = CTRL_CMD_GETFAMILY, .version = 1, .reserved = 0});
  request.put_text(CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME);
  const Reply reply = socket_.exchange(request);
  if (reply.error != 0) return reply.error;
  const auto attributes = reply.messages.empty() ? std::nullopt : attributes_of(reply.messages.front().body);
  family_ = attributes ? attributes->get<uint16_t>(CTRL_ATTR_FAMILY_ID).value_or(0) : 0;
  return family_ == 0 ? EBADMSG : 0;
}

template <class T>
Observed<T> Ethtool::get(const std::string& netdev, uint8_t command, std::string_view what,
                         Observed<T> (*parse)(Octets)) {
  // Kernels that know no flag for statistics refuse it, but those know no statistics command either.
  const bool statistics = command == ETHTOOL_MSG_PAUSE_GET || command == ETHTOOL_MSG_FEC_GET;
  Request request(family_, kAck, command_header(command));
  put_header(request, netdev, statistics ? ETHTOOL_FLAG_STATS : 0);
  const Reply reply = socket_.exchange(request);
  if (reply.error != 0) return tl::unexpected<Gap>(reply.gap(std::string(what) + " of " + netdev));
  if (reply.messages.empty()) return malformed(what);
  return parse(reply.messages.front().body);
}

Observed<LinkModes> Ethtool::link_modes(const std::string& netdev) {
  auto modes = get(netdev, ETHTOOL_MSG_LINKMODES_GET, "link modes", parse_link_modes);
  if (!modes) return modes;
  if (const auto state = get(netdev, ETHTOOL_MSG_LINKSTATE_GET, "link state", parse_link_state)) {
    modes->link = state->link;
    modes->ext_state = state->ext_state;
    modes->ext_substate = state->ext_substate;
  }
  return modes;
}

Observed<Pause> Ethtool::pause(const std::string& netdev) {
  return get(netdev, ETHTOOL_MSG_PAUSE_GET, "pause", parse_pause);
}
Observed<Fec> Ethtool::fec(const std::string& netdev) { return get(netdev, ETHTOOL_MSG_FEC_GET, "fec", parse_fec); }
Observed<Rings> Ethtool::rings(const std::string& netdev) {
  return get(netdev, ETHTOOL_MSG_RINGS_GET, "rings", parse_rings);
}
Observed<PrivateFlags> Ethtool::private_flags(const std::string& netdev) {
  return get(netdev, ETHTOOL_MSG_PRIVFLAGS_GET, "private flags", parse_private_flags);
}

Result<> Ethtool::write(const SetPause& change) {
  Request request(family_, kAck, command_header(ETHTOOL_MSG_PAUSE_SET));
  put_header(request, change.netdev, 0);
  request.put_plain(ETHTOOL_A_PAUSE_AUTONEG, uint8_t{change.autoneg});
  request.put_plain(ETHTOOL_A_PAUSE_RX, uint8_t{change.rx});
  request.put_plain(ETHTOOL_A_PAUSE_TX, uint8_t{change.tx});
  return socket_.exchange(request).result(to_text(KernelWrite(change)));
}

Result<> Ethtool::write(const SetPrivateFlag& change) {
  Request request(family_, kAck, command_header(ETHTOOL_MSG_PRIVFLAGS_SET));
  put_header(request, change.netdev, 0);
  request.nest(ETHTOOL_A_PRIVFLAGS_FLAGS, [&] {
    request.nest(ETHTOOL_A_BITSET_BITS, [&] {
      request.nest(ETHTOOL_A_BITSET_BITS_BIT, [&] {
        request.put_text(ETHTOOL_A_BITSET_BIT_NAME, change.flag);
        if (change.on) request.put(ETHTOOL_A_BITSET_BIT_VALUE, {});
      });
    });
  });
  return socket_.exchange(request).result(to_text(KernelWrite(change)));
}

Observed<LinkModes> parse_link_modes(Octets body) {
  const auto attributes = attributes_of(body);
  if (!attributes) return malformed("link modes");
  LinkModes modes;
  modes.speed = known(attributes->get<uint32_t>(ETHTOOL_A_LINKMODES_SPEED));
  const auto duplex = attributes->get<uint8_t>(ETHTOOL_A_LINKMODES_DUPLEX);
  if (duplex == uint8_t{DUPLEX_HALF} || duplex == uint8_t{DUPLEX_FULL}) modes.full_duplex = *duplex == DUPLEX_FULL;
  modes.autoneg = flag(*attributes, ETHTOOL_A_LINKMODES_AUTONEG);
  modes.lanes = known(attributes->get<uint32_t>(ETHTOOL_A_LINKMODES_LANES));
  if (attributes->has(ETHTOOL_A_LINKMODES_OURS)) {
    const auto ours = parse_bitset(*attributes, ETHTOOL_A_LINKMODES_OURS);
    if (!ours) return malformed("link modes");
    for (const Bit& bit : *ours) {
      modes.supported.push_back(bit.name);
      if (bit.value) modes.advertised.push_back(bit.name);
    }
  }
  return modes;
}

Observed<LinkModes> parse_link_state(Octets body) {
  const auto attributes = attributes_of(body);
  if (!attributes) return malformed("link state");
  LinkModes modes;
  modes.link = flag(*attributes, ETHTOOL_A_LINKSTATE_LINK);
  modes.ext_state = attributes->get<uint8_t>(ETHTOOL_A_LINKSTATE_EXT_STATE);
  modes.ext_substate = attributes->get<uint8_t>(ETHTOOL_A_LINKSTATE_EXT_SUBSTATE);
  return modes;
}

Observed<Pause> parse_pause(Octets body) {
  const auto attributes = attributes_of(body);
  if (!attributes) return malformed("pause");
  const auto autoneg = flag(*attributes, ETHTOOL_A_PAUSE_AUTONEG);
  const auto rx = flag(*attributes, ETHTOOL_A_PAUSE_RX);
  const auto tx = flag(*attributes, ETHTOOL_A_PAUSE_TX);
  if (!autoneg || !rx || !tx) return malformed("pause");
  Pause pause{.autoneg = *autoneg, .rx = *rx, .tx = *tx};
  if (const auto statistics = attributes->nest(ETHTOOL_A_PAUSE_STATS)) {
    pause.rx_frames = counted(*statistics, ETHTOOL_A_PAUSE_STAT_RX_FRAMES);
    pause.tx_frames = counted(*statistics, ETHTOOL_A_PAUSE_STAT_TX_FRAMES);
  }
  return pause;
}

Observed<Fec> parse_fec(Octets body) {
  const auto attributes = attributes_of(body);
  if (!attributes) return malformed("fec");
  Fec fec;
  if (attributes->has(ETHTOOL_A_FEC_MODES)) {
    const auto modes = parse_bitset(*attributes, ETHTOOL_A_FEC_MODES);
    if (!modes) return malformed("fec");
    for (const Bit& bit : *modes) {
      if (bit.value) fec.configured.push_back(bit.name);
    }
  }
  fec.automatic = flag(*attributes, ETHTOOL_A_FEC_AUTO).value_or(false);
  if (const auto active = attributes->get<uint32_t>(ETHTOOL_A_FEC_ACTIVE)) fec.active = fec_word(*active);
  if (const auto statistics = attributes->nest(ETHTOOL_A_FEC_STATS)) {
    fec.corrected_blocks = counted(*statistics, ETHTOOL_A_FEC_STAT_CORRECTED);
    fec.uncorrectable_blocks = counted(*statistics, ETHTOOL_A_FEC_STAT_UNCORR);
    fec.corrected_bits = counted(*statistics, ETHTOOL_A_FEC_STAT_CORR_BITS);
  }
  return fec;
}

Observed<Rings> parse_rings(Octets body) {
  const auto attributes = attributes_of(body);
  if (!attributes) return malformed("rings");
  return Rings{attributes->get<uint32_t>(ETHTOOL_A_RINGS_RX_MAX), attributes->get<uint32_t>(ETHTOOL_A_RINGS_RX),
               attributes->get<uint32_t>(ETHTOOL_A_RINGS_TX_MAX), attributes->get<uint32_t>(ETHTOOL_A_RINGS_TX)};
}

Observed<PrivateFlags> parse_private_flags(Octets body) {
  const auto attributes = attributes_of(body);
  const auto bits = attributes ? parse_bitset(*attributes, ETHTOOL_A_PRIVFLAGS_FLAGS) : std::nullopt;
  if (!bits) return malformed("private flags");
  PrivateFlags flags;
  for (const Bit& bit : *bits) flags[bit.name] = bit.value;
  return flags;
}

}  // namespace rocert::netlink
