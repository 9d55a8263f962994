#include "host/netlink/ethtool.h"

#include <gtest/gtest.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "unit/host/bytes_builder.h"

namespace rocert::netlink {
namespace {

Buffer reply(const Buffer& attributes) { return join({raw(genlmsghdr{}), attributes}); }

Buffer bit(uint32_t index, std::string_view name, bool value) {
  return attribute(ETHTOOL_A_BITSET_BITS_BIT, join({number<uint32_t>(ETHTOOL_A_BITSET_BIT_INDEX, index),
                                                    attribute(ETHTOOL_A_BITSET_BIT_NAME, text(name)),
                                                    value ? attribute(ETHTOOL_A_BITSET_BIT_VALUE, {}) : Buffer{}}));
}

Buffer bitset(const Buffer& bits, bool list = false) {
  return join({list ? attribute(ETHTOOL_A_BITSET_NOMASK, {}) : Buffer{}, attribute(ETHTOOL_A_BITSET_BITS, bits)});
}

TEST(ParseLinkModes, SupportedAndAdvertised) {
  const Buffer message =
      reply(join({number<uint32_t>(ETHTOOL_A_LINKMODES_SPEED, 400000), number<uint8_t>(ETHTOOL_A_LINKMODES_DUPLEX, 1),
                  number<uint8_t>(ETHTOOL_A_LINKMODES_AUTONEG, 1), number<uint32_t>(ETHTOOL_A_LINKMODES_LANES, 8),
                  attribute(ETHTOOL_A_LINKMODES_OURS,
                            bitset(join({bit(6, "Autoneg", true), bit(7, "400000baseCR4/Full", false)})))}));
  const auto modes = parse_link_modes(message);
  ASSERT_TRUE(modes);
  EXPECT_EQ(modes->speed, 400000u);
  EXPECT_EQ(modes->full_duplex, true);
  EXPECT_EQ(modes->autoneg, true);
  EXPECT_EQ(modes->lanes, 8u);
  EXPECT_EQ(modes->supported, (std::vector<std::string>{"Autoneg", "400000baseCR4/Full"}));
  EXPECT_EQ(modes->advertised, (std::vector<std::string>{"Autoneg"}));
  mangle(message, parse_link_modes);
}

TEST(ParseLinkModes, UnknownIsNotZero) {
  const auto modes = parse_link_modes(
      reply(join({number<uint32_t>(ETHTOOL_A_LINKMODES_SPEED, 0xffffffff),
                  number<uint8_t>(ETHTOOL_A_LINKMODES_DUPLEX, 0xff), number<uint32_t>(ETHTOOL_A_LINKMODES_LANES, 0)})));
  ASSERT_TRUE(modes);
  EXPECT_FALSE(modes->speed || modes->full_duplex || modes->lanes || modes->autoneg);
}

TEST(ParseLinkState, ExtendedState) {
  const auto state = parse_link_state(
      reply(join({number<uint8_t>(ETHTOOL_A_LINKSTATE_LINK, 0), number<uint8_t>(ETHTOOL_A_LINKSTATE_EXT_STATE, 2)})));
  EXPECT_EQ(state->link, false);
  EXPECT_EQ(state->ext_state, 2);
  EXPECT_FALSE(state->ext_substate);
}

TEST(ParsePause, WithStatistics) {
  const Buffer message =
      reply(join({number<uint8_t>(ETHTOOL_A_PAUSE_AUTONEG, 0), number<uint8_t>(ETHTOOL_A_PAUSE_RX, 1),
                  number<uint8_t>(ETHTOOL_A_PAUSE_TX, 0),
                  attribute(ETHTOOL_A_PAUSE_STATS, join({number<uint64_t>(ETHTOOL_A_PAUSE_STAT_TX_FRAMES, ~uint64_t{0}),
                                                         number<uint64_t>(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, 5)}))}));
  EXPECT_EQ(parse_pause(message).value(), (Pause{false, true, false, 5, std::nullopt}));
  EXPECT_EQ(parse_pause(reply({})).error().reason, GapReason::kMalformed);
  mangle(message, parse_pause);
}

TEST(ParseFec, ModesAndBlocks) {
  const Buffer lanes = join({raw(uint64_t{7}), raw(uint64_t{3}), raw(uint64_t{4})});
  const Buffer message =
      reply(join({attribute(ETHTOOL_A_FEC_MODES, bitset(join({bit(50, "RS", true), bit(74, "LLRS", true)}), true)),
                  number<uint8_t>(ETHTOOL_A_FEC_AUTO, 1), number<uint32_t>(ETHTOOL_A_FEC_ACTIVE, 50),
                  attribute(ETHTOOL_A_FEC_STATS, join({attribute(ETHTOOL_A_FEC_STAT_CORRECTED, lanes),
                                                       attribute(ETHTOOL_A_FEC_STAT_UNCORR, raw(uint64_t{2}))}))}));
  const auto fec = parse_fec(message);
  ASSERT_TRUE(fec);
  EXPECT_EQ(fec->configured, (std::vector<std::string>{"RS", "LLRS"}));
  EXPECT_TRUE(fec->automatic);
  EXPECT_EQ(fec->active, "RS");
  EXPECT_EQ(fec->corrected_blocks, 7u);
  EXPECT_EQ(fec->uncorrectable_blocks, 2u);
  EXPECT_EQ(fec->corrected_bits, std::nullopt);
  mangle(message, parse_fec);
}

TEST(ParseRings, MissingSizesStayEmpty) {
  const auto rings = parse_rings(
      reply(join({number<uint32_t>(ETHTOOL_A_RINGS_RX_MAX, 8192), number<uint32_t>(ETHTOOL_A_RINGS_RX, 1024)})));
  EXPECT_EQ(rings.value(), (Rings{8192, 1024, std::nullopt, std::nullopt}));
}

TEST(ParsePrivateFlags, OnAndOff) {
  const Buffer message = reply(attribute(ETHTOOL_A_PRIVFLAGS_FLAGS,
                                         bitset(join({bit(0, "rx_cqe_compress", true), bit(1, "tx_port_ts", false)}))));
  EXPECT_EQ(parse_private_flags(message).value(), (PrivateFlags{{"rx_cqe_compress", true}, {"tx_port_ts", false}}));
  EXPECT_FALSE(parse_private_flags(reply({})));
  mangle(message, parse_private_flags);
}

TEST(Ethtool, AnUnknownNetdevIsAbsent) {
  Ethtool ethtool;
  ASSERT_EQ(ethtool.open(), 0);
  const auto pause = ethtool.pause("no-such-dev");
  ASSERT_FALSE(pause);
  EXPECT_EQ(pause.error().reason, GapReason::kAbsent) << to_text(pause.error());
  EXPECT_EQ(ethtool.requests(), 2u);
}

}  // namespace
}  // namespace rocert::netlink
