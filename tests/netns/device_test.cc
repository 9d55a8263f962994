// DCB, ethtool and RDMA of a real device, against dcb, ethtool, rdma and ibv_devinfo; and DCB, pause and private flags
// written, read again and put back. Only of the netdev that ROCERT_TEST_NETDEV names: its settings change meanwhile.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/text.h"
#include "host/linux_host.h"
#include "netns/objects.h"

namespace rocert {
namespace {

using nlohmann::json;

class Device : public testing::Test {
 protected:
  void SetUp() override {
    const char* name = std::getenv("ROCERT_TEST_NETDEV");
    if (name == nullptr) GTEST_SKIP() << "ROCERT_TEST_NETDEV names no device whose settings may change";
    netdev = name;
  }
  json tool(const std::string& command) const {
    auto answer = json::parse(shell(command), nullptr, false);
    EXPECT_FALSE(answer.is_discarded()) << command;
    return answer.is_array() && answer.size() == 1 ? answer[0] : answer;
  }
  json dcb_tool(const std::string& what) const { return tool("dcb -j -N -s " + what + " show dev " + netdev); }
  Dcb dcb() { return ask(*host, DcbOf{netdev}); }
  RdmaPort rdma_port() {
    for (const RdmaPort& port : ask(*host, RdmaPorts{})) {
      if (port.netdev == netdev) return port;
    }
    ADD_FAILURE() << netdev << " has no RDMA device";
    return {};
  }
  void apply(const KernelWrite& write) {
    const auto result = host->apply(write);
    EXPECT_TRUE(result) << to_text(result.error());
  }

