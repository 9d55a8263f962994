#include "fabric.h"

#include <gtest/gtest.h>

#include "commands.h"

namespace rocert::lab {
namespace {

// Hosts n1 to n3 on two rails: port 2 * (host - 1) + rail.
Fabric fabric() {
  std::vector<Port> ports;
  for (int host = 1; host <= 3; host++)
    for (int rail = 0; rail < 2; rail++) {
      std::string name = "n";
      name.append(std::to_string(host)).append(":").append(std::to_string(rail));
      ports.push_back({name, rail, Lane(0, 1 << 20, 1), Lane(0, 1 << 20, 2), true});
    }
  return Fabric(std::move(ports));
}

constexpr std::uint8_t kBroadcast = 0xff;

SharedPacket frame(std::uint8_t to, std::uint8_t from) {
  Packet packet(60);
  for (int i = 0; i < 6; i++) packet[i] = to == kBroadcast ? kBroadcast : 0;
  if (to != kBroadcast) packet[0] = 2, packet[5] = to;
  packet[6] = 2, packet[11] = from;
  return std::make_shared<const Packet>(std::move(packet));
}

// The ports that have something to send to their hosts; takes it.
std::vector<std::string> receivers(Fabric& fabric) {
  std::vector<std::string> names;
  for (Port& port : fabric.ports())
    for (; port.to_host.next_departure(); port.to_host.pop(Nanoseconds(0))) names.push_back(port.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Fabric, FloodsOnItsSegmentUntilItKnows) {
  Fabric it = fabric();
  it.receive(0, frame(2, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), (Names{"n2:0", "n3:0"}));
  it.receive(2, frame(1, 2), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{"n1:0"});
  it.receive(0, frame(2, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{"n2:0"});
  it.receive(0, frame(kBroadcast, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), (Names{"n2:0", "n3:0"}));
}

TEST(Fabric, SendsNothingBackAndNothingToUnpluggedPorts) {
  Fabric it = fabric();
  it.receive(0, frame(1, 1), Nanoseconds(0));
  receivers(it);
  it.receive(0, frame(1, 2), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{});
  it.ports()[2].connected = false;
  it.receive(0, frame(kBroadcast, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{"n3:0"});
}

TEST(Fabric, IgnoresWhatIsNoFrame) {
  Fabric it = fabric();
  it.receive(0, std::make_shared<const Packet>(13), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{});
  EXPECT_EQ(it.ports()[0].from_host.counters().frames, 0u);
}

TEST(Fabric, SwappedCablesReachTheOtherSegment) {
  Fabric it = fabric();
  ASSERT_EQ(obey(it, "swap n1:0 n1:1"), "ok");
  it.receive(0, frame(kBroadcast, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), (Names{"n2:1", "n3:1"}));
  ASSERT_EQ(obey(it, "swap n1:1 n1:0"), "ok");
  it.receive(0, frame(kBroadcast, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), (Names{"n2:0", "n3:0"}));
}

TEST(Fabric, AFaultActsInItsDirectionOnly) {
  Fabric it = fabric();
  ASSERT_EQ(obey(it, "set n1:0 to-host cut on"), "ok");
  it.receive(0, frame(kBroadcast, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), (Names{"n2:0", "n3:0"}));
  it.receive(2, frame(kBroadcast, 2), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{"n3:0"});
  EXPECT_EQ(it.ports()[0].to_host.counters().dropped_by_cut, 1u);
  ASSERT_EQ(obey(it, "clear all"), "ok");
  it.receive(2, frame(kBroadcast, 2), Nanoseconds(0));
  EXPECT_EQ(receivers(it), (Names{"n1:0", "n3:0"}));
}

TEST(Fabric, HoldsBackWhatIsDelayedOnItsWayIn) {
  Fabric it = fabric();
  ASSERT_EQ(obey(it, "set n1:0 from-host delay 5ms"), "ok");
  it.receive(0, frame(kBroadcast, 1), Nanoseconds(0));
  EXPECT_EQ(receivers(it), Names{});
  ASSERT_EQ(it.next_advance(), std::chrono::milliseconds(5));
  it.advance(std::chrono::milliseconds(5));
  EXPECT_EQ(receivers(it), (Names{"n2:0", "n3:0"}));
  EXPECT_FALSE(it.next_advance());
}

TEST(Commands, SayWhatIsWrong) {
  Fabric it = fabric();
  EXPECT_EQ(obey(it, "set n9:0 both drop 5%"), "no port 'n9:0'");
  EXPECT_EQ(obey(it, "set n1:0 up drop 5%"), "'up' is not from-host, to-host or both");
  for (const char* wrong : {"drop 101%", "drop -1", "drop 5%%", "delay 5", "delay 11s", "rate 1", "rate fast", "mtu 9k",
                            "rewrite-dscp 26", "rewrite-dscp 26 64", "cut", "cut 1", "drop 5% more", "burn 1"})
    EXPECT_TRUE(obey(it, std::string("set n1:0 both ") + wrong).starts_with("not a fault")) << wrong;
  EXPECT_EQ(obey(it, "clear n9:0"), "no port 'n9:0'");
  EXPECT_EQ(obey(it, "swap n1:0 n9:0"), "no port 'n9:0'");
  EXPECT_EQ(obey(it, ""), "unknown command ''");
}

TEST(Commands, QuantitiesHaveUnits) {
  EXPECT_DOUBLE_EQ(*parse_share("5%"), 0.05);
  EXPECT_DOUBLE_EQ(*parse_share("0.25"), 0.25);
  EXPECT_EQ(parse_delay("1.5ms"), std::chrono::microseconds(1500));
  EXPECT_EQ(parse_delay("300us"), std::chrono::microseconds(300));
  EXPECT_EQ(parse_rate("50M"), 50'000'000u);
  EXPECT_EQ(parse_rate("0"), 0u);
  EXPECT_FALSE(parse_rate("50 M"));
  EXPECT_FALSE(parse_share(""));
}

TEST(Commands, PortsShowsFaultsAndCounters) {
  Fabric it = fabric();
  ASSERT_EQ(obey(it, "set n1:0 to-host rewrite-dscp 26 0"), "ok");
  it.receive(2, frame(kBroadcast, 2), Nanoseconds(0));
  receivers(it);
  const std::string text = obey(it, "ports");
  EXPECT_NE(text.find("n1:0 segment=0 to-host frames=1 bytes=60 "), std::string::npos) << text;
  EXPECT_NE(text.find(" rewrite-dscp=26:0\n"), std::string::npos);
}

}  // namespace
}  // namespace rocert::lab
