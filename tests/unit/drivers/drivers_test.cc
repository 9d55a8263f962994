// What holds for every driver file, and what each of them says.
#include <gtest/gtest.h>

#include <set>

#include "registry/drivers.h"

namespace rocert {
namespace {

const Driver& driver(std::string_view module) {
  for (const Driver* one : registry::drivers()) {
    if (one->facts.module == module) return *one;
  }
  ADD_FAILURE() << "no driver " << module;
  return *registry::drivers().front();
}

std::vector<const DriverFacts*> all_facts() {
  std::vector<const DriverFacts*> all;
  for (const Driver* one : registry::drivers()) all.push_back(&one->facts);
  return all;
}

TEST(Drivers, EveryFileHasAPageAndItsModule) {
  std::set<std::string_view> modules;
  for (const Driver* one : registry::drivers()) {
    EXPECT_EQ(one->page.code, one->facts.module);
    EXPECT_TRUE(modules.insert(one->facts.module).second) << one->facts.module << " is there twice";
    EXPECT_FALSE(one->page.title.empty() || one->page.why.empty() || one->page.source.empty()) << one->page.code;
    EXPECT_FALSE(one->facts.counters.empty()) << one->page.code;
    for (const std::string_view deviation : one->facts.deviations)
      EXPECT_TRUE(deviation.ends_with(")")) << "without a source: " << deviation;
    for (const Fact& fact : one->reads) {
      EXPECT_FALSE(fact.key.empty());
      EXPECT_TRUE(fact.path.starts_with("/")) << fact.key;
      EXPECT_NE(fact.scope, Scope::kHost) << fact.key;
    }
  }
  EXPECT_TRUE(modules.contains("generic"));
}

TEST(Drivers, EveryPatternCanBeReached) {
  const auto all = all_facts();
  const DriverTable table(all);
  for (const DriverFacts* facts : all) {
    for (const CounterFact& fact : facts->counters) {
      std::string name(fact.pattern);
      for (char& c : name) c = c == '*' || c == '?' ? '1' : c;
      EXPECT_EQ(table.find_counter(facts->module, name), &fact)
          << facts->module << ": an earlier pattern hides " << name;
      EXPECT_FALSE(fact.says.empty());
    }
  }
}

TEST(Drivers, CountersMeanWhatTheirDriverSays) {
  const auto all = all_facts();
  const DriverTable table(all);
  const auto meaning = [&](std::string_view module, std::string_view counter) {
    const CounterFact* fact = table.find_counter(module, counter);
    return fact == nullptr ? std::optional<CounterMeaning>() : fact->meaning;
  };
  EXPECT_EQ(meaning("mlx5_core", "out_of_sequence"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning("mlx5_ib", "packet_seq_err"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning("mlx5_core", "rx_prio3_discards"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning("mlx5_core", "rx_prio3_pause"), CounterMeaning::kPause);
  EXPECT_EQ(meaning("mlx5_core", "tx_global_pause_duration"), CounterMeaning::kPause);
  EXPECT_EQ(meaning("mlx5_core", "out_of_buffer"), CounterMeaning::kReceiverNotReady);
  EXPECT_EQ(meaning("mlx5_core", "rp_cnp_handled"), CounterMeaning::kCongestion);
  EXPECT_EQ(meaning("mlx5_core", "rx_vport_rdma_unicast_bytes"), CounterMeaning::kActivity);
  EXPECT_EQ(meaning("mlx5_core", "rx_packets"), std::nullopt);
  EXPECT_EQ(meaning("rxe", "rcvd_seq_err"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning("rdma_rxe", "rcvd_rnr_err"), CounterMeaning::kReceiverNotReady);
  EXPECT_EQ(meaning("rxe", "rcvd_pkts"), CounterMeaning::kActivity);
  EXPECT_EQ(meaning("who_knows", "Rcvd Out_Of_Sequence"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning("who_knows", "rx_bytes"), std::nullopt);
}

Member member_with(std::vector<App> apps, Observed<std::string> file) {
  Member member{.netdev = "eth2"};
  member.dcb = Dcb{.apps = std::move(apps)};
  member.facts["mlx5.trust"] = std::move(file);
  return member;
}

const auto kNoFile = gap(GapReason::kAbsent, "qos/trust");
constexpr App kDscp26{.selector = kAppDscp, .priority = 3, .protocol = 26};

TEST(Mlx5Trust, FileOfOfedDecides) {
  const auto trust = driver("mlx5_core").facts.trust;
  EXPECT_EQ(trust(member_with({}, "dscp")), "dscp");
  EXPECT_EQ(trust(member_with({kDscp26}, "pcp")), "pcp");
  const auto odd = trust(member_with({}, "both\x1b"));
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().reason, GapReason::kMalformed);
  EXPECT_EQ(odd.error().detail, "qos/trust of eth2: seen \"both\\x1b\", wanted dscp or pcp");
}

TEST(Mlx5Trust, InboxAnyDscpEntryIsTheTrust) {
  const auto trust = driver("mlx5_core").facts.trust;
  EXPECT_EQ(trust(member_with({kDscp26}, kNoFile)), "dscp");
  EXPECT_EQ(trust(member_with({}, kNoFile)), "pcp");
  EXPECT_EQ(trust(member_with({{.selector = kAppPcp}, {.selector = kAppEthertype}}, kNoFile)), "pcp");
}

TEST(Mlx5Trust, AGapNeverBecomesPcp) {
  const auto trust = driver("mlx5_core").facts.trust;
  for (const auto& [reason, word] : Words<GapReason>::values) {
    if (reason == GapReason::kAbsent) continue;
    const auto seen = trust(member_with({}, gap(reason, "file")));
    ASSERT_FALSE(seen) << word;
    EXPECT_EQ(seen.error().reason, reason);
    EXPECT_EQ(trust(member_with({kDscp26}, gap(reason, "file"))), "dscp") << "an entry proves it all the same";
    Member member = member_with({}, kNoFile);
    member.dcb = gap(reason, "dcb");
    EXPECT_EQ(trust(member).error().reason, reason);
  }
  Member unread{.netdev = "eth2"};
  unread.dcb = Dcb{};
  EXPECT_EQ(trust(unread).error().reason, GapReason::kNotAsked);
}

TEST(GenericTrust, FollowsTheKernelsTrustOrderAndGuessesNothing) {
  const auto trust = driver("generic").facts.trust;
  Member member = member_with({kDscp26}, kNoFile);
  const auto untold = trust(member);
  ASSERT_FALSE(untold);
  EXPECT_EQ(untold.error().reason, GapReason::kNotSupported);
  EXPECT_EQ(untold.error().detail, "eth2: no trust order (dcb apptrust), 1 DSCP entries in the APP table");
  member.dcb->trust_order = std::vector<uint8_t>{kAppDscp, kAppPcp};
  EXPECT_EQ(trust(member), "dscp");
  member.dcb->trust_order = std::vector<uint8_t>{kAppEthertype, kAppPcp, kAppDscp};
  EXPECT_EQ(trust(member), "pcp");
  member.dcb->trust_order = std::vector<uint8_t>{};
  EXPECT_EQ(trust(member), "none");
  member.dcb = gap(GapReason::kDenied, "dcb");
  EXPECT_EQ(trust(member).error().reason, GapReason::kDenied);
}

TEST(Rxe, HasNoTrustAndNoPfcOfItsOwn) {
  EXPECT_EQ(driver("rxe").facts.trust, nullptr);
  EXPECT_FALSE(driver("rxe").facts.supports_pfc);
  EXPECT_TRUE(driver("mlx5_core").facts.supports_pfc);
}

}  // namespace
}  // namespace rocert
