#include "model/profile.h"

#include <gtest/gtest.h>

#include "unit/model/profile_keys.h"

namespace rocert {
namespace {

constexpr std::string_view kWhole = R"(schema: rocert/profile/1
description: "two\nlines, \"quoted\" \\ and: more"
classes:
  rdma:    {dscp: 26, priority: 3, lossless: true, cnp: {dscp: 48, priority: 6}}
  storage: {dscp: 34, priority: 4, lossless: on, cnp: {dscp: 48}}
  rest:    {}
roles:
  compute: {match: {driver: mlx5_core, speed: 400G}, classes: [rdma], count: 8, speed: 400G, mtu: {at_least: 4192}}
  backup:  {match: {netdev: "ens9*", rdma: "mlx5_[89]", rdma_driver: mlx5_ib, prefix: 198.18.0.0/15}, classes: [storage, rest], count: 1, mtu: 9000}
  none:    {match: {prefix: "fd00::/64"}, count: 0, speed: 2.5G, mtu: {at_least: 1500, at_most: 9000}}
rails: {by: prefix}
settings:
  link.mtu: unmanaged
  sysctl.port.rp_filter: loose
  sysctl.port.arp_ignore: 2
  dcb.pfc: [3, 4]
  dcb.dscp_map: {26: 3, 48: 6}
  ethernet.pause: off
  rdma_cm.mode: RoCE v2
limits:   {write_bw: {of_line: 0.9, at_least: 50M}, send_lat: {p99: 8us, of_median: 2}}
ordering: sprayed
congestion: {control: dcqcn, evidence: [pause, cnp]}
must_know: [dcb.pfc, gid-is-routable-rocev2]
gate:     [every-expected-port-is-present, dcb.pfc]
waivers:  [{code: firmware-is-allowed, host: "n1[0-9]", port: "eth?", reason: "rolling upgrade", until: 2028-02-29}]
)";

Result<Profile> parsed(std::string_view text) { return parse_profile(text, "/etc/rocert/site.yaml", known_keys(), {}); }

Result<Profile> with(std::string_view body) { return parsed("schema: rocert/profile/1\n" + std::string(body)); }

// "LINE:COLUMN: MESSAGE" of a profile with that body, whose first line is the second of the file.
std::string error_of(std::string_view body) {
  const auto profile = with(body);
  if (profile) return "no error";
  EXPECT_EQ(profile.error().kind, ErrorKind::kMalformed);
  const std::string text = to_text(profile.error());
  const std::string file = "/etc/rocert/site.yaml:";
  EXPECT_TRUE(text.starts_with(file)) << text;
  return text.substr(std::min(file.size(), text.size()));
}

TEST(ParseProfile, TakesTheWhole) {
  const auto profile = parsed(kWhole);
  ASSERT_TRUE(profile) << to_text(profile.error());
  EXPECT_EQ(profile->name, "site");
  EXPECT_EQ(profile->description, "two\nlines, \"quoted\" \\ and: more");
  EXPECT_TRUE(profile->layers.empty());

  ASSERT_EQ(profile->classes.size(), 3u);
  EXPECT_EQ(profile->classes[0], (TrafficClass{"rdma", Dscp{26}, Priority{3}, true, CnpMark{Dscp{48}, Priority{6}}}));
  EXPECT_EQ(profile->classes[1], (TrafficClass{"storage", Dscp{34}, Priority{4}, true, CnpMark{Dscp{48}, {}}}));
  EXPECT_EQ(profile->classes[2], (TrafficClass{"rest", {}, {}, false, {}}));

  ASSERT_EQ(profile->roles.size(), 3u);
  Role compute{"compute", {}, {"rdma"}, 8, Bandwidth{400e9}, Between{4192, {}}};
  compute.match.driver = "mlx5_core";
  compute.match.speed = Bandwidth{400e9};
  EXPECT_EQ(profile->roles[0], compute);
  EXPECT_EQ(profile->roles[1].name, "backup");
  EXPECT_EQ(profile->roles[1].match.netdev, "ens9*");
  EXPECT_EQ(profile->roles[1].match.rdma, "mlx5_[89]");
  EXPECT_EQ(profile->roles[1].match.rdma_driver, "mlx5_ib");
  EXPECT_EQ(profile->roles[1].match.prefix, parse_prefix("198.18.0.0/15"));
  EXPECT_EQ(profile->roles[1].classes, (std::vector<std::string>{"storage", "rest"}));
  EXPECT_EQ(profile->roles[1].mtu, (Between{9000, 9000}));
  EXPECT_EQ(profile->roles[2].count, 0u);
  EXPECT_EQ(profile->roles[2].mtu, (Between{1500, 9000}));

  EXPECT_TRUE(profile->rails.stated);
  EXPECT_TRUE(profile->rails.by_prefix);
  const std::map<std::string, Override> settings{{"link.mtu", Unmanaged{}},
                                                 {"sysctl.port.rp_filter", Value(std::string("loose"))},
                                                 {"sysctl.port.arp_ignore", Value(int64_t{2})},
                                                 {"dcb.pfc", Value(Bits{0x18, 8})},
                                                 {"dcb.dscp_map", Value(Table{{26, 3}, {48, 6}})},
                                                 {"ethernet.pause", Value(false)},
                                                 {"rdma_cm.mode", Value(std::string("RoCE v2"))}};
  EXPECT_EQ(profile->settings, settings);
  const std::map<std::string, Value> limits{{"write_bw.of_line", std::string("0.9")},
                                            {"write_bw.at_least", std::string("50M")},
                                            {"send_lat.p99", std::string("8us")},
                                            {"send_lat.of_median", std::string("2")}};
  EXPECT_EQ(profile->limits, limits);
  EXPECT_EQ(profile->ordering, Ordering::kSprayed);
  EXPECT_EQ(profile->congestion, (Congestion{CongestionControl::kDcqcn, {Evidence::kPause, Evidence::kCnp}}));
  EXPECT_EQ(profile->must_know, (std::set<std::string>{"dcb.pfc", "gid-is-routable-rocev2"}));
  EXPECT_EQ(profile->gate, (std::set<std::string>{"dcb.pfc", "every-expected-port-is-present"}));
  ASSERT_EQ(profile->waivers.size(), 1u);
  EXPECT_EQ(profile->waivers[0], (Waiver{"firmware-is-allowed", "n1[0-9]", "eth?", "rolling upgrade", "2028-02-29"}));
}

TEST(ParseProfile, NeedsNoMoreThanItsSchema) {
  const auto profile = parsed("schema: rocert/profile/1\n");
  ASSERT_TRUE(profile) << to_text(profile.error());
  Profile wanted;
  wanted.name = "site";
  EXPECT_EQ(*profile, wanted);
  EXPECT_FALSE(profile->rails.stated);
  EXPECT_TRUE(profile->rails.by_prefix);
}

TEST(ParseProfile, TakesStatedRails) {
  const auto profile = with("rails:\n  - {netdev: \"eth0\"}\n  - {prefix: 198.18.1.0/24}\n");
  ASSERT_TRUE(profile) << to_text(profile.error());
  EXPECT_TRUE(profile->rails.stated);
  EXPECT_FALSE(profile->rails.by_prefix);
  ASSERT_EQ(profile->rails.list.size(), 2u);
  EXPECT_EQ(profile->rails.list[0].netdev, "eth0");
}

TEST(ParseProfile, IsNamedByItselfOrItsFile) {
  const KnownKeys keys = known_keys();
  const std::string_view text = "schema: rocert/profile/1\n";
  EXPECT_EQ(parse_profile(text, "lossless", keys, {})->name, "lossless");
  EXPECT_EQ(parse_profile(text, "a/b.c.yml", keys, {})->name, "b.c");
  EXPECT_EQ(parse_profile(text, "a/.yaml", keys, {})->name, "profile");
  EXPECT_EQ(parse_profile("schema: rocert/profile/1\nname: mine\n", "a/b.yaml", keys, {})->name, "mine");
}

TEST(ParseProfile, NamesTheSchemaItReads) {
  EXPECT_EQ(to_text(parsed("classes: {}\n").error()),
            "/etc/rocert/site.yaml:1:1: \"schema\" is missing, wanted schema: rocert/profile/1");
  EXPECT_EQ(to_text(parsed("schema: rocert/profile/2\n").error()),
            "/etc/rocert/site.yaml:1:9: schema: seen \"rocert/profile/2\", wanted rocert/profile/1");
}

struct Refused {
  std::string_view body;
  std::string_view message;
};

class RefusedProfile : public testing::TestWithParam<Refused> {};

TEST_P(RefusedProfile, SaysWhereWhatAndWhatInstead) { EXPECT_EQ(error_of(GetParam().body), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Keys, RefusedProfile,
    testing::Values(
        Refused{
            "clases: {}\n",
            "2:1: unknown key \"clases\", wanted one of schema, extends, layers, name, description, classes, roles, rails, "
            "settings, limits, ordering, congestion, must_know, gate, waivers; did you mean \"classes\"?"},
        Refused{
            "classes:\n  rdma: {dcsp: 26}\n",
            "3:10: rdma: unknown key \"dcsp\", wanted one of dscp, priority, lossless, cnp; did you mean \"dscp\"?"},
        Refused{"classes:\n  rdma: {dscp: 26, dscp: 27}\n", "3:20: key \"dscp\" is given twice, first in line 3"},
        Refused{"settings: {link.mut: 9000}\n", "2:12: unknown setting \"link.mut\"; did you mean \"link.mtu\"?"},
        Refused{"limits: {write_bw: {of_lines: 0.9}}\n",
                "2:21: unknown limit \"write_bw.of_lines\"; did you mean \"write_bw.of_line\"?"},
        Refused{"limits: {zzzz: {of_line: 0.9}}\n", "2:17: unknown limit \"zzzz.of_line\""},
        Refused{"must_know: [dcb.pcf]\n",
                "2:13: must_know: seen \"dcb.pcf\", wanted the code of a check or the key of a setting; did you mean "
                "\"dcb.pfc\"?"},
        Refused{"gate: [dcb.pfc, dcb.pfc]\n", "2:17: gate: seen \"dcb.pfc\", wanted each code once"}));

INSTANTIATE_TEST_SUITE_P(
    Classes, RefusedProfile,
    testing::Values(
        Refused{"classes: {rdma: {dscp: 64}}\n", "2:24: dscp: seen \"64\", wanted a number from 0 to 63"},
        Refused{"classes: {rdma: {dscp: \"26\"}}\n", "2:24: dscp: seen \"26\", wanted a number from 0 to 63"},
        Refused{"classes: {rdma: {dscp: 26.0}}\n", "2:24: dscp: seen \"26.0\", wanted a number from 0 to 63"},
        Refused{"classes: {rdma: {dscp: }}\n", "2:24: dscp: seen nothing, wanted a number from 0 to 63"},
        Refused{"classes: {rdma: {priority: 8}}\n", "2:28: priority: seen \"8\", wanted a number from 0 to 7"},
        Refused{"classes: {rdma: {priority: [3]}}\n", "2:28: priority: seen a list, wanted a number from 0 to 7"},
        Refused{"classes: {rdma: {lossless: yes}}\n", "2:28: lossless: seen \"yes\", wanted true or false"},
        Refused{"classes: {rdma: {cnp: {priority: 6}}}\n", "2:23: cnp: \"dscp\" is missing"},
        Refused{"classes: [rdma]\n", "2:10: classes: seen a list, wanted keys with values"},
        Refused{"classes: {\"r dma\": {}}\n",
                "2:11: seen the name \"r dma\", wanted letters, digits, '.', '-' and '_'"},
        Refused{"classes: {rdma: {dscp: 26, lossless: true}}\n",
                "2:17: rdma: seen lossless without a priority, wanted the priority (0 to 7) that is to be paused"},
        Refused{"classes:\n  a: {dscp: 26, priority: 3}\n  b: {dscp: 26, priority: 4}\n",
                "4:6: b: seen DSCP 26 on priority 4, wanted priority 3 as \"a\" has it: one DSCP rides one priority"},
        Refused{
            "classes:\n  a: {dscp: 26, priority: 3, cnp: {dscp: 48, priority: 6}}\n  b: {dscp: 48, priority: 5}\n",
            "4:6: b: seen DSCP 48 on priority 5, wanted priority 6 as \"a.cnp\" has it: one DSCP rides one priority"}));

INSTANTIATE_TEST_SUITE_P(
    Roles, RefusedProfile,
    testing::Values(
        Refused{"classes: {rdma: {}}\nroles: {c: {classes: [rmda]}}\n",
                "3:23: classes: seen \"rmda\", wanted one of the classes (rdma); did you mean \"rdma\"?"},
        Refused{"classes: {rdma: {}}\nroles: {c: {classes: [rdma, rdma]}}\n",
                "3:29: classes: seen \"rdma\", wanted each class once"},
        Refused{"roles: {c: {classes: rdma}}\n", "2:22: classes: seen \"rdma\", wanted a list"},
        Refused{"roles: {c: }\n", "2:12: c: seen nothing, wanted keys with values"},
        Refused{"roles: {c: {count: -1}}\n", "2:20: count: seen \"-1\", wanted a number from 0 to 1024"},
        Refused{"roles: {c: {speed: 400}}\n",
                "2:20: speed: seen \"400\", wanted a bandwidth with its unit, above zero and up to 100T, e.g. 400G"},
        Refused{"roles: {c: {speed: 0G}}\n",
                "2:20: speed: seen \"0G\", wanted a bandwidth with its unit, above zero and up to 100T, e.g. 400G"},
        Refused{
            "roles: {c: {match: {speed: 200G}, speed: 400G}}\n",
            "2:42: speed: seen 400G, wanted the 200G that the role's match takes, or no speed in the match: a port of "
            "another speed never gets this role"},
        Refused{"roles: {c: {mtu: 67}}\n", "2:18: mtu: seen \"67\", wanted a number from 68 to 65535"},
        Refused{"roles: {c: {mtu: {}}}\n", "2:18: mtu: seen no bound, wanted at_least, at_most or both"},
        Refused{"roles: {c: {mtu: {at_least: 9000, at_most: 1500}}}\n",
                "2:18: mtu: seen at_least 9000 above at_most 1500"},
        Refused{"roles: {c: {mtu: {min: 9000}}}\n", "2:19: mtu: unknown key \"min\", wanted one of at_least, at_most"},
        Refused{"roles: {c: {match: {netdev: \"eth[0\"}}}\n",
                "2:29: netdev: seen \"eth[0\", wanted a pattern with every '[' closed"},
        Refused{"roles: {c: {match: {prefix: 198.18.0.1/24}}}\n",
                "2:29: prefix: seen \"198.18.0.1/24\", wanted 198.18.0.0/24"},
        Refused{"roles: {c: {match: {prefix: 198.18/24}}}\n",
                "2:29: prefix: seen \"198.18/24\", wanted a prefix such as 198.18.0.0/24"},
        Refused{
            "roles:\n  a: {}\n  b: {match: {driver: x}}\n",
            "4:3: roles: \"b\" can never match, \"a\" before it takes every port that it could: first match wins, so put "
            "the narrower one first"},
        Refused{
            "roles:\n  a: {match: {netdev: \"*\"}}\n  b: {}\n",
            "4:3: roles: \"b\" can never match, \"a\" before it takes every port that it could: first match wins, so put "
            "the narrower one first"},
        Refused{
            "roles:\n  a: {match: {driver: x}}\n  b: {match: {driver: x, speed: 100G}}\n",
            "4:3: roles: \"b\" can never match, \"a\" before it takes every port that it could: first match wins, so put "
            "the narrower one first"}));

INSTANTIATE_TEST_SUITE_P(
    Rest, RefusedProfile,
    testing::Values(
        Refused{"rails: []\n", "2:8: rails: seen a list, wanted at least one match, or {by: prefix}"},
        Refused{"rails: {by: name}\n", "2:13: by: seen \"name\", wanted prefix"},
        Refused{"rails: {}\n", "2:8: rails: \"by\" is missing"},
        Refused{"rails: prefix\n", "2:8: rails: seen \"prefix\", wanted {by: prefix}, or a list of matches"},
        Refused{"settings: {link.mtu: 67}\n", "2:22: link.mtu: seen \"67\", wanted a number from 68 to 65535 (bytes)"},
        Refused{"settings: {link.mtu: {at_least: 4192}}\n",
                "2:22: link.mtu: seen keys with values, wanted a number from 68 to 65535 (bytes)"},
        Refused{"settings: {dcb.pfc: [3, 8]}\n",
                "2:21: dcb.pfc: seen \"3,8\", wanted a set of priorities from 0 to 7: none, 3, or 3,4"},
        Refused{"settings: {dcb.pfc: [[3]]}\n",
                "2:21: dcb.pfc: seen a list, wanted a set of priorities from 0 to 7: none, 3, or 3,4"},
        Refused{
            "settings: {sysctl.port.rp_filter: lose}\n",
            "2:35: sysctl.port.rp_filter: seen \"lose\", wanted one of off, strict, loose; did you mean \"loose\"?"},
        Refused{"limits: {write_bw: 0.9}\n", "2:20: write_bw: seen \"0.9\", wanted keys with values"},
        Refused{"limits: {write_bw: {of_line: 90}}\n", "2:30: of_line: seen \"90\", wanted a ratio from 0 to 1"},
        Refused{"limits: {send_lat: {p99: 8}}\n",
                "2:26: p99: seen \"8\", wanted a duration from 0ns to 1s with its unit, e.g. 8us"},
        Refused{"ordering: sorted\n", "2:11: ordering: seen \"sorted\", wanted one of in_order, sprayed"},
        Refused{
            "congestion: {control: dcqnc}\n",
            "2:23: control: seen \"dcqnc\", wanted one of dcqcn, rttcc, programmable, off; did you mean \"dcqcn\"?"},
        Refused{"congestion: {evidence: [pfc]}\n", "2:25: evidence: seen \"pfc\", wanted one of pause, cnp"},
        Refused{"waivers: [{code: dcb.pfc, until: 2027-01-31}]\n", "2:11: waivers: \"reason\" is missing"},
        Refused{"waivers: [{code: dcb.pfc, reason: \"\", until: 2027-01-31}]\n",
                "2:35: reason: seen \"\", wanted a text"},
        Refused{"waivers: [{code: dcb.pfc, reason: x}]\n", "2:11: waivers: \"until\" is missing"},
        Refused{"waivers: [{code: dcb.pfc, reason: x, until: 2027-02-29}]\n",
                "2:45: until: seen \"2027-02-29\", wanted a day such as 2027-01-31"},
        Refused{"waivers: [{code: dcb.pfc, reason: x, until: 2027-1-31}]\n",
                "2:45: until: seen \"2027-1-31\", wanted a day such as 2027-01-31"},
        Refused{
            "waivers: [{code: dcb.pfx, reason: x, until: 2027-01-31}]\n",
            "2:18: code: seen \"dcb.pfx\", wanted the code of a check or the key of a setting; did you mean \"dcb.pfc\"?"},
        Refused{"name: [x]\n", "2:7: name: seen a list, wanted a text"},
        Refused{"description: \"\\x1b[31m\"\n", "2:14: description: seen \"\\x1b[31m\", wanted a text"},
        Refused{"description: \xff\xc2\n", "2:14: description: seen \"\\xff\\xc2\", wanted a text"},
        Refused{"extends: lossless\n", "2:10: extends: there are no profiles here to extend"}));

TEST(ToYaml, ParsesToAnEqualProfile) {
  for (const std::string_view body :
       {kWhole.substr(kWhole.find('\n') + 1), std::string_view(""),
        std::string_view("rails: [{}, {netdev: \"e*\", speed: 100G}]\nroles: {c: {}}\nname: \"null\"\n"),
        std::string_view("description: ' leading # and \"x\" \u00e9\ttab'\nclasses: {null-1: {}, \"1\": {}}\n"),
        std::string_view("settings: {dcb.pfc: none, dcb.dscp_map: none, rdma_cm.tos: 0}\n"),
        std::string_view(
            "roles: {c: {speed: 212.456789123G, mtu: {at_most: 1500}}}\ncongestion: {evidence: [cnp]}\n")}) {
    const auto profile = with(body);
    ASSERT_TRUE(profile) << to_text(profile.error());
    const std::string yaml = to_yaml(*profile);
    const auto again = parse_profile(yaml, "other.yaml", known_keys(), {});
    ASSERT_TRUE(again) << to_text(again.error()) << "\n" << yaml;
    EXPECT_EQ(*again, *profile) << yaml;
    EXPECT_EQ(to_yaml(*again), yaml);
  }
}

TEST(Digest, IsTheSha256OfTheYaml) {
  Profile profile;
  profile.name = "p";
  ASSERT_EQ(to_yaml(profile), "schema: rocert/profile/1\nname: p\nordering: in_order\n");
  // printf 'schema: rocert/profile/1\nname: p\nordering: in_order\n' | sha256sum
  EXPECT_EQ(digest(profile), "76e0d385b4744d13c56d8274e145eebf8287672bf55307a0c4acb38f4667b808");
}

TEST(Digest, DiffersWhereTheProfileDiffers) {
  const auto profile = parsed(kWhole);
  ASSERT_TRUE(profile);
  Profile other = *profile;
  EXPECT_EQ(digest(*profile), digest(other));
  other.classes[0].cnp->priority = Priority{7};
  EXPECT_NE(digest(*profile), digest(other));
}

}  // namespace
}  // namespace rocert
