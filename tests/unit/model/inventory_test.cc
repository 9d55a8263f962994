#include "model/inventory.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

constexpr std::string_view kWhole = R"(schema: rocert/inventory/1
launcher: slurm
launch: {program: /usr/bin/srun, options: [--overlap, "-n1"], rocert: /opt/rocert/bin/rocert}
hosts: ["n[01-04]", m1]
racks: {leaf-01: ["n[01-02]"], leaf-02: ["n[03-04]", m1]}
zones: {a: [leaf-01, leaf-02]}
cabling: cabling.csv
)";

std::string error_of(std::string_view body) {
  const auto inventory = parse_inventory("schema: rocert/inventory/1\n" + std::string(body), "i.yaml");
  return inventory ? "no error" : to_text(inventory.error());
}

TEST(ParseInventory, TakesTheWhole) {
  const auto inventory = parse_inventory(kWhole, "i.yaml");
  ASSERT_TRUE(inventory) << to_text(inventory.error());
  Inventory wanted;
  wanted.launch = {LauncherKind::kSlurm, "/usr/bin/srun", {"--overlap", "-n1"}, "/opt/rocert/bin/rocert"};
  wanted.hosts = {"n01", "n02", "n03", "n04", "m1"};
  wanted.racks = {{"leaf-01", {"n01", "n02"}}, {"leaf-02", {"n03", "n04", "m1"}}};
  wanted.zones = {{"a", {"leaf-01", "leaf-02"}}};
  wanted.cabling = "cabling.csv";
  EXPECT_EQ(*inventory, wanted);
}

TEST(ParseInventory, NeedsNoMoreThanHosts) {
  const auto inventory = parse_inventory("schema: rocert/inventory/1\nhosts: [a, b]\n", "i.yaml");
  ASSERT_TRUE(inventory) << to_text(inventory.error());
  Inventory wanted;
  wanted.hosts = {"a", "b"};
  EXPECT_EQ(*inventory, wanted);
  EXPECT_EQ(inventory->launch.kind, LauncherKind::kSsh);
  EXPECT_EQ(inventory->launch.rocert, "rocert");
}

TEST(ParseInventory, NamesPlaceSeenAndWanted) {
  EXPECT_EQ(error_of("launcher: ssh\n"), "i.yaml:1:1: \"hosts\" is missing");
  EXPECT_EQ(
      error_of("host: [a]\n"),
      "i.yaml:2:1: unknown key \"host\", wanted one of schema, launcher, launch, hosts, racks, zones, cabling; did you "
      "mean \"hosts\"?");
  EXPECT_EQ(error_of("hosts: []\n"), "i.yaml:2:8: hosts: seen a list, wanted at least one host");
  EXPECT_EQ(error_of("hosts: n1\n"), "i.yaml:2:8: hosts: seen \"n1\", wanted a list such as [\"n[01-64]\"]");
  EXPECT_EQ(error_of("hosts: [n[1-2]]\n").substr(0, 7), "i.yaml:");
  EXPECT_EQ(error_of("hosts: [a, \"n[3-1]\"]\n"),
            "i.yaml:2:12: hosts: host list: seen \"3-1\", wanted a range that ends above its start");
  EXPECT_EQ(error_of("hosts: [\"n[1-3]\", n2]\n"), "i.yaml:2:19: hosts: host \"n2\" is given twice");
  EXPECT_EQ(error_of("hosts: [a]\nlauncher: shs\n"),
            "i.yaml:3:11: launcher: seen \"shs\", wanted one of lab, ssh, slurm, manual; did you mean \"ssh\"?");
  EXPECT_EQ(
      error_of("hosts: [a]\nlaunch: {option: [x]}\n"),
      "i.yaml:3:10: launch: unknown key \"option\", wanted one of program, options, rocert; did you mean \"options\"?");
  EXPECT_EQ(error_of("hosts: [a]\nlaunch: {options: -v}\n"), "i.yaml:3:19: options: seen \"-v\", wanted a list");
  EXPECT_EQ(error_of("hosts: [a]\nlaunch: {options: [\"a\\nb\"]}\n"),
            "i.yaml:3:20: options: seen \"a\\x0ab\", wanted a text of one line");
}

TEST(ParseInventory, RacksHoldStatedHostsOnce) {
  EXPECT_EQ(error_of("hosts: [\"n[1-3]\"]\nracks: {r1: [n1], r2: [n4]}\n"),
            "i.yaml:3:23: r2: host \"n4\" is not among hosts; did you mean \"n1\"?");
  EXPECT_EQ(error_of("hosts: [\"n[1-3]\"]\nracks: {r1: [n1], r2: [n1]}\n"),
            "i.yaml:3:24: r2: host \"n1\" is given twice");
  EXPECT_EQ(error_of("hosts: [n1]\nracks: {\"a b\": [n1]}\n").substr(0, 39),
            "i.yaml:3:9: seen the name \"a b\", wanted");
}

TEST(ParseInventory, ZonesHoldStatedRacksOnce) {
  EXPECT_EQ(error_of("hosts: [n1]\nracks: {leaf-1: [n1]}\nzones: {a: [leaf-2]}\n"),
            "i.yaml:4:13: a: seen \"leaf-2\", wanted a rack that is stated; did you mean \"leaf-1\"?");
  EXPECT_EQ(error_of("hosts: [n1]\nracks: {r1: [n1]}\nzones: {a: [r1], b: [r1]}\n"),
            "i.yaml:4:22: b: seen \"r1\", wanted each rack in one zone, once");
}

TEST(ParseInventory, BoundsTheHosts) {
  EXPECT_NE(error_of("hosts: [\"n[1-999999999]\"]\n").find("at most 100000 hosts"), std::string::npos);
  EXPECT_NE(error_of("hosts: [\"n[1-60000]\", \"m[1-60000]\"]\n").find("at most 40000 hosts"), std::string::npos);
}

TEST(ParseInventory, RefusesAnotherSchemaWithBothNamed) {
  const auto inventory = parse_inventory("schema: rocert/inventory/2\nhosts: [a]\n", "i.yaml");
  ASSERT_FALSE(inventory);
  EXPECT_EQ(to_text(inventory.error()), "i.yaml:1:9: schema: seen \"rocert/inventory/2\", wanted rocert/inventory/1");
}

}  // namespace
}  // namespace rocert
