#include "model/driver_facts.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

constexpr CounterFact kNicCounters[] = {
    {"rx_prio?_discards", CounterMeaning::kLoss, "first"},
    {"rx_*", CounterMeaning::kActivity, "second"},
    {"RNR sent", CounterMeaning::kReceiverNotReady, "with a space"},
};
constexpr DriverFacts kNic{.module = "nic", .rdma_module = "nic_rdma", .counters = kNicCounters};
constexpr CounterFact kGenericCounters[] = {{"*drop*", CounterMeaning::kLoss, "any"}};
constexpr DriverFacts kGeneric{.module = "generic", .counters = kGenericCounters};
constexpr const DriverFacts* kAll[] = {&kGeneric, &kNic};

TEST(DriverTable, FindsByEitherModuleElseGeneric) {
  const DriverTable table(kAll);
  EXPECT_EQ(&table.find("nic"), &kNic);
  EXPECT_EQ(&table.find("nic_rdma"), &kNic);
  EXPECT_EQ(&table.find("unheard_of"), &kGeneric);
  EXPECT_EQ(&table.find(""), &kGeneric) << "an empty module is nobody's";
}

TEST(DriverTable, WithoutGenericNothingIsKnown) {
  const DriverTable table({});
  EXPECT_EQ(table.find("nic").module, "generic");
  EXPECT_TRUE(table.find("nic").counters.empty());
  EXPECT_EQ(table.find("nic").trust, nullptr);
  EXPECT_FALSE(table.find("nic").supports_pfc);
}

TEST(DriverTable, FirstPatternThatMatchesSaysWhatACounterMeans) {
  const DriverTable table(kAll);
  EXPECT_EQ(table.find_counter("nic", "rx_prio3_discards"), &kNicCounters[0]);
  EXPECT_EQ(table.find_counter("nic", "rx_packets"), &kNicCounters[1]);
  EXPECT_EQ(table.find_counter("nic", "rnr SENT"), &kNicCounters[2]);
  EXPECT_EQ(table.find_counter("nic", "tx_dropped"), nullptr) << "generic words do not speak for a known driver";
  EXPECT_EQ(table.find_counter("unheard_of", "tx_dropped"), &kGenericCounters[0]);
}

}  // namespace
}  // namespace rocert
