#include "model/certificate.h"

#include <gmock/gmock.h>

namespace rocert {
namespace {

using testing::HasSubstr;

Certificate sample() {
  return {.rocert_version = "0.1.0",
          .profile = "soft-roce",
          .profile_digest = "ab",
          .started_at = "2026-11-30T22:55:13Z",
          .finished_at = "2026-11-30T22:56:13Z",
          .pairs_planned = 12,
          .pairs_measured = 11,
          .hosts = {{.host = "n1", .standing = Standing::kCertified},
                    {.host = "n2",
                     .standing = Standing::kExcluded,
                     .reasons = {"rail 1 (ens2np0): slow"},
                     .suspects = {{.host = "n2", .netdev = "ens2np0", .rail = "1", .says = "slow"}}}},
          .findings = {{.code = "write-bandwidth-reaches-its-floor", .verdict = Verdict::kFail}},
          .evidence_file = "evidence.jsonl",
          .evidence_sha256 = "cd"};
}

TEST(Certificate, SurvivesItsDocument) {
  const std::string text = encode_certificate(sample());
  EXPECT_EQ(text.substr(0, 38), "{\n  \"schema\": \"rocert/certificate/1\",\n");
  EXPECT_EQ(decode_certificate(text), sample());
}

TEST(Certificate, RefusesAnotherMajorWithBothNamed) {
  std::string text = encode_certificate(sample());
  text.replace(text.find("certificate/1"), 13, "certificate/2");
  const auto refused = decode_certificate(text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kMalformed);
  EXPECT_THAT(refused.error().message, HasSubstr("seen rocert/certificate/2, wanted rocert/certificate/1"));
}

TEST(Certificate, RefusesWhatIsNoCertificate) {
  for (const char* text : {"", "[]", "{}", R"({"schema": 1})", R"({"schema": "rocert/certificate/1"})"})
    EXPECT_FALSE(decode_certificate(text)) << text;
  std::string standing = encode_certificate(sample());
  standing.replace(standing.find("\"certified\""), 11, "\"fine\"");
  EXPECT_THAT(decode_certificate(standing).error().message, HasSubstr("hosts[0].standing"));
}

}  // namespace
}  // namespace rocert
