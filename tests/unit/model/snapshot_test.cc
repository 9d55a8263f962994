#include "model/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model/json.h"

namespace rocert {
namespace {

using testing::HasSubstr;

// Fills any described value at random, extremes first: what a new field holds is in the round trip from its first day.
class Filler {
 public:
  explicit Filler(uint32_t seed) : random_(seed) {}

  template <class T>
  T make() {
    using namespace detail;
    if constexpr (std::is_same_v<T, IpAddress>) {
      return address();
    } else if constexpr (std::is_same_v<T, Prefix>) {
      const IpAddress base = address();
      return {base, static_cast<uint8_t>(below(address_bits(base.family) + 1u))};
    } else if constexpr (Worded<T>) {
      return Words<T>::values[below(Words<T>::values.size())].first;
    } else if constexpr (is_observed<T>) {
      if (below(3) == 0) return gap(make<GapReason>(), make<std::string>());
      return make<typename T::value_type>();
    } else if constexpr (is_a<T, std::optional>) {
      return below(2) == 0 ? T{} : T{make<typename T::value_type>()};
    } else if constexpr (is_a<T, std::vector>) {
      T items(below(3));
      for (auto& item : items) item = make<typename T::value_type>();
      return items;
    } else if constexpr (is_array<T>) {
      T items;
      for (auto& item : items) item = make<typename T::value_type>();
      return items;
    } else if constexpr (is_a<T, std::map>) {
      T items;
      for (size_t i = below(4); i > 0; --i) items.emplace(make<std::string>(), make<typename T::mapped_type>());
      return items;
    } else if constexpr (is_a<T, std::pair>) {
      return {make<typename T::first_type>(), make<typename T::second_type>()};
    } else if constexpr (Described<T>) {
      T value;
      for_each_field(value,
                     [&](const char*, auto& member) { member = make<std::remove_reference_t<decltype(member)>>(); });
      return value;
    } else if constexpr (std::is_same_v<T, bool>) {
      return below(2) == 1;
    } else if constexpr (std::is_same_v<T, std::string>) {
      static const std::vector<std::string> texts{"",
                                                  "eth0",
                                                  "gap",
                                                  "a b\tc",
                                                  "\"quoted\\\"",
                                                  "line\nend",
                                                  "\x01\x7f",
                                                  "Gr\xc3\xbc\xc3\x9f",
                                                  "\xf0\x9f\x90\x98",
                                                  "../x"};
      return texts[below(texts.size())];
    } else {
      static_assert(std::is_integral_v<T>);
      using Limits = std::numeric_limits<T>;
      const std::array<T, 5> values{Limits::min(), Limits::max(), 0, 1, static_cast<T>(random_())};
      return values[below(values.size())];
    }
  }

 private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  IpAddress address() {
    IpAddress made{make<Family>(), {}};
    for (size_t i = 0; i < (made.family == Family::kIpv4 ? 4u : 16u); ++i) made.bytes[i] = make<uint8_t>();
    return made;
  }

  std::mt19937 random_;
};

TEST(Snapshot, RoundTripsWhateverItHolds) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const auto snapshot = Filler(seed).make<Snapshot>();
    const auto back = decode_snapshot(encode_snapshot(snapshot));
    ASSERT_TRUE(back) << seed << ": " << to_text(back.error());
    ASSERT_EQ(*back, snapshot) << seed;
  }
}

TEST(Snapshot, RoundTripsEveryGapReason) {
  for (const auto& [reason, word] : Words<GapReason>::values) {
    Snapshot snapshot;
    snapshot.links = gap(reason, "detail with \"quotes\"");
    const std::string text = encode_snapshot(snapshot);
    EXPECT_THAT(text, HasSubstr("\"gap\": \"" + std::string(word) + "\""));
    const auto back = decode_snapshot(text);
    ASSERT_TRUE(back) << to_text(back.error());
    EXPECT_EQ(*back, snapshot);
  }
}

TEST(Snapshot, EncodingIsStableAndStartsWithItsSchema) {
  const auto snapshot = Filler(7).make<Snapshot>();
  const std::string text = encode_snapshot(snapshot);
  EXPECT_TRUE(text.starts_with("{\n \"schema\": \"rocert/snapshot/1\",\n \"host\": {"));
  EXPECT_EQ(encode_snapshot(*decode_snapshot(text)), text);
}

