#include "certify/judge.h"

#include <gmock/gmock.h>

#include "certify/grade.h"
#include "certify/suspects.h"
#include "unit/certify/fake_worker.h"

namespace rocert {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kGigabit = 1e9;

// Hosts n1.. on one rail; every ordered pair has moved data at a gigabit and answered in 10 us.
struct Scene {
  explicit Scene(int hosts) {
    for (int i = 1; i <= hosts; ++i) fabric.hosts.push_back({.name = name(i), .snapshot = sample_snapshot(name(i))});
    for (int a = 1; a <= hosts; ++a) {
      for (int b = 1; b <= hosts; ++b) {
        if (a == b) continue;
        add("write_bw", a, b, {{"bits_per_second", kGigabit}});
        if (a < b) add("send_lat", a, b, {{"p50_ns", 10e3}, {"p99_ns", 12e3}});
      }
    }
  }
  static std::string name(int i) { return "n" + std::to_string(i); }
  static End end(int i) { return {.host = name(i), .netdev = "eth2", .speed = 1000}; }
  void add(const std::string& probe, int from, int to, const Figures& figures) {
    fabric.measurements.push_back(
        {.probe = probe, .rail = "1", .from = end(from), .to = end(to), .figures = figures, .data_intact = true});
  }
  Measurement& at(const std::string& probe, int from, int to) {
    for (Measurement& m : fabric.measurements) {
      if (m.probe == probe && m.from.host == name(from) && m.to.host == name(to)) return m;
    }
    throw std::logic_error("no such measurement");
  }
  // Every pair of the host at this rate.
  void slow(int host, double rate) {
    for (Measurement& m : fabric.measurements) {
      if (m.probe == "write_bw" && (m.from.host == name(host) || m.to.host == name(host)))
        m.figures = Figures{{"bits_per_second", rate}};
    }
  }
  void lose(int host, const Gap& why) {
    fabric.hosts[static_cast<size_t>(host - 1)].lost = why;
    for (Measurement& m : fabric.measurements) {
      if (m.from.host == name(host) || m.to.host == name(host)) m.figures = tl::unexpected(why);
    }
  }
  Certificate judged(const std::vector<Finding>& findings = {}) {
    fabric.suspects = find_suspects(fabric);
    return judge(fabric, findings);
  }
  Fabric fabric;
};

std::vector<Standing> standings(const Certificate& certificate) {
  std::vector<Standing> all;
  for (const HostVerdict& host : certificate.hosts) all.push_back(host.standing);
  return all;
}

constexpr Standing kCertified = Standing::kCertified;
constexpr Standing kExcluded = Standing::kExcluded;
constexpr Standing kUnknown = Standing::kUnknown;

TEST(Grades, AreSharesOfTheStrictestLimit) {
  Scene scene(2);
  Profile profile;
  profile.limits = {{"write_bw.at_least", int64_t{500'000'000}}, {"send_lat.p99", int64_t{24'000}}};
  scene.fabric.profile = &profile;
  const auto grades = grades_of(scene.fabric);
  EXPECT_DOUBLE_EQ(*grades[0], 1 / 0.8) << "of the median, which is stricter than half a gigabit";
  EXPECT_DOUBLE_EQ(*grades[1], 2.0);
}

TEST(Grades, DamageAndErrorsAreZeroAndUntriedIsNothing) {
  Scene scene(4);
  scene.at("write_bw", 1, 2).data_intact = false;
  scene.at("write_bw", 1, 3).figures = gap(GapReason::kTimedOut, "RETRY_EXC_ERR");
  scene.at("write_bw", 1, 4).figures = gap(GapReason::kNotAsked, "interrupted");
  scene.at("write_bw", 2, 3).figures = gap(GapReason::kNotSupported, "n3: no verbs");
  scene.at("write_bw", 2, 4).figures = gap(GapReason::kUnreadable, "n4: killed");
  scene.fabric.hosts[3].lost = Gap{GapReason::kUnreadable, "killed"};
  const auto grades = grades_of(scene.fabric);
  const auto grade = [&](int from, int to) {
    return grades[static_cast<size_t>(&scene.at("write_bw", from, to) - scene.fabric.measurements.data())];
  };
  EXPECT_EQ(grade(1, 2), 0.0);
  EXPECT_EQ(grade(1, 3), 0.0);
  EXPECT_EQ(grade(1, 4), std::nullopt);
  EXPECT_EQ(grade(2, 3), std::nullopt);
  EXPECT_EQ(grade(2, 4), std::nullopt);
}

TEST(Judge, CertifiesAGoodFabric) {
  Scene scene(4);
  const Certificate certificate = scene.judged();
  EXPECT_THAT(standings(certificate), Each(kCertified));
  for (const HostVerdict& host : certificate.hosts) EXPECT_THAT(host.reasons, IsEmpty());
  EXPECT_EQ(exit_code(certificate), 0);
}

TEST(Judge, ExcludesTheEndThatAllItsPairsAccuse) {
  Scene scene(4);
  scene.slow(3, 0.2 * kGigabit);
  const Certificate certificate = scene.judged();
  EXPECT_THAT(standings(certificate), ElementsAre(kCertified, kCertified, kExcluded, kCertified));
  ASSERT_EQ(certificate.hosts[2].suspects.size(), 1u);
  EXPECT_EQ(certificate.hosts[2].suspects[0].netdev, "eth2");
  EXPECT_THAT(
      certificate.hosts[2].reasons,
      ElementsAre("rail 1 (eth2): write_bw 200Mb/s at best, median 1Gb/s; below the limit in 6 of 6 (every pair)"));
  EXPECT_EQ(exit_code(certificate), 1);
}

TEST(Judge, TwoHostsAloneCannotBeToldApart) {
  Scene scene(2);
  scene.at("write_bw", 1, 2).figures = gap(GapReason::kTimedOut, "RETRY_EXC_ERR");
  const Certificate certificate = scene.judged();
  EXPECT_THAT(standings(certificate), Each(kUnknown));
  EXPECT_THAT(
      certificate.hosts[0].reasons,
      ElementsAre("rail 1 (eth2): the evidence cannot tell which end: write_bw n1 to n2: timed out: RETRY_EXC_ERR"));
  EXPECT_EQ(exit_code(certificate), 3);
}

TEST(Judge, LostHostsAreUnknownAndAccuseNobody) {
  Scene scene(4);
  scene.lose(2, {GapReason::kUnreadable, "lab ended by signal 9 (Killed)"});
  scene.at("write_bw", 1, 2).errors = {"n1 mlx5_0 (active): RETRY_EXC_ERR"};
  const Finding finding{
      .code = "every-planned-pair-was-measured", .subject = {"n1", "eth2", "n2/eth2"}, .verdict = Verdict::kFail};
  const Certificate certificate = scene.judged({finding});
  EXPECT_THAT(standings(certificate), ElementsAre(kCertified, kUnknown, kCertified, kCertified));
  EXPECT_THAT(certificate.hosts[1].reasons, ElementsAre("lab ended by signal 9 (Killed)"));
  EXPECT_EQ(exit_code(certificate), 3);
  EXPECT_EQ(certificate.findings.size(), 1u);
}

TEST(Judge, UnreachableHostSaysWhy) {
  Scene scene(3);
  scene.fabric.hosts.push_back({.name = "n9",
                                .snapshot = gap(GapReason::kUnreadable, "ssh exited with 255: refused"),
                                .lost = Gap{GapReason::kUnreadable, "ssh exited with 255: refused"}});
  const Certificate certificate = scene.judged();
  EXPECT_EQ(certificate.hosts[3].standing, kUnknown);
  EXPECT_THAT(certificate.hosts[3].reasons, ElementsAre("ssh exited with 255: refused"));
}

TEST(Judge, AFailedAuditExcludesAndExplainsThePairs) {
  Scene scene(3);
  scene.fabric.hosts[0].audit.findings = {
      {.code = "dcb.pfc", .subject = {"n1", "eth2", ""}, .verdict = Verdict::kFail, .seen = "0", .wanted = "3"}};
  scene.at("write_bw", 1, 2).figures = Figures{{"bits_per_second", 0.1 * kGigabit}};
  const Certificate certificate = scene.judged();
  EXPECT_THAT(standings(certificate), ElementsAre(kExcluded, kCertified, kCertified));
  EXPECT_THAT(certificate.hosts[0].reasons, ElementsAre("audit: dcb.pfc eth2: seen 0, wanted 3"));
}

TEST(Judge, WarningsAndWaivedFailuresExcludeNobody) {
  Scene scene(3);
  scene.fabric.hosts[0].audit.findings = {{.code = "a", .verdict = Verdict::kFail, .severity = Severity::kWarn},
                                          {.code = "b", .verdict = Verdict::kFail, .waived = "until 2027"}};
  EXPECT_EQ(scene.judged().hosts[0].standing, kCertified);
  EXPECT_EQ(judge(scene.fabric, {}, {.fail_on = Severity::kWarn}).hosts[0].standing, kExcluded);
}

TEST(Judge, WhatMustBeKnownAndIsNotMakesAHostUnknown) {
  Scene scene(3);
  scene.fabric.hosts[0].audit.findings = {{.code = "dcb.pfc",
                                           .subject = {"n1", "eth2", ""},
                                           .verdict = Verdict::kUnknown,
                                           .says = "denied",
                                           .must_know = true}};
  const Certificate certificate = scene.judged();
  EXPECT_EQ(certificate.hosts[0].standing, kUnknown);
  EXPECT_THAT(certificate.hosts[0].reasons, ElementsAre("audit: dcb.pfc eth2: denied"));
}

TEST(Judge, APortThatWasNotMeasuredIsNotCertified) {
  Scene scene(3);
  scene.fabric.left_out = {{"n1", "eth3", "2", "no routable RoCE v2 GID"}};
  scene.fabric.hosts.push_back({.name = "n4", .snapshot = sample_snapshot("n4")});
  scene.add("write_bw", 2, 5, {});
  scene.fabric.measurements.back().figures = gap(GapReason::kNotAsked, "interrupted");
  scene.fabric.hosts.push_back({.name = "n5", .snapshot = sample_snapshot("n5")});
  const Certificate certificate = scene.judged();
  EXPECT_THAT(standings(certificate), ElementsAre(kUnknown, kCertified, kCertified, kUnknown, kUnknown));
  EXPECT_THAT(certificate.hosts[0].reasons, ElementsAre("rail 2 (eth3) was not measured: no routable RoCE v2 GID"));
  EXPECT_THAT(certificate.hosts[3].reasons, ElementsAre("none of its ports was measured"));
  EXPECT_THAT(certificate.hosts[4].reasons, ElementsAre("rail 1 (eth2): no good measurement: not asked: interrupted"));
}

TEST(Judge, AFabricCheckOfOnePortIsCertainAndOfAPairIsNot) {
  Scene scene(3);
  const Finding of_port{.code = "hosts-agree-on-mtu",
                        .subject = {"n1", "eth2", "rail 198.18.1.0/24"},
                        .verdict = Verdict::kFail,
                        .seen = "1024",
                        .wanted = "4096"};
  const Finding of_pair{.code = "write-bandwidth-meets-limits",
                        .subject = {"n2", "eth2", "n3/eth2"},
                        .verdict = Verdict::kFail,
                        .seen = "1M",
                        .wanted = "1G"};
  const Certificate certificate = scene.judged({of_port, of_pair, {.code = "passes"}});
  EXPECT_THAT(standings(certificate), ElementsAre(kExcluded, kUnknown, kUnknown));
  EXPECT_THAT(certificate.hosts[0].reasons, ElementsAre("hosts-agree-on-mtu eth2: seen 1024, wanted 4096"));
  EXPECT_THAT(certificate.hosts[2].reasons,
              ElementsAre("write-bandwidth-meets-limits eth2 with n3/eth2: seen 1M, wanted 1G"));
  EXPECT_EQ(certificate.findings.size(), 2u);
}

TEST(FindSuspects, LatencyAccusesToo) {
  Scene scene(4);
  Profile profile;
  profile.limits = {{"send_lat.p99", int64_t{20'000}}};
  scene.fabric.profile = &profile;
  for (const int other : {1, 2}) scene.at("send_lat", other, 3).figures = Figures{{"p50_ns", 9e4}, {"p99_ns", 9e4}};
  scene.at("send_lat", 3, 4).figures = Figures{{"p50_ns", 8e4}, {"p99_ns", 9e4}};
  const auto suspects = find_suspects(scene.fabric);
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_EQ(suspects[0].host, "n3");
  EXPECT_THAT(suspects[0].says, HasSubstr("send_lat 80us at best, median"));
}

TEST(FindSuspects, KeepsTheErrorsAsEvidence) {
  Scene scene(4);
  for (Measurement& m : scene.fabric.measurements) {
    if (m.from.host != "n3" && m.to.host != "n3") continue;
    m.figures = gap(GapReason::kTimedOut, "no acknowledgement");
    m.errors = {"RETRY_EXC_ERR"};
  }
  const auto suspects = find_suspects(scene.fabric);
  ASSERT_EQ(suspects.size(), 1u) << "both probes accuse it, as one suspect";
  EXPECT_THAT(suspects[0].says, HasSubstr("write_bw no result, median 1Gb/s"));
  EXPECT_THAT(suspects[0].evidence, testing::Contains("RETRY_EXC_ERR"));
}

}  // namespace
}  // namespace rocert
