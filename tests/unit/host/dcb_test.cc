#include "host/netlink/dcb.h"

#include <gtest/gtest.h>
#include <linux/dcbnl.h>

#include <cerrno>

#include "unit/host/bytes_builder.h"

namespace rocert::netlink {
namespace {

Buffer app(uint16_t type, uint8_t selector, uint8_t priority, uint16_t protocol) {
  return attribute(type, raw(dcb_app{selector, priority, protocol}));
}

Buffer reply(const Buffer& attributes) {
  return join({raw(dcbmsg{0, DCB_CMD_IEEE_GET, 0}), attribute(DCB_ATTR_IFNAME, text("eth2")), attributes});
}

Buffer whole_reply() {
  ieee_pfc pfc{};
  pfc.pfc_cap = 8;
  pfc.pfc_en = 1 << 3;
  pfc.delay = 7;
  pfc.requests[3] = 11;
  pfc.indications[3] = 12;
  ieee_ets ets{};
  ets.ets_cap = 8;
  ets.tc_tx_bw[1] = 60;
  ets.tc_tsa[1] = 2;
  ets.prio_tc[3] = 1;
  dcbnl_buffer buffers{};
  buffers.prio2buffer[3] = 1;
  buffers.buffer_size[1] = 200000;
  buffers.total_size = 300000;
  ieee_maxrate rates{};
  rates.tc_maxrate[2] = 1000000;
  const Buffer ieee =
      join({attribute(DCB_ATTR_IEEE_PFC, raw(pfc)), attribute(DCB_ATTR_IEEE_ETS, raw(ets)),
            attribute(DCB_ATTR_DCB_BUFFER, raw(buffers)), attribute(DCB_ATTR_IEEE_MAXRATE, raw(rates)),
            attribute(DCB_ATTR_IEEE_APP_TABLE, join({app(1, 5, 6, 48), app(1, 5, 3, 26), app(2, 255, 3, 3)})),
            attribute(11, join({number<uint8_t>(1, 5), number<uint8_t>(2, 255)})),
            attribute(DCB_ATTR_IEEE_PEER_PFC, raw(pfc)), attribute(DCB_ATTR_IEEE_PEER_APP, app(1, 3, 3, 4791))});
  return reply(join({attribute(DCB_ATTR_IEEE, ieee), number<uint8_t>(DCB_ATTR_DCBX, kDcbxHost | kDcbxIeee)}));
}

TEST(ParseDcb, ReadsEveryAttribute) {
  const auto dcb = parse_dcb(whole_reply());
  ASSERT_TRUE(dcb) << to_text(dcb.error());
  EXPECT_EQ(dcb->pfc->enabled, 8);
  EXPECT_EQ(dcb->pfc->delay, 7);
  EXPECT_EQ(dcb->pfc->requests[3], 11u);
  EXPECT_EQ(dcb->pfc->indications[3], 12u);
  EXPECT_EQ(dcb->ets->bandwidth[1], 60);
  EXPECT_EQ(dcb->ets->transmission_selection[1], kTsaEts);
  EXPECT_EQ(dcb->ets->priority_to_class[3], 1);
  EXPECT_EQ(dcb->buffers->size[1], 200000u);
  EXPECT_EQ(dcb->buffers->total, 300000u);
  EXPECT_EQ((*dcb->max_rate)[2], 1000000u);
  EXPECT_EQ(dcb->apps, (std::vector<App>{{5, 3, 26}, {5, 6, 48}, {255, 3, 3}}));
  EXPECT_EQ(dcb->trust_order, (std::vector<uint8_t>{5, 255}));
  EXPECT_EQ(dcb->dcbx, kDcbxHost | kDcbxIeee);
  EXPECT_TRUE(dcb->peer_pfc);
  EXPECT_FALSE(dcb->peer_ets);
  EXPECT_EQ(dcb->peer_apps, (std::vector<App>{{3, 3, 4791}}));
  mangle(whole_reply(), parse_dcb);
}

TEST(ParseDcb, WhatTheDriverLacksIsEmpty) {
  const auto dcb = parse_dcb(reply(attribute(DCB_ATTR_IEEE, attribute(DCB_ATTR_IEEE_APP_TABLE, {}))));
  ASSERT_TRUE(dcb);
  EXPECT_EQ(*dcb, Dcb{});
  // An empty trust list is an answer.
  EXPECT_EQ(parse_dcb(reply(attribute(DCB_ATTR_IEEE, attribute(11, {}))))->trust_order, std::vector<uint8_t>{});
}

TEST(ParseDcb, ATruncatedStructIsMalformed) {
  const auto dcb = parse_dcb(reply(attribute(DCB_ATTR_IEEE, attribute(DCB_ATTR_IEEE_PFC, Buffer(135)))));
  ASSERT_FALSE(dcb);
  EXPECT_EQ(dcb.error().reason, GapReason::kMalformed);
}

TEST(ParseDcbResult, IsASignedByte) {
  EXPECT_EQ(parse_dcb_result(reply(number<uint8_t>(DCB_ATTR_IEEE, 0))), 0);
  EXPECT_EQ(parse_dcb_result(reply(number<uint8_t>(DCB_ATTR_IEEE, 161))), EOPNOTSUPP);
  EXPECT_EQ(parse_dcb_result(reply(number<uint8_t>(DCB_ATTR_IEEE, 234))), EINVAL);
  EXPECT_EQ(parse_dcb_result(reply(number<uint8_t>(DCB_ATTR_DCBX, 0))), 0);
  EXPECT_NE(parse_dcb_result(reply(number<uint8_t>(DCB_ATTR_DCBX, 1))), 0);
  EXPECT_EQ(parse_dcb_result(reply({})), EBADMSG);
  EXPECT_EQ(parse_dcb_result(Buffer{1}), EBADMSG);
}

}  // namespace
}  // namespace rocert::netlink
