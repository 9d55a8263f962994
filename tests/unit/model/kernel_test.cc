#include "model/kernel.h"

#include <gmock/gmock.h>

#include "model/json.h"

namespace rocert {
namespace {

using ::testing::HasSubstr;

template <class Query>
void expect_round_trip(const Query& query, const typename Query::Answer& answer) {
  const std::string text = encode_answer(answer);
  const auto back = decode_answer(query, text);
  ASSERT_TRUE(back) << to_text(back.error()) << "\n" << text;
  EXPECT_EQ(std::get<typename Query::Answer>(*back), answer) << text;
}

TEST(RecordingPath, NamesTheQuery) {
  EXPECT_EQ(recording_path(DcbOf{"eth2"}), "kernel/dcb/eth2.json");
  EXPECT_EQ(recording_path(Links{}), "kernel/links.json");
  EXPECT_EQ(recording_path(StatisticsOf{"eth2.100"}), "kernel/statistics/eth2.100.txt");
  EXPECT_EQ(recording_path(RdmaStatisticsOf{"mlx5_0", 2}), "kernel/rdma_statistics/mlx5_0/2.txt");
}

TEST(RecordingPath, HostileNamesStayOneComponent) {
  EXPECT_EQ(recording_path(DcbOf{"../../etc/passwd"}), "kernel/dcb/%2e.%2f..%2fetc%2fpasswd.json");
  EXPECT_EQ(recording_path(DcbOf{".."}), "kernel/dcb/%2e..json");
  EXPECT_EQ(recording_path(DcbOf{""}), "kernel/dcb/%.json");
  EXPECT_EQ(recording_path(DcbOf{std::string("a\0b", 3)}), "kernel/dcb/a%00b.json");
  EXPECT_NE(recording_path(DcbOf{"%2f"}), recording_path(DcbOf{"/"}));
}

TEST(KernelCodec, EveryAnswerComesBackEqual) {
  Link link;
  link.ifindex = 7;
  link.name = "eth2";
  link.carrier = false;
  link.vlan_id = 100;
  link.altnames = {"enp1s0", "rail 0"};
  expect_round_trip(Links{}, {link});
  expect_round_trip(Addresses{}, {Address{7, *parse_prefix("198.18.0.1/24"), parse_ip("198.18.0.2"), 253, 0x80}});
  Route route;
  route.destination = *parse_prefix("2001:db8::/64");
  route.next_hops = {{7, parse_ip("fe80::1"), 3, 4}, {8, std::nullopt, 1, 0}};
  route.nexthop_id = 9;
  expect_round_trip(Routes{}, {route});
  Rule rule;
  rule.suppress_prefix_length = 0;
  rule.uids = {{1000, 2000}};
  rule.source = parse_prefix("10.0.0.1/32");
  expect_round_trip(Rules{}, {rule});
  expect_round_trip(Neighbours{}, {Neighbour{7, *parse_ip("fe80::2"), "02:00:00:00:00:01", 128, 1}});
  expect_round_trip(RdmaPorts{}, {RdmaPort{"mlx5_0", 1, 1, "roce", "mlx5", "28.39", 7, "eth2", "active", "link_up"}});
  expect_round_trip(RdmaSystemOf{}, RdmaSystem{false});
  Dcb dcb;
  dcb.pfc = Pfc{8, 8, true, 7, {1, 2, 3}, {4, 5, 6}};
  dcb.apps = {{kAppDscp, 3, 26}};
  dcb.trust_order = std::vector<uint8_t>{};
  dcb.max_rate = std::array<uint64_t, 8>{~uint64_t{0}};
  expect_round_trip(DcbOf{"eth2"}, dcb);
  expect_round_trip(DriverOf{"eth2"}, {"mlx5_core", "6.1", "28.39.1002", "0000:40:00.0"});
  LinkModes modes;
  modes.speed = 400000;
  modes.supported = {"400000baseCR4/Full"};
  expect_round_trip(LinkModesOf{"eth2"}, modes);
  expect_round_trip(PauseOf{"eth2"}, Pause{true, false, true, std::nullopt, 5});
  Fec fec;
  fec.configured = {"RS"};
  fec.corrected_bits = 17;
  expect_round_trip(FecOf{"eth2"}, fec);
  expect_round_trip(RingsOf{"eth2"}, Rings{8192, 1024, std::nullopt, 1024});
  expect_round_trip(PrivateFlagsOf{"eth2"}, {{"rx_cqe_compress", true}, {"name with blanks", false}});
  expect_round_trip(StatisticsOf{"eth2"}, {{"rx_prio3_pause", 12}, {"Rcvd Out of order packets", ~uint64_t{0}}});
  expect_round_trip(RdmaStatisticsOf{"irdma0", 1}, {});
  expect_round_trip(RdmaPortAttributesOf{"mlx5_0", 1}, {4096, 4096, 400000, "Ethernet"});
}

TEST(KernelCodec, CountersAreNameValueLines) {
  EXPECT_EQ(encode_answer(Counters{{"RNR sent", 3}, {"a", 1}}), "RNR sent 3\na 1\n");
}

TEST(KernelCodec, MalformedTextNamesFileAndField) {
  const auto wrong_type = decode_answer(DcbOf{"eth2"}, R"({"apps": [], "peer_apps": [], "dcbx": "on"})");
  ASSERT_FALSE(wrong_type);
  EXPECT_EQ(wrong_type.error().kind, ErrorKind::kMalformed);
  EXPECT_EQ(wrong_type.error().place.file, "kernel/dcb/eth2.json");
  EXPECT_THAT(wrong_type.error().message, HasSubstr("dcb.dcbx"));

  const auto no_number = decode_answer(StatisticsOf{"eth2"}, "a 1\nb x\n");
  ASSERT_FALSE(no_number);
  EXPECT_EQ(no_number.error().place, (Place{"kernel/statistics/eth2.txt", 2}));
  EXPECT_FALSE(decode_answer(StatisticsOf{"eth2"}, "a 1\na 2\n"));
  EXPECT_FALSE(decode_answer(StatisticsOf{"eth2"}, " 1\n"));
  EXPECT_FALSE(decode_answer(StatisticsOf{"eth2"}, "a -1\n"));
}

TEST(ParseJson, PlacesErrors) {
  const auto broken = parse_json("{\n  \"a\": 1,\n  \"b\" 2\n}", "x.json");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().place.file, "x.json");
  EXPECT_EQ(broken.error().place.line, 3);
  EXPECT_GE(broken.error().place.column, 7);