TEST(Snapshot, BytesThatAreNotUtf8DoNotThrow) {
  Snapshot snapshot;
  snapshot.host.name = "n\xff";
  EXPECT_TRUE(decode_snapshot(encode_snapshot(snapshot)));
}

Json document_of(const Snapshot& snapshot) { return *parse_json(encode_snapshot(snapshot), "test"); }

TEST(Snapshot, FactThatAnOlderWriterLackedIsNotRecorded) {
  Json document = document_of(Filler(1).make<Snapshot>());
  document.erase("rdma_system");
  const auto back = decode_snapshot(document.dump());
  ASSERT_TRUE(back) << to_text(back.error());
  ASSERT_FALSE(back->rdma_system);
  EXPECT_EQ(back->rdma_system.error().reason, GapReason::kNotRecorded);
}

std::string error_of(const std::string& text) {
  const auto result = decode_snapshot(text);
  return result ? "no error" : to_text(result.error());
}

TEST(Snapshot, RefusesWhatItDoesNotKnow) {
  const Json good = document_of({});
  const auto with = [&](const char* key, Json value) {
    Json changed = good;
    changed[key] = std::move(value);
    return error_of(changed.dump());
  };
  EXPECT_EQ(with("schema", "rocert/snapshot/2"), "snapshot: schema: seen rocert/snapshot/2, wanted rocert/snapshot/1");
  EXPECT_THAT(with("schema", "rocert/profile/1"), HasSubstr("seen rocert/profile/1"));
  EXPECT_THAT(with("schema", 1), HasSubstr("wanted rocert/snapshot/1"));
  EXPECT_THAT(with("surprise", 1), HasSubstr("surprise: unknown key"));
  EXPECT_THAT(with("taken_at", 5), HasSubstr("taken_at: seen 5, wanted text"));
  EXPECT_THAT(with("links", Json{{"gap", "gone fishing"}, {"detail", ""}}), HasSubstr("links.gap"));
  EXPECT_THAT(with("ports", Json::array({Json::object()})), HasSubstr("ports[0]."));
  EXPECT_THAT(error_of("[]"), HasSubstr("wanted rocert/snapshot/1"));
  EXPECT_THAT(error_of("{\n\"schema\": \"rocert/snapshot/1\",\n}"), HasSubstr("snapshot:3"));
  EXPECT_THAT(error_of(""), HasSubstr("snapshot"));
}

TEST(Snapshot, TallyCountsEveryObserved) {
  const Tally empty = tally({});
  EXPECT_EQ(empty.facts, 0u);
  EXPECT_EQ(empty.gaps, 7u + 4u) << "seven of the host's own and four of its identity";

  Snapshot snapshot;
  snapshot.links = std::vector<Link>{};
  snapshot.facts["a"] = "1";
  snapshot.facts["b"] = gap(GapReason::kDenied, "");
  snapshot.ports.resize(1);
  snapshot.ports[0].members.resize(2);
  snapshot.ports[0].members[1].dcb = Dcb{};
  const Tally some = tally(snapshot);
  EXPECT_EQ(some.facts, 3u);
  EXPECT_EQ(some.gaps, empty.gaps - 1 + 1 + 3 + 9 + 8);
}

TEST(Snapshot, FindsFactsAndPorts) {
  Snapshot snapshot;
  snapshot.facts["sysctl.all.arp_ignore"] = "1";
  EXPECT_EQ(find_fact(snapshot.facts, "sysctl.all.arp_ignore"), "1");
  const auto missing = find_fact(snapshot.facts, "sysctl.all.rp_filter");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), (Gap{GapReason::kNotAsked, "sysctl.all.rp_filter"}));

  snapshot.ports.resize(2);
  snapshot.ports[0].link.name = "eth0";
  snapshot.ports[0].rdma.device = "eth1";  // a device may bear any name
  snapshot.ports[1].link.name = "eth1";
  snapshot.ports[1].rdma.device = "rocep1s0";
  EXPECT_EQ(find_port(snapshot, "eth1"), &snapshot.ports[1]);
  EXPECT_EQ(find_port(snapshot, "rocep1s0"), &snapshot.ports[1]);
  EXPECT_EQ(find_port(snapshot, "eth2"), nullptr);
}

}  // namespace
}  // namespace rocert
