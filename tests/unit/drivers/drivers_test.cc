// What holds for every driver file.
#include <set>

#include "support/known_drivers.h"

namespace rocert {
namespace {

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

}  // namespace
}  // namespace rocert