  const auto twice = parse_json("{\"a\": 1,\n \"a\": 2}", "x.json");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().place.line, 2);
  EXPECT_THAT(twice.error().message, HasSubstr("\"a\" is there twice"));

  EXPECT_FALSE(parse_json("", "x.json"));
  EXPECT_FALSE(parse_json("{} x", "x.json"));
  EXPECT_FALSE(parse_json("\"\xff\"", "x.json"));
}

TEST(ParseJson, BoundsSizeAndDepth) {
  EXPECT_FALSE(parse_json("[1, 2, 3]", "x.json", 8));
  EXPECT_TRUE(parse_json("[1, 2, 3]", "x.json", 9));
  const std::string deepest = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(parse_json(deepest, "x.json"));
  const auto too_deep = parse_json(std::string(65, '[') + std::string(65, ']'), "x.json");
  ASSERT_FALSE(too_deep);
  EXPECT_EQ(too_deep.error().place, (Place{"x.json", 1, 65}));
  EXPECT_FALSE(parse_json(std::string(1000000, '['), "x.json"));
}

TEST(ParseJson, KeepsOrderAndNesting) {
  const auto json = parse_json(R"({"z": [1, {"y": null}, -2], "a": {"b": [[], {}]}, "c": 1.5})", "x.json");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), R"({"z":[1,{"y":null},-2],"a":{"b":[[],{}]},"c":1.5})");
}

TEST(KernelWriteText, SaysObjectAndValue) {
  EXPECT_EQ(to_text(KernelWrite(SetPfc{"eth2", Pfc{8, 8}})), "dcb pfc eth2 0,0,0,1,0,0,0,0");
  EXPECT_EQ(to_text(KernelWrite(SetMtu{3, 9000})), "link mtu 3 9000");
  EXPECT_EQ(to_text(KernelWrite(AddApp{"eth2", {kAppDscp, 3, 26}})), "dcb app add eth2 5:26:3");
}

}  // namespace
}  // namespace rocert