  std::string netdev;
  std::unique_ptr<LinuxHost> host = open_linux_host();
};

uint8_t bits_of(const json& flags) {
  unsigned bits = 0;
  for (size_t i = 0; i < 8; ++i) bits |= flags[i].get<bool>() ? 1u << i : 0u;
  return static_cast<uint8_t>(bits);
}

TEST_F(Device, DcbEqualsWhatDcbSays) {
  const Dcb ours = dcb();
  const json pfc = dcb_tool("pfc");
  ASSERT_TRUE(ours.pfc && ours.ets && ours.buffers && ours.max_rate && ours.dcbx);
  EXPECT_EQ(ours.pfc->capability, pfc["pfc_cap"]);
  EXPECT_EQ(ours.pfc->enabled, bits_of(pfc["prio_pfc"]));
  EXPECT_EQ(ours.pfc->delay, pfc["delay"]);
  EXPECT_EQ(json(ours.pfc->requests), pfc["requests"]);
  EXPECT_EQ(json(ours.pfc->indications), pfc["indications"]);
  const json ets = dcb_tool("ets");
  EXPECT_EQ(ours.ets->willing, ets["willing"]);
  EXPECT_EQ(ours.ets->capability, ets["ets_cap"]);
  EXPECT_EQ(json(ours.ets->bandwidth), ets["tc_bw"]);
  EXPECT_EQ(json(ours.ets->priority_to_class), ets["prio_tc"]);
  const std::map<std::string, int> selections{{"strict", 0}, {"cbs", 1}, {"ets", 2}, {"vendor", 255}};
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(ours.ets->transmission_selection[i], selections.at(ets["tc_tsa"][i])) << i;
  const json buffer = dcb_tool("buffer");
  EXPECT_EQ(json(ours.buffers->priority_to_buffer), buffer["prio_buffer"]);
  EXPECT_EQ(json(ours.buffers->size), buffer["buffer_size"]);
  EXPECT_EQ(ours.buffers->total, buffer["total_size"]);
  EXPECT_EQ(json(*ours.max_rate), dcb_tool("maxrate")["tc_maxrate"]);
  const json app = dcb_tool("app");
  std::vector<std::vector<int>> dscp;
  for (const App& entry : ours.apps) {
    if (entry.selector == kAppDscp) dscp.push_back({entry.protocol, entry.priority});
  }
  std::sort(dscp.begin(), dscp.end());
  auto theirs = app.value("dscp_prio", json::array()).get<std::vector<std::vector<int>>>();
  std::sort(theirs.begin(), theirs.end());
  EXPECT_EQ(dscp, theirs);
  const json dcbx = dcb_tool("dcbx");
  EXPECT_EQ((*ours.dcbx & kDcbxHost) != 0, dcbx.value("host", false));
  EXPECT_EQ((*ours.dcbx & kDcbxIeee) != 0, dcbx.value("ieee", false));
  EXPECT_EQ(host->cost().netlink_requests, 1u);
}

TEST_F(Device, DcbIsWrittenAndPutBack) {
  const Dcb before = dcb();
  ASSERT_TRUE(before.pfc && before.ets && before.buffers);
  Pfc pfc = *before.pfc;
  pfc.enabled = static_cast<uint8_t>(pfc.enabled ^ 0x10);
  apply(SetPfc{netdev, pfc});
  EXPECT_EQ(dcb().pfc->enabled, pfc.enabled);
  EXPECT_EQ(bits_of(dcb_tool("pfc")["prio_pfc"]), pfc.enabled);
  apply(SetPfc{netdev, *before.pfc});

  Ets ets = *before.ets;
  ets.transmission_selection = {2, 2, 0, 0, 0, 0, 0, 0};
  ets.bandwidth = {40, 60, 0, 0, 0, 0, 0, 0};
  apply(SetEts{netdev, ets});
  EXPECT_EQ(dcb().ets, ets);
  EXPECT_EQ(json(ets.bandwidth), dcb_tool("ets")["tc_bw"]);
  apply(SetEts{netdev, *before.ets});

  DcbBuffers buffers = *before.buffers;
  buffers.priority_to_buffer[3] = 1;
  apply(SetDcbBuffers{netdev, buffers});
  EXPECT_EQ(dcb().buffers->priority_to_buffer, buffers.priority_to_buffer);
  apply(SetDcbBuffers{netdev, *before.buffers});

  const App app{kAppDatagram, 3, 4791};
  const auto has = [&] {
    const auto apps = dcb().apps;
    return std::find(apps.begin(), apps.end(), app) != apps.end();
  };
  const bool takes = host->apply(AddApp{netdev, app}).has_value();  // some drivers map DSCP only
  EXPECT_EQ(has(), takes);
  for (int i = 0; i < 2; ++i) apply(RemoveApp{netdev, {kAppDscp, 3, 26}});
  for (int i = 0; i < 2; ++i) apply(AddApp{netdev, {kAppDscp, 3, 26}});
  apply(RemoveApp{netdev, app});
  EXPECT_EQ(dcb().apps, before.apps);
  EXPECT_EQ(dcb().pfc->enabled, before.pfc->enabled);
  EXPECT_EQ(dcb().ets, before.ets);
}

TEST_F(Device, EthtoolEqualsWhatEthtoolSays) {
  const Pause pause = ask(*host, PauseOf{netdev});
  const json their_pause = tool("ethtool --json -I -a " + netdev);
  EXPECT_EQ(pause.autoneg, their_pause["autonegotiate"]);
  EXPECT_EQ(pause.rx, their_pause["rx"]);
  EXPECT_EQ(pause.tx, their_pause["tx"]);
  EXPECT_EQ(pause.rx_frames.has_value(), their_pause["statistics"].contains("rx_pause_frames"));

  const Fec fec = ask(*host, FecOf{netdev});
  const json their_fec = tool("ethtool --json -I --show-fec " + netdev);
  EXPECT_EQ(fec.automatic, their_fec["config"] == json::array({"Auto"}));
  EXPECT_EQ(json::array({fec.active.value_or("None")}), their_fec["active"]);
  EXPECT_EQ(fec.corrected_blocks, their_fec.value("/statistics/corrected_blocks/total"_json_pointer, uint64_t{0}));

  const Rings rings = ask(*host, RingsOf{netdev});
  EXPECT_TRUE(rings.rx && rings.rx_max && *rings.rx <= *rings.rx_max);

  std::istringstream lines(shell("ethtool --show-priv-flags " + netdev));
  PrivateFlags flags;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const size_t colon = line.rfind(':');
    flags[std::string(trim(line.substr(0, colon)))] = trim(line.substr(colon + 1)) == "on";
  }
  EXPECT_EQ(ask(*host, PrivateFlagsOf{netdev}), flags);

  const DriverIdentity driver = ask(*host, DriverOf{netdev});
  const std::string identity = shell("ethtool -i " + netdev);
  for (const std::string& word :
       {"driver: " + driver.driver, "firmware-version: " + driver.firmware, "bus-info: " + driver.bus})
    EXPECT_THAT(identity, testing::HasSubstr(word + "\n"));

  const LinkModes modes = ask(*host, LinkModesOf{netdev});
  const std::string state = shell("ethtool " + netdev);
  ASSERT_TRUE(modes.speed && modes.link);
  EXPECT_THAT(state, testing::HasSubstr("Speed: " + std::to_string(*modes.speed) + "Mb/s"));
  EXPECT_THAT(state, testing::HasSubstr(std::string("Link detected: ") + (*modes.link ? "yes" : "no")));
  for (const std::string& mode : modes.supported) {
    if (mode.find("base") != std::string::npos) {
      EXPECT_THAT(state, testing::HasSubstr(mode));
    }
  }

