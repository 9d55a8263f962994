#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "model/inventory.h"

namespace rocert {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view list) {
  auto hosts = expand_hosts(list);
  return hosts ? *std::move(hosts) : Names{"error: " + hosts.error().message};
}

TEST(ExpandHosts, TakesNamesRangesAndSeveralBrackets) {
  EXPECT_EQ(expanded("n1"), (Names{"n1"}));
  EXPECT_EQ(expanded("n[01-03,7]a,m1"), (Names{"n01a", "n02a", "n03a", "n7a", "m1"}));
  EXPECT_EQ(expanded("r[1-2]n[08-10]"), (Names{"r1n08", "r1n09", "r1n10", "r2n08", "r2n09", "r2n10"}));
  EXPECT_EQ(expanded("n[9-11]"), (Names{"n9", "n10", "n11"}));
  EXPECT_EQ(expanded("n[098-101]"), (Names{"n098", "n099", "n100", "n101"}));
  EXPECT_EQ(expanded("n[0]"), (Names{"n0"}));
  EXPECT_EQ(expanded("a.example.org, b_1 , [1-2]"), (Names{"a.example.org", "b_1", "1", "2"}));
  EXPECT_EQ(expanded("n1,n1"), (Names{"n1", "n1"})) << "whether twice is wrong, the reader of the list decides";
}

TEST(ExpandHosts, NamesWhatIsMalformed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "seen \"\", wanted names"},
      {"n1,,n2", "seen \"\", wanted names"},
      {"n1,", "seen \"\", wanted names"},
      {"m1,n[1-3", "seen \"n[1-3\", wanted brackets in pairs"},
      {"n1-3]", "seen \"n1-3]\", wanted brackets in pairs"},
      {"n[1[2]]", "seen \"n[1[\", wanted brackets in pairs"},
      {"n[]", "seen \"\", wanted numbers"},
      {"n[1-]", "seen \"1-\", wanted numbers"},
      {"n[a-b]", "seen \"a-b\", wanted numbers"},
      {"n[1-2-3]", "seen \"1-2-3\", wanted numbers"},
      {"n[1, 2]", "seen \" 2\", wanted numbers"},
      {"n[3-1]", "seen \"3-1\", wanted a range that ends above its start"},
      {"n[01-3]", "seen \"01-3\", wanted as many digits"},
      {"n[1-03]", "seen \"1-03\", wanted as many digits"},
      {"n[1234567890123456789]", "wanted numbers of at most 18 digits"},
      {"-oProxyCommand=x", "seen \"-oProxyCommand=x\", wanted names"},
      {"n1;reboot", "seen \"n1;reboot\", wanted names"},
      {"a b", "seen \"a b\", wanted names"},
      {"n\x1b[1]", "seen \"n\\x1b[1]\", wanted names"},
      {std::string(254, 'x'), "wanted names"},
  };
  for (const auto& [list, message] : cases) {
    const auto hosts = expand_hosts(list);
    ASSERT_FALSE(hosts) << list;
    EXPECT_EQ(hosts.error().kind, ErrorKind::kMalformed);
    EXPECT_THAT(hosts.error().message, testing::HasSubstr(message)) << list;
  }
}

TEST(ExpandHosts, BoundsWhatItMakes) {
  EXPECT_THAT(expanded("n[1-999999999]").at(0), testing::HasSubstr("at most 100000 hosts"));
  EXPECT_THAT(expanded("n[0-999999999999999999]").at(0), testing::HasSubstr("at most 100000 hosts"));
  EXPECT_THAT(expanded("n[1-99999]x[1-99999]y[1-99999]z[1-99999]").at(0), testing::HasSubstr("at most 100000 hosts"));
  EXPECT_THAT(expanded("a[1-60000],b[1-60000]").at(0), testing::HasSubstr("seen \"b[1-60000]\""));
  EXPECT_EQ(expanded("a[1-100000]").size(), 100000u);
  EXPECT_FALSE(expand_hosts("n[1-4]", 3));
  EXPECT_EQ(expand_hosts("n[1-3]", 3)->size(), 3u);
  std::string brackets = "n";
  for (int i = 0; i < 40; ++i) brackets += "[1]";
  EXPECT_THAT(expanded(brackets).at(0), testing::HasSubstr("brackets in one name"));
  EXPECT_FALSE(expand_hosts(std::string((size_t{1} << 20) + 1, 'x')));
}

TEST(CompressHosts, JoinsNeighbours) {
  EXPECT_EQ(compress_hosts({}), "");
  EXPECT_EQ(compress_hosts({"n1"}), "n1");
  EXPECT_EQ(compress_hosts({"n01", "n02", "n03", "n07", "m1"}), "n[01-03,07],m1");
  EXPECT_EQ(compress_hosts({"n9", "n10", "n11"}), "n[9-11]");
  EXPECT_EQ(compress_hosts({"n099", "n100"}), "n[099-100]");
  EXPECT_EQ(compress_hosts({"n9", "n09"}), "n[9,09]");
  EXPECT_EQ(compress_hosts({"n99", "n0100"}), "n[99,0100]");
  EXPECT_EQ(compress_hosts({"r1n1", "r1n2", "r2n1", "r2n2"}), "r[1-2]n[1-2]");
  EXPECT_EQ(compress_hosts({"r1n1", "r2n1"}), "r[1-2]n1");
  EXPECT_EQ(compress_hosts({"n1", "m1", "n2"}), "n1,m1,n2") << "the order stays";
  EXPECT_EQ(compress_hosts({"n2", "n1"}), "n[2,1]");
  EXPECT_EQ(compress_hosts({"n1", "n1", "n2"}), "n[1-2]") << "each once";
  EXPECT_EQ(compress_hosts({"x1234567890123456789012"}), "x1234567890123456789012");
}

Names each_once(const Names& hosts) {
  Names once;
  std::set<std::string> seen;
  for (const std::string& host : hosts) {
    if (seen.insert(host).second) once.push_back(host);
  }
  return once;
}

// Whatever the names and their order: compressed and expanded again, they are the same.
TEST(CompressHosts, ExpandsToTheSameHostsInTheSameOrder) {
  std::mt19937 random(20261130);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  const Names literals{"n", "rack", "a-", "x.y", "_", "", "n0"};
  for (int round = 0; round < 3000; ++round) {
    Names hosts;
    const size_t count = 1 + below(30);
    while (hosts.size() < count) {
      std::string name = literals[below(4)];
      const unsigned fields = 1 + below(3);
      for (unsigned i = 0; i < fields; ++i) {
        std::string number = std::to_string(below(below(4) == 0 ? 200 : 12));
        if (below(3) == 0) number.insert(0, below(3), '0');
        name += number + literals[below(static_cast<unsigned>(literals.size()))];
      }
      hosts.push_back(name);
    }
    if (below(2) == 0) std::sort(hosts.begin(), hosts.end());
    const std::string list = compress_hosts(hosts);
    ASSERT_EQ(expanded(list), each_once(hosts)) << list;
  }
}

TEST(CompressHosts, WritesLargeGridsShortly) {
  const Names hosts = expanded("r[01-50]n[001-200]");
  ASSERT_EQ(hosts.size(), 10'000u);
  EXPECT_EQ(compress_hosts(hosts), "r[01-50]n[001-200]");
}

}  // namespace
}  // namespace rocert
