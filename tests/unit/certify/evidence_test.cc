#include "certify/evidence.h"

#include <gmock/gmock.h>
#include <openssl/sha.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/json.h"
#include "unit/certify/fake_worker.h"

namespace rocert {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class EvidenceTest : public testing::Test {
 protected:
  EvidenceTest() {
    std::string name = (std::filesystem::temp_directory_path() / "rocert-evidence-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~EvidenceTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) found.push_back(entry.path().filename());
    return found;
  }

  std::filesystem::path folder_;
};

std::string sha256_of(const std::string& text) {
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash);
  std::string hex;
  for (const unsigned char byte : hash) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", byte);
    hex += two;
  }
  return hex;
}

TEST_F(EvidenceTest, IsOnTheDiskLineByLine) {
  auto evidence = EvidenceFile::create(path("evidence.jsonl"), "0.1.0");
  ASSERT_TRUE(evidence) << to_text(evidence.error());
  EXPECT_EQ(text_of(path("evidence.jsonl")), "{\"schema\":\"rocert/evidence/1\",\"rocert_version\":\"0.1.0\"}\n");
  const Snapshot snapshot = sample_snapshot("n1");
  const Measurement measurement{.probe = "write_bw", .rail = "1", .figures = Figures{{"bits_per_second", 1}}};
  ASSERT_TRUE(evidence->add_snapshot("n1", snapshot));
  ASSERT_TRUE(evidence->add_lost("n2", {GapReason::kTimedOut, "no\nanswer"}));
  ASSERT_TRUE(evidence->add(measurement));
  std::istringstream lines(text_of(path("evidence.jsonl")));
  std::vector<Json> documents;
  for (std::string line; std::getline(lines, line);) documents.push_back(Json::parse(line));
  ASSERT_EQ(documents.size(), 4u);
  EXPECT_EQ(documents[1]["snapshot"]["sha256"], sha256_of(encode_snapshot(snapshot)));
  EXPECT_EQ(documents[2]["lost"]["detail"], "no\nanswer");
  EXPECT_EQ(decode_measurement(documents[3]["measurement"].dump()), measurement);
}

TEST_F(EvidenceTest, DigestIsThatOfTheFile) {
  auto evidence = EvidenceFile::create(path("evidence.jsonl"), "0.1.0");
  ASSERT_TRUE(evidence && evidence->add(Measurement{.probe = "send_lat"}));
  const auto digest = evidence->finish();
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, sha256_of(text_of(path("evidence.jsonl"))));
}

TEST_F(EvidenceTest, NamesThePathThatCannotBeWritten) {
  const auto evidence = EvidenceFile::create(path("no/such/evidence.jsonl"), "0.1.0");
  ASSERT_FALSE(evidence);
  EXPECT_EQ(evidence.error().kind, ErrorKind::kSystem);
  EXPECT_THAT(evidence.error().message, HasSubstr("no/such/evidence.jsonl: No such file or directory"));
}

TEST_F(EvidenceTest, WhatIsThereIsNotTouched) {
  std::ofstream(path("evidence.jsonl")) << "mine";
  const auto evidence = EvidenceFile::create(path("evidence.jsonl"), "0.1.0");
  ASSERT_FALSE(evidence);
  EXPECT_EQ(evidence.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(evidence.error().message, HasSubstr("evidence.jsonl exists"));
  EXPECT_EQ(text_of(path("evidence.jsonl")), "mine");

  std::filesystem::create_symlink("/dev/full", path("link.jsonl"));
  EXPECT_THAT(EvidenceFile::create(path("link.jsonl"), "0.1.0").error().message, HasSubstr("exists"));
}

TEST_F(EvidenceTest, AFileThatMayNotGrowIsAnError) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full{10, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const auto evidence = EvidenceFile::create(path("evidence.jsonl"), "0.1.0");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(evidence);
  EXPECT_THAT(evidence.error().message, HasSubstr("File too large"));
}

TEST_F(EvidenceTest, CertificateReplacesTheOldOneAsAWhole) {
  ASSERT_TRUE(write_certificate(path("certificate.json"), "old"));
  ASSERT_TRUE(write_certificate(path("certificate.json"), "new"));
  EXPECT_EQ(text_of(path("certificate.json")), "new");
  EXPECT_THAT(names(), testing::ElementsAre("certificate.json"));
}

TEST_F(EvidenceTest, AFailedCertificateLeavesNothing) {
  std::filesystem::create_directory(path("certificate.json"));
  EXPECT_FALSE(write_certificate(path("certificate.json"), "new"));
  EXPECT_THAT(names(), testing::ElementsAre("certificate.json"));
  EXPECT_FALSE(write_certificate(path("no/such/certificate.json"), "new"));
}

}  // namespace
}  // namespace rocert
