#include "certify/messages.h"

#include <gmock/gmock.h>

#include "unit/certify/fake_worker.h"

namespace rocert {
namespace {

using testing::HasSubstr;

TEST(Messages, ToAWorkerSurvive) {
  const ProbeOrder order{
      .probe = "write_bw", .side = Side::kPassive, .self = {.host = "n1", .netdev = "eth2"}, .traffic_class = 106};
  const Endpoint endpoint{.qp_number = 17, .gid = {1, 2}, .address = ~uint64_t{0}, .key = 5};
  const std::vector<ToWorker> messages{SurveyOrder{},         HalfOrder{7, order},         PeerEndpoint{7, endpoint},
                                       StepMet{7, "written"}, CancelHalf{7, "n2 is gone"}, Bye{}};
  for (const ToWorker& message : messages) EXPECT_EQ(decode_to_worker(encode(message)), message) << encode(message);
}

TEST(Messages, FromAWorkerSurvive) {
  HalfResult result{.figures = Figures{{"bits_per_second", 1e9}}, .data_intact = true, .mtu = 4096};
  result.counters = {.moved = {{"rdma.sent_pkts", 12}}, .missing = {"denied: statistics of ens1np0"}};
  const std::vector<FromWorker> messages{Welcome{"0.1.0", "n1"},
                                         Surveyed{sample_snapshot("n1")},
                                         OwnEndpoint{8, {.qp_number = 1}},
                                         StepReached{8, "ready"},
                                         HalfDone{8, result},
                                         HalfFailed{8, GapReason::kTimedOut, "waited in vain"}};
  for (const FromWorker& message : messages) EXPECT_EQ(decode_from_worker(encode(message)), message) << encode(message);
}

TEST(Messages, AreOneDocumentWithATypeWord) {
  EXPECT_EQ(encode(ToWorker(StepMet{7, "written"})), R"({"type":"step","id":7,"step":"written"})");
  EXPECT_EQ(encode(ToWorker(Bye{})), R"({"type":"bye"})");
}

TEST(Messages, RefuseWhatTheyDoNotKnow) {
  const auto says = [](const char* text) {
    const auto decoded = decode_from_worker(text);
    return decoded ? "decoded" : to_text(decoded.error());
  };
  EXPECT_THAT(says("{\"type\": \"song\"}"), HasSubstr("type: seen \"song\", which this version does not know"));
  EXPECT_THAT(says("{\"type\": \"survey\"}"), HasSubstr("does not know")) << "a message of the other direction";
  EXPECT_THAT(says("{\"id\": 7}"), HasSubstr("type: missing"));
  EXPECT_THAT(says("{\"type\": 7}"), HasSubstr("type: missing"));
  EXPECT_THAT(says("[]"), HasSubstr("type: missing"));
  EXPECT_THAT(says("{\"type\": \"reached\", \"id\": -1, \"step\": \"x\"}"), HasSubstr("message reached: id: seen -1"));
  EXPECT_THAT(says("{\"type\": \"reached\", \"id\": 1}"), HasSubstr("step: missing"));
  EXPECT_THAT(says("{\"type\": \"reached\", \"id\": 1, \"step\": \"x\", \"y\": 1}"), HasSubstr("y: unknown key"));
  EXPECT_NE(says(""), "decoded");
  EXPECT_NE(says("\xff\xfe"), "decoded");
}

}  // namespace
}  // namespace rocert
