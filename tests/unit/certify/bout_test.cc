#include "certify/bout.h"

#include <gmock/gmock.h>

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Side kActive = Side::kActive;
constexpr Side kPassive = Side::kPassive;

Bout make_bout() {
  Measurement planned{
      .probe = "write_bw", .rail = "r", .from = {.host = "n1"}, .to = {.host = "n2"}, .traffic_class_byte = 106};
  return Bout(planned, {.size = 4096}, 10);
}

HalfDone done(uint64_t id, double rate, bool intact = true) {
  HalfResult result{.figures = Figures{{"bits_per_second", rate}}, .data_intact = intact, .mtu = 4096};
  result.counters.moved = {{"c", static_cast<int64_t>(id)}};
  return {id, result};
}

void hear(Bout& bout, Side side, const FromWorker& message) { ASSERT_TRUE(bout.hear(side, message)); }

// The one message that was said, to whom.
std::pair<Side, ToWorker> only(const Bout::Answers& answers) {
  EXPECT_EQ(answers.size(), 1u);
  if (answers.empty()) return {kActive, Bye{}};
  return {answers[0].to, answers[0].message};
}

TEST(Bout, OrdersBothHalves) {
  const auto answers = make_bout().begin();
  ASSERT_EQ(answers.size(), 2u);
  const auto& passive = std::get<HalfOrder>(answers[0].message);
  const auto& active = std::get<HalfOrder>(answers[1].message);
  EXPECT_EQ(passive.id, 11u);
  EXPECT_EQ(passive.order.side, kPassive);
  EXPECT_EQ(passive.order.self.host, "n2");
  EXPECT_EQ(active.id, 10u);
  EXPECT_EQ(active.order.self.host, "n1");
  EXPECT_EQ(active.order.probe, "write_bw");
  EXPECT_EQ(active.order.traffic_class, 106u);
  EXPECT_EQ(active.order.size, 4096u);
}

TEST(Bout, RelaysAndMerges) {
  Bout bout = make_bout();
  EXPECT_THAT(*bout.hear(kActive, OwnEndpoint{10, {.qp_number = 1}}), IsEmpty());
  const auto met = bout.hear(kPassive, OwnEndpoint{11, {.qp_number = 2}});
  ASSERT_TRUE(met && met->size() == 2);
  EXPECT_EQ((*met)[0].to, kActive);
  EXPECT_EQ((*met)[0].message, ToWorker(PeerEndpoint{10, {.qp_number = 2}}));
  EXPECT_EQ((*met)[1].message, ToWorker(PeerEndpoint{11, {.qp_number = 1}}));
  EXPECT_THAT(*bout.hear(kPassive, StepReached{11, "ready"}), IsEmpty());
  EXPECT_EQ(bout.hear(kActive, StepReached{10, "ready"})->size(), 2u);
  EXPECT_THAT(*bout.hear(kActive, done(10, 3e9)), IsEmpty());
  EXPECT_FALSE(bout.over());
  EXPECT_THAT(*bout.hear(kPassive, done(11, 0)), IsEmpty());
  ASSERT_TRUE(bout.over());
  const Measurement m = bout.measurement();
  EXPECT_EQ(m.figures->at("bits_per_second"), 3e9);
  EXPECT_TRUE(m.data_intact);
  EXPECT_EQ(m.mtu, 4096u);
  EXPECT_EQ(m.from_counters.moved.at("c"), 10);
  EXPECT_EQ(m.to_counters.moved.at("c"), 11);
  EXPECT_THAT(m.errors, IsEmpty());
}

TEST(Bout, DamageAtEitherEndIsDamage) {
  for (const bool at_active : {true, false}) {
    Bout bout = make_bout();
    hear(bout, kActive, done(10, 1, !at_active));
    hear(bout, kPassive, done(11, 1, at_active));
    EXPECT_FALSE(bout.measurement().data_intact);
  }
}