  const std::string counters = shell("ethtool -S " + netdev);
  const Counters ours = ask(*host, StatisticsOf{netdev});
  EXPECT_FALSE(ours.empty());
  for (const auto& [name, value] : ours) EXPECT_THAT(counters, testing::HasSubstr(" " + name + ": "));
  EXPECT_EQ(ours.size() + 1, static_cast<size_t>(std::count(counters.begin(), counters.end(), '\n')));
}

TEST_F(Device, PauseAndPrivateFlagsAreWrittenAndPutBack) {
  const Pause pause = ask(*host, PauseOf{netdev});
  const auto now = [&] { return ask(*host, PauseOf{netdev}); };
  const bool takes = host->apply(SetPause{netdev, pause.autoneg, !pause.rx, !pause.tx}).has_value();
  EXPECT_EQ(now().rx, takes ? !pause.rx : pause.rx);
  apply(SetPause{netdev, pause.autoneg, pause.rx, pause.tx});
  EXPECT_EQ(now().rx, pause.rx);
  const PrivateFlags before = ask(*host, PrivateFlagsOf{netdev});
  ASSERT_FALSE(before.empty());
  const auto& [flag, on] = *before.begin();
  const bool flips = host->apply(SetPrivateFlag{netdev, flag, !on}).has_value();
  EXPECT_EQ(ask(*host, PrivateFlagsOf{netdev}).at(flag), flips ? !on : on);
  apply(SetPrivateFlag{netdev, flag, on});
  EXPECT_EQ(ask(*host, PrivateFlagsOf{netdev}), before);
  const auto unknown = host->apply(SetPrivateFlag{netdev, "no_such_flag", true});
  EXPECT_FALSE(unknown);
}

TEST_F(Device, RdmaEqualsWhatRdmaSays) {
  const RdmaPort port = rdma_port();
  json theirs = json::parse(shell("rdma -j -d link"), nullptr, false);
  const auto found =
      std::find_if(theirs.begin(), theirs.end(), [&](const json& link) { return link.value("netdev", "") == netdev; });
  ASSERT_NE(found, theirs.end());
  EXPECT_EQ(port.device, (*found)["ifname"]);
  EXPECT_EQ(port.device_index, (*found)["ifindex"]);
  EXPECT_EQ(port.port, (*found)["port"]);
  EXPECT_EQ(port.netdev_ifindex, (*found)["netdev_index"]);
  std::string state = (*found)["state"];
  std::string physical = (*found)["physical_state"];
  std::transform(state.begin(), state.end(), state.begin(), ::tolower);
  std::transform(physical.begin(), physical.end(), physical.begin(), ::tolower);
  EXPECT_EQ(port.state, state);
  EXPECT_EQ(port.physical_state, physical);
  EXPECT_EQ(port.protocol, "roce");
  EXPECT_FALSE(port.driver.empty());

  const std::string where = port.device + "/" + std::to_string(port.port);
  json counters = tool("rdma -j statistic show link " + where);
  counters.erase("ifname");
  counters.erase("port");
  const Counters ours = ask(*host, RdmaStatisticsOf{port.device, port.port});
  EXPECT_EQ(ours.size(), counters.size());
  for (const auto& [name, value] : ours) EXPECT_TRUE(counters.contains(name)) << name;
  EXPECT_EQ(host->get(RdmaStatisticsOf{"no-such-device", 1}).error().reason, GapReason::kAbsent);

  const bool shared = shell("rdma system").find("netns shared") != std::string::npos;
  EXPECT_EQ(ask(*host, RdmaSystemOf{}).netns_shared, shared);
}

TEST_F(Device, VerbsTellWhatIbvDevinfoSays) {
  const RdmaPort port = rdma_port();
  const RdmaPortAttributes attributes = ask(*host, RdmaPortAttributesOf{port.device, port.port});
  const std::string devinfo = shell("ibv_devinfo -d " + port.device);
  EXPECT_THAT(devinfo, testing::HasSubstr("link_layer:\t\t" + attributes.link_layer));
  EXPECT_THAT(devinfo, testing::HasSubstr("active_mtu:\t\t" + std::to_string(attributes.active_mtu)));
  EXPECT_GT(attributes.active_speed, 0u);
  EXPECT_EQ(host->get(RdmaPortAttributesOf{"no-such-device", 1}).error().reason, GapReason::kAbsent);
}

}  // namespace
}  // namespace rocert
