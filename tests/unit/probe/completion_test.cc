#include "probe/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ibv_wc completion(ibv_wc_status status, uint32_t vendor = 0) {
  ibv_wc wc{};
  wc.status = status;
  wc.vendor_err = vendor;
  return wc;
}

TEST(Failures, SuccessIsNone) {
  Failures failures;
  failures.add(completion(IBV_WC_SUCCESS));
  EXPECT_FALSE(failures.any());
  EXPECT_THAT(failures.to_lines(), IsEmpty());
}

TEST(Failures, FlushedOnesAreCountedBehindTheirCause) {
  Failures failures;
  failures.add(completion(IBV_WC_RETRY_EXC_ERR, 0x81));
  failures.add(completion(IBV_WC_WR_FLUSH_ERR));
  failures.add(completion(IBV_WC_WR_FLUSH_ERR));
  ASSERT_EQ(failures.to_lines().size(), 1u);
  EXPECT_THAT(failures.to_lines()[0],
              HasSubstr("RETRY_EXC_ERR (12, vendor error 0x81), 1 message: no acknowledgement"));
  EXPECT_THAT(failures.to_lines()[0], HasSubstr("; 2 more were flushed"));
  EXPECT_EQ(failures.to_gap().reason, GapReason::kTimedOut);
}

TEST(Failures, FlushedOnesAloneStandForThemselves) {
  Failures failures;
  failures.add(completion(IBV_WC_WR_FLUSH_ERR));
  EXPECT_THAT(failures.to_lines(), ElementsAre(HasSubstr("WR_FLUSH_ERR (5), 1 message")));
  EXPECT_EQ(failures.to_gap().reason, GapReason::kUnreadable);
}

TEST(Failures, ALineAStatus) {
  Failures failures;
  failures.add(completion(IBV_WC_REM_ACCESS_ERR));
  failures.add(completion(IBV_WC_REM_ACCESS_ERR));
  failures.add(completion(IBV_WC_LOC_PROT_ERR));
  EXPECT_THAT(failures.to_lines(),
              ElementsAre(HasSubstr("LOC_PROT_ERR (4), 1 message:"), HasSubstr("REM_ACCESS_ERR (10), 2 messages:")));
}

// Every status of a reliable connection has a name and a meaning of its own.
TEST(MeaningOf, EveryStatusIsToldApart) {
  std::set<std::string_view> names;
  std::set<std::string_view> meanings;
  const std::vector statuses{IBV_WC_SUCCESS,           IBV_WC_LOC_LEN_ERR,   IBV_WC_LOC_QP_OP_ERR,
                             IBV_WC_LOC_PROT_ERR,      IBV_WC_WR_FLUSH_ERR,  IBV_WC_REM_INV_REQ_ERR,
                             IBV_WC_REM_ACCESS_ERR,    IBV_WC_REM_OP_ERR,    IBV_WC_RETRY_EXC_ERR,
                             IBV_WC_RNR_RETRY_EXC_ERR, IBV_WC_REM_ABORT_ERR, IBV_WC_FATAL_ERR,
                             IBV_WC_RESP_TIMEOUT_ERR,  IBV_WC_GENERAL_ERR};
  for (const ibv_wc_status status : statuses) {
    names.insert(meaning_of(status).name);
    meanings.insert(meaning_of(status).says);
  }
  EXPECT_EQ(names.size(), statuses.size());
  EXPECT_EQ(meanings.size(), statuses.size());
}

}  // namespace
}  // namespace rocert