TEST(Bout, LosingAnEndTellsTheOtherAndLeavesAGap) {
  Bout bout = make_bout();
  hear(bout, kActive, OwnEndpoint{10, {}});
  const auto [to, message] = only(bout.lose(kPassive, {GapReason::kUnreadable, "ssh exited with 255"}));
  EXPECT_EQ(to, kActive);
  EXPECT_EQ(message, ToWorker(CancelHalf{10, "n2: ssh exited with 255"}));
  hear(bout, kActive, HalfFailed{10, GapReason::kUnreadable, "n2: ssh exited with 255"});
  ASSERT_TRUE(bout.over());
  const Measurement m = bout.measurement();
  EXPECT_EQ(m.figures.error(), (Gap{GapReason::kUnreadable, "n2: ssh exited with 255"}));
  EXPECT_FALSE(m.data_intact);
  EXPECT_THAT(m.errors, IsEmpty()) << "the fabric has said nothing";
}

TEST(Bout, FiguresOfOneEndAloneDoNotCount) {
  Bout bout = make_bout();
  hear(bout, kActive, done(10, 3e9));
  bout.lose(kPassive, {GapReason::kTimedOut, "no answer"});
  EXPECT_EQ(bout.measurement().figures.error(), (Gap{GapReason::kTimedOut, "n2: no answer"}));
}

TEST(Bout, AnEndThatCannotStartIsNotTriedAndNamed) {
  Bout bout = make_bout();
  hear(bout, kActive, OwnEndpoint{10, {}});
  const auto answers = bout.hear(kPassive, HalfFailed{11, GapReason::kUnreadable, "libibverbs.so.1: not found"});
  EXPECT_EQ(only(*answers).first, kActive);
  hear(bout, kActive, HalfFailed{10, GapReason::kUnreadable, "cancelled"});
  EXPECT_EQ(bout.measurement().figures.error(), (Gap{GapReason::kNotSupported, "n2: libibverbs.so.1: not found"}));
  EXPECT_THAT(bout.measurement().errors, IsEmpty());
}

TEST(Bout, AnEndThatFailsAfterTheMeetingIsAnErrorOfThePair) {
  Bout bout = make_bout();
  hear(bout, kActive, OwnEndpoint{10, {}});
  hear(bout, kPassive, OwnEndpoint{11, {}});
  hear(bout, kActive, HalfFailed{10, GapReason::kUnreadable, "modify_qp: no route"});
  hear(bout, kPassive, HalfFailed{11, GapReason::kUnreadable, "cancelled"});
  EXPECT_EQ(bout.measurement().figures.error(), (Gap{GapReason::kUnreadable, "n1: modify_qp: no route"}));
  EXPECT_THAT(bout.measurement().errors, ElementsAre("n1: modify_qp: no route"));
}

TEST(Bout, NobodyWaitsForAnEndThatHasEnded) {
  Bout waits_first = make_bout();
  hear(waits_first, kPassive, OwnEndpoint{11, {}});
  hear(waits_first, kActive, OwnEndpoint{10, {}});
  hear(waits_first, kPassive, StepReached{11, "written"});
  EXPECT_TRUE(std::holds_alternative<CancelHalf>(only(*waits_first.hear(kActive, done(10, 1))).second));

  Bout ends_first = make_bout();
  hear(ends_first, kActive, done(10, 1));
  EXPECT_TRUE(std::holds_alternative<CancelHalf>(only(*ends_first.hear(kPassive, OwnEndpoint{11, {}})).second));
  EXPECT_TRUE(std::holds_alternative<CancelHalf>(only(*ends_first.hear(kPassive, StepReached{11, "x"})).second));
}

TEST(Bout, RefusesWhatHasNoPlace) {
  Bout bout = make_bout();
  hear(bout, kActive, OwnEndpoint{10, {}});
  EXPECT_FALSE(bout.hear(kActive, OwnEndpoint{10, {}}));
  hear(bout, kActive, StepReached{10, "x"});
  EXPECT_FALSE(bout.hear(kActive, StepReached{10, "x"}));
  EXPECT_FALSE(bout.hear(kActive, Welcome{}));
  hear(bout, kActive, done(10, 1));
  EXPECT_FALSE(bout.hear(kActive, done(10, 1)));
  for (int i = 0; i < 64; ++i) hear(bout, kPassive, StepReached{11, std::to_string(i)});
  EXPECT_FALSE(bout.hear(kPassive, StepReached{11, "one too many"}));
}

}  // namespace
}  // namespace rocert
