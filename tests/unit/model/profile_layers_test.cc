#include <gtest/gtest.h>

#include "model/profile.h"
#include "registry/profiles.h"
#include "unit/model/profile_keys.h"

namespace rocert {
namespace {

using Texts = std::vector<ProfileText>;

Result<Profile> layered(std::string_view body, const Texts& texts) {
  const ProfileLibrary library{[](std::string_view name, const void* context) {
                                 return find_profile_text(*static_cast<const Texts*>(context), name);
                               },
                               &texts};
  return parse_profile("schema: rocert/profile/1\n" + std::string(body), "site.yaml", known_keys(), library);
}

std::string error_of(std::string_view body, const Texts& texts) {
  const auto profile = layered(body, texts);
  return profile ? "no error" : to_text(profile.error());
}

const Texts kTexts{{"base", R"(schema: rocert/profile/1
description: the base
classes:
  rdma: {dscp: 26, priority: 3, lossless: true, cnp: {dscp: 48, priority: 6}}
  other: {dscp: 10}
roles:
  compute: {match: {driver: a, speed: 100G}, classes: [rdma], count: 8, mtu: {at_least: 4192}}
  rest: {}
settings: {link.mtu: 9000, dcb.dscp_map: {26: 3}}
limits: {write_bw: {of_line: 0.9, of_median: 0.8}, send_lat: {p99: 8us}}
congestion: {control: dcqcn, evidence: [pause, cnp]}
must_know: [dcb.pfc, link.mtu]
gate: [dcb.pfc]
rails: {by: prefix}
)"},
                   {"middle", R"(schema: rocert/profile/1
extends: base
limits: {write_bw: {of_line: 0.95}}
must_know: [link.mtu]
)"}};

TEST(Extends, MergesMapsByKeyAndReplacesLists) {
  const auto profile = layered(R"(extends: middle
classes: {rdma: {cnp: {dscp: 46}}}
roles: {backup: {match: {netdev: "e*"}}, compute: {match: {driver: b}, count: 4}}
settings: {link.mtu: unmanaged, dcb.dscp_map: {34: 4}}
limits: {send_lat: {of_median: 2}}
congestion: {evidence: [cnp]}
gate: []
)",
                               kTexts);
  ASSERT_TRUE(profile) << to_text(profile.error());
  EXPECT_EQ(profile->name, "site");
  EXPECT_EQ(profile->description, "") << "a layer's own words are not inherited";
  EXPECT_EQ(profile->layers, (std::vector<std::string>{"base", "middle"}));
  ASSERT_EQ(profile->classes.size(), 2u);
  EXPECT_EQ(profile->classes[0], (TrafficClass{"rdma", Dscp{26}, Priority{3}, true, CnpMark{Dscp{46}, {}}}))
      << "field by field, and a field as a whole";

  ASSERT_EQ(profile->roles.size(), 3u);
  EXPECT_EQ(profile->roles[0].name, "backup") << "what the upper layer states is tried first";
  EXPECT_EQ(profile->roles[1].name, "compute");
  EXPECT_EQ(profile->roles[1].match.driver, "b");
  EXPECT_EQ(profile->roles[1].match.speed, std::nullopt);
  EXPECT_EQ(profile->roles[1].count, 4u);
  EXPECT_EQ(profile->roles[1].mtu, (Between{4192, {}}));
  EXPECT_EQ(profile->roles[1].classes, std::vector<std::string>{"rdma"});
  EXPECT_EQ(profile->roles[2].name, "rest");

  const std::map<std::string, Override> settings{{"link.mtu", Unmanaged{}}, {"dcb.dscp_map", Value(Table{{34, 4}})}};
  EXPECT_EQ(profile->settings, settings);
  const std::map<std::string, Value> limits{{"write_bw.of_line", std::string("0.95")},
                                            {"write_bw.of_median", std::string("0.8")},
                                            {"send_lat.p99", std::string("8us")},
                                            {"send_lat.of_median", std::string("2")}};
  EXPECT_EQ(profile->limits, limits);
  EXPECT_EQ(profile->congestion, (Congestion{CongestionControl::kDcqcn, {Evidence::kCnp}}));
  EXPECT_EQ(profile->must_know, std::set<std::string>{"link.mtu"});
  EXPECT_TRUE(profile->gate.empty());
  EXPECT_TRUE(profile->rails.stated);
}

TEST(Extends, SurvivesTheRoundTripWithoutItsLibrary) {
  const auto profile = layered("extends: middle\n", kTexts);
  ASSERT_TRUE(profile) << to_text(profile.error());
  const auto again = parse_profile(to_yaml(*profile), "x", known_keys(), {});
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, *profile);
  const std::string merged = to_yaml(*profile);
  const Texts as_base{{"merged", merged}};
  EXPECT_EQ(layered("extends: merged\n", as_base)->layers, (std::vector<std::string>{"base", "middle", "merged"}));
}

TEST(Extends, PlacesErrorsInTheLayerThatMadeThem) {
  const Texts bad{{"bad", "schema: rocert/profile/1\nclasses: {rdma: {dscp: 99}}\n"}};
  EXPECT_EQ(error_of("extends: bad\n", bad), "bad:2:24: dscp: seen \"99\", wanted a number from 0 to 63");
  EXPECT_EQ(error_of("extends: bad\nclasses: {rdma: {dscp: 26}}\n", bad), "no error");
  EXPECT_EQ(error_of("extends: base\nclasses: {rdma: {dscp: 99}}\n", kTexts),
            "site.yaml:3:24: dscp: seen \"99\", wanted a number from 0 to 63");
  EXPECT_EQ(error_of("extends: old\n", {{"old", "schema: rocert/profile/0\n"}}),
            "old:1:9: schema: seen \"rocert/profile/0\", wanted rocert/profile/1");
  EXPECT_EQ(error_of("extends: base\nclasses: 7\n", kTexts),
            "site.yaml:3:10: classes: seen \"7\", wanted keys with values");
}

TEST(Extends, NamesAProfileThatIsNotThere) {
  EXPECT_EQ(error_of("extends: bas\n", kTexts),
            "site.yaml:2:10: extends: no profile \"bas\" among base, middle; did you mean \"base\"?");
  EXPECT_EQ(error_of("extends: ../base\n", kTexts).substr(0, 45), "site.yaml:2:10: extends: seen \"../base\", want");
  EXPECT_EQ(error_of("extends: [base]\n", kTexts).substr(0, 39), "site.yaml:2:10: extends: seen a list, w");
}

TEST(Extends, RefusesCycles) {
  const Texts ring{{"a", "schema: rocert/profile/1\nextends: b\n"}, {"b", "schema: rocert/profile/1\nextends: a\n"}};
  EXPECT_EQ(error_of("extends: a\n", ring), "b:2:10: extends: \"a\" extends itself: a -> b -> a");
  const Texts self{{"a", "schema: rocert/profile/1\nextends: a\n"}};
  EXPECT_EQ(error_of("extends: a\n", self), "a:2:10: extends: \"a\" extends itself: a -> a");
}

TEST(Extends, GoesEightLayersDeep) {
  std::vector<std::string> names, yaml;
  for (int i = 0; i < 9; ++i) names.push_back("p" + std::to_string(i));
  for (int i = 0; i < 8; ++i) yaml.push_back("schema: rocert/profile/1\nextends: " + names[i + 1] + "\n");
  yaml.emplace_back("schema: rocert/profile/1\ngate: [dcb.pfc]\n");
  Texts texts;
  for (size_t i = 0; i < names.size(); ++i) texts.push_back({names[i], yaml[i]});
  const auto eight = layered("extends: p1\n", texts);
  ASSERT_TRUE(eight) << to_text(eight.error());
  EXPECT_EQ(eight->layers.size(), 8u);
  EXPECT_EQ(eight->gate.size(), 1u);
  EXPECT_NE(error_of("extends: p0\n", texts).find("more than 8 layers: p0 -> p1"), std::string::npos);
}

TEST(Extends, IsNotStatedOfAMergedProfile) {
  EXPECT_EQ(error_of("extends: base\nlayers: [x]\n", kTexts),
            "site.yaml:3:9: layers: stands in a profile that is merged already, which cannot extend another");
}

Result<Profile> shipped(std::string_view name) {
  const ProfileLibrary library = registry::profile_library();
  return parse_profile(TRY(library.find(name, library.context)), std::string(name), known_keys(), library);
}

TEST(ShippedProfiles, AllParseUnderTheirNameAndComeBackFromYaml) {
  ASSERT_EQ(registry::profiles().size(), 3u);
  for (const ProfileText& text : registry::profiles()) {
    const auto profile = shipped(text.name);
    ASSERT_TRUE(profile) << to_text(profile.error());
    EXPECT_EQ(profile->name, text.name);
    EXPECT_FALSE(profile->description.empty());
    EXPECT_EQ(*parse_profile(to_yaml(*profile), "x", known_keys(), {}), *profile);
  }
}

TEST(ShippedProfiles, LosslessAndLossyDifferInPauseAlone) {
  const auto lossless = shipped("lossless");
  const auto lossy = shipped("lossy");
  ASSERT_TRUE(lossless && lossy);
  const TrafficClass rdma{"rdma", Dscp{26}, Priority{3}, true, CnpMark{Dscp{48}, Priority{6}}};
  EXPECT_EQ(lossless->classes, std::vector<TrafficClass>{rdma});
  TrafficClass unpaused = rdma;
  unpaused.lossless = false;
  EXPECT_EQ(lossy->classes, std::vector<TrafficClass>{unpaused});
  EXPECT_EQ(lossless->roles, lossy->roles);
  ASSERT_EQ(lossless->roles.size(), 1u);
  EXPECT_EQ(lossless->roles[0].match, Match{});
  EXPECT_EQ(lossless->roles[0].count, std::nullopt);
  EXPECT_EQ(lossless->roles[0].mtu, (Between{4192, {}}));
}

TEST(ShippedProfiles, SoftRoceTakesRxeAlone) {
  const auto profile = shipped("soft-roce");
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->roles.size(), 1u);
  EXPECT_EQ(profile->roles[0].match.rdma_driver, "rxe");
  EXPECT_EQ(profile->limits.count("write_bw.of_line"), 0u) << "rxe has no line rate to be held against";
}

TEST(ShippedProfiles, CanBeExtendedByASite) {
  const auto site = parse_profile(R"(schema: rocert/profile/1
extends: lossless
roles: {compute: {match: {driver: mlx5_core}, count: 8, speed: 400G}}
)",
                                  "site.yaml", known_keys(), registry::profile_library());
  ASSERT_TRUE(site) << to_text(site.error());
  EXPECT_EQ(site->layers, std::vector<std::string>{"lossless"});
  EXPECT_EQ(site->roles[0].classes, std::vector<std::string>{"rdma"});
  EXPECT_EQ(site->roles[0].count, 8u);
}

}  // namespace
}  // namespace rocert
