#include "certify/coordinator.h"

#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "certify/judge.h"
#include "unit/certify/fake_worker.h"

namespace rocert {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

// Limits that a busy machine keeps; tests in which one runs out shorten it.
CertifyOptions options_for(int hosts, const std::string& script) {
  CertifyOptions options;
  options.inventory.launch = {.kind = LauncherKind::kLab,
                              .program = std::filesystem::read_symlink("/proc/self/exe"),
                              .rocert = script.empty() ? "all:good" : script};
  for (int i = 1; i <= hosts; ++i) options.inventory.hosts.push_back("n" + std::to_string(i));
  options.start_limit = 200s;
  options.survey_limit = 200s;
  for (PairProbe& probe : options.rounds.probes) probe.order.deadline_ns = 100'000'000'000;
  return options;
}

void shorten_probes(CertifyOptions& options) {
  for (PairProbe& probe : options.rounds.probes) probe.order.deadline_ns = 2'000'000'000;
  options.rounds.slack = 2s;
}

void expect_no_children() {
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  EXPECT_EQ(errno, ECHILD);
}

std::map<std::string, HostVerdict> verdicts(const CertifyRun& run) {
  std::map<std::string, HostVerdict> by_host;
  for (const HostVerdict& host : judge(run.fabric, {}).hosts) by_host[host.host] = host;
  return by_host;
}

std::string standings(const CertifyRun& run) {
  std::string text;
  for (const HostVerdict& host : judge(run.fabric, {}).hosts)
    text += (text.empty() ? "" : " ") + host.host + ":" + std::string(word_of(host.standing));
  return text;
}

TEST(Certify, MeasuresEveryPairOfFourGoodHosts) {
  CertifyOptions options = options_for(4, "");
  std::vector<std::string> steps;
  size_t pairs_ended = 0;
  options.audit = [](const Snapshot& snapshot, const std::string& host) {
    return Audit{.host = host, .ports = snapshot.ports.size()};
  };
  options.progress = [&](const Progress& progress) {
    if (const auto* ready = std::get_if<LineupReady>(&progress)) {
      EXPECT_EQ(ready->pairs, 12u);
      EXPECT_EQ(ready->rounds, 3u);
      EXPECT_EQ(ready->estimate, 7500ms);
    }
    if (const auto* began = std::get_if<RoundBegan>(&progress))
      steps.push_back(std::to_string(began->round) + "/" + std::to_string(began->of));
    if (const auto* ended = std::get_if<PairEnded>(&progress)) pairs_ended = ended->ended;
  };
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(run->pairs_planned, 12u);
  EXPECT_EQ(run->pairs_measured, 12u);
  EXPECT_EQ(pairs_ended, 12u);
  EXPECT_FALSE(run->cancelled);
  EXPECT_THAT(steps, ElementsAre("1/3", "2/3", "3/3"));
  ASSERT_EQ(run->fabric.measurements.size(), 36u);
  size_t from_n1 = 0;
  for (const Measurement& m : run->fabric.measurements) {
    ASSERT_TRUE(m.figures) << to_text(m.figures.error());
    EXPECT_TRUE(m.data_intact);
    EXPECT_EQ(m.from_counters.moved.at("ethtool.rx_prio3_packets"), 10);
    EXPECT_EQ(m.to_counters.moved.at("ethtool.rx_prio3_packets"), 10);
    EXPECT_EQ(m.from.netdev, m.to.netdev);
    if (m.probe == "write_bw" && m.from.host == "n1") ++from_n1;
  }
  EXPECT_EQ(from_n1, 6u) << "both directions of three pairs on two rails";
  EXPECT_EQ(run->fabric.hosts[2].snapshot, sample_snapshot("n3"));
  EXPECT_EQ(run->fabric.hosts[2].audit.host, "n3");
  EXPECT_EQ(exit_code(judge(run->fabric, {})), 0);
  expect_no_children();
}

TEST(Certify, SixtyFourHosts) {
  Profile profile;
  profile.classes = {{.name = "rdma", .dscp = Dscp{26}}};
  profile.roles = {{.name = "compute", .match = {.netdev = "ens1*"}, .classes = {"rdma"}}};
  CertifyOptions options = options_for(64, "");
  options.profile = &profile;
  options.rounds.probes.resize(1);
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(run->pairs_planned, 2016u);
  EXPECT_EQ(run->pairs_measured, 2016u);
  EXPECT_EQ(run->fabric.measurements.size(), 2016u);
  EXPECT_EQ(exit_code(judge(run->fabric, {})), 0);
  expect_no_children();
}

TEST(Certify, HostsThatNeverWorkAreNamedAndTheOthersGoOn) {
  CertifyOptions options =
      options_for(11,
                  "n3:exits,n4:silent,n5:old,n6:garbage,n7:oversize,n8:floods,n9:unknown-type,n10:dies-in-survey,"
                  "n11:hangs-in-survey");
  options.start_limit = 20s;
  options.survey_limit = 5s;
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(run->pairs_measured, 2u) << "n1 and n2 on two rails";
  auto hosts = verdicts(*run);
  EXPECT_EQ(hosts["n1"].standing, Standing::kCertified);
  EXPECT_EQ(hosts["n2"].standing, Standing::kCertified);
  const std::map<std::string, std::string> reasons{{"n3", "exited with 127: sh: rocert: command not found"},
                                                   {"n4", "its worker did not answer within 20s"},
                                                   {"n5", "\"rocert-fleet/0\""},
                                                   {"n6", "\"Last login: today\""},
                                                   {"n7", "a frame of 4294967295 bytes"},
                                                   {"n8", "its worker spoke of a probe"},
                                                   {"n9", "\"song\""},
                                                   {"n10", "ended by signal 9"},
                                                   {"n11", "its survey did not end within 5s"}};
  for (const auto& [host, reason] : reasons) {
    EXPECT_EQ(hosts[host].standing, Standing::kUnknown) << host;
    EXPECT_THAT(hosts[host].reasons, ElementsAre(HasSubstr(reason))) << host;
  }
  EXPECT_EQ(exit_code(judge(run->fabric, {})), 3);
  expect_no_children();
}

TEST(Certify, WorkersThatDieOrFreezeInARoundBecomeGaps) {
  CertifyOptions options = options_for(6, "n2:dies-in-probe,n4:freezes-in-probe,n6:exits");
  shorten_probes(options);
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(standings(*run), "n1:certified n2:unknown n3:certified n4:unknown n5:certified n6:unknown");
  auto hosts = verdicts(*run);
  EXPECT_THAT(hosts["n2"].reasons, ElementsAre(HasSubstr("ended by signal 9 (Killed)")));
  // Both rails are probed at once: either may be the first to say so.
  EXPECT_THAT(hosts["n4"].reasons,
              ElementsAre(HasSubstr("did not answer within the deadline of a probe on rail 198.18.")));
  EXPECT_EQ(run->fabric.measurements.size(), run->pairs_planned * 3) << "every planned probe is accounted for";
  EXPECT_THAT(run->fabric.suspects, IsEmpty());
  EXPECT_EQ(exit_code(judge(run->fabric, {})), 3);
  expect_no_children();
}

TEST(Certify, NamesTheBadPort) {
  const auto run = certify(options_for(4, "n3:slow"));
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(standings(*run), "n1:certified n2:certified n3:excluded n4:certified");
  const auto verdict = verdicts(*run)["n3"];
  ASSERT_EQ(verdict.suspects.size(), 1u);
  EXPECT_EQ(verdict.suspects[0].netdev, "ens2np0");
  EXPECT_THAT(verdict.reasons, ElementsAre(HasSubstr("rail 198.18.1.0/24 (ens2np0): write_bw 100Mb/s at best")));
}

TEST(Certify, DamagedDataExcludesAndMissingToolsAreUnknown) {
  const auto run = certify(options_for(6, "n3:damages,n5:no-verbs,n6:no-gid"));
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(standings(*run), "n1:certified n2:certified n3:excluded n4:certified n5:unknown n6:unknown");
  auto hosts = verdicts(*run);
  EXPECT_THAT(hosts["n5"].reasons, Each(HasSubstr("libibverbs.so.1: not found")));
  EXPECT_THAT(hosts["n6"].reasons,
              ElementsAre("rail 198.18.1.0/24 (ens2np0) was not measured: no routable RoCE v2 GID"));
}

TEST(Certify, InterruptedItReturnsWhatItHasAndLeavesNoChild) {
  CertifyOptions options = options_for(6, "n3:stubborn");
  options.survey_limit = 5s;
  const Fd stop(::eventfd(0, EFD_CLOEXEC));
  options.stop = stop.get();
  options.bye_limit = 10ms;
  bool stopped = false;
  std::string ending;
  options.progress = [&](const Progress& progress) {
    if (std::holds_alternative<Measured>(progress) && !std::exchange(stopped, true)) {
      ASSERT_EQ(::eventfd_write(stop.get(), 1), 0);
    }
    if (const auto* end = std::get_if<CertifyEnding>(&progress)) ending = end->why;
  };
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_TRUE(run->cancelled);
  EXPECT_EQ(ending, "the certification was interrupted");
  EXPECT_LT(run->pairs_measured, run->pairs_planned);
  EXPECT_EQ(run->fabric.measurements.size(), run->pairs_planned * 3);
  EXPECT_NE(exit_code(judge(run->fabric, {})), 0);
  expect_no_children();
}

TEST(Certify, InterruptedBeforeAnyoneAnswers) {
  CertifyOptions options = options_for(3, "n1:silent,n2:silent,n3:silent");
  options.starts_at_once = 2;
  const Fd stop(::eventfd(1, EFD_CLOEXEC));
  options.stop = stop.get();
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_TRUE(run->cancelled);
  EXPECT_EQ(run->pairs_planned, 0u);
  EXPECT_EQ(standings(*run), "n1:unknown n2:unknown n3:unknown");
  expect_no_children();
}

TEST(Certify, HostsThatLeaveNothingToMeasureAreUnknown) {
  CertifyOptions options = options_for(2, "n2:exits");
  std::string ending;
  options.progress = [&](const Progress& progress) {
    if (const auto* end = std::get_if<CertifyEnding>(&progress)) ending = end->why;
  };
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_EQ(run->pairs_planned, 0u);
  EXPECT_EQ(standings(*run), "n1:unknown n2:unknown");
  EXPECT_THAT(ending, HasSubstr("nothing to measure: 1 of 2 hosts answered"));
  EXPECT_THAT(ending, HasSubstr("n2: unit_certify exited with 127"));
  EXPECT_EQ(exit_code(judge(run->fabric, {})), 3);
  expect_no_children();
}

TEST(Certify, NothingToMeasureIsAnError) {
  EXPECT_THAT(certify(options_for(1, "")).error().message, HasSubstr("hosts in the inventory: 1, wanted at least 2"));
  Profile profile;
  profile.roles = {{.name = "compute", .match = {.netdev = "none*"}}};
  CertifyOptions options = options_for(2, "");
  options.profile = &profile;
  const auto run = certify(options);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(run.error().message, HasSubstr("nothing to measure: 2 of 2 hosts answered"));
  expect_no_children();
}

TEST(Certify, ALauncherThatStartsNothingIsAnError) {
  CertifyOptions options = options_for(2, "");
  options.inventory.launch.kind = LauncherKind::kSlurm;
  const auto run = certify(options);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(run.error().message, HasSubstr("wanted ssh or lab"));
}

TEST(Certify, AMissingLauncherIsSaidOfEveryHost) {
  CertifyOptions options = options_for(3, "");
  options.inventory.launch.program = "/no/such/lab";
  const auto run = certify(options);
  ASSERT_TRUE(run) << to_text(run.error());
  for (const FabricHost& host : run->fabric.hosts) {
    ASSERT_TRUE(host.lost) << host.name;
    EXPECT_THAT(host.lost->detail, HasSubstr("/no/such/lab: cannot be started: No such file"));
  }
}

TEST(Certify, WritesItsEvidenceAsItHappensAndStopsWhenItCannot) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("evidence." + std::to_string(::getpid()))).string();
  CertifyOptions options = options_for(3, "n3:exits");
  auto evidence = EvidenceFile::create(path, "0.1.0");
  ASSERT_TRUE(evidence);
  options.evidence = &*evidence;
  ASSERT_TRUE(certify(options));
  std::map<std::string, int> kinds;
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) ++kinds[line.substr(2, line.find('"', 2) - 2)];
  EXPECT_EQ(kinds, (std::map<std::string, int>{{"schema", 1}, {"snapshot", 2}, {"lost", 1}, {"measurement", 6}}));

  // A file that may not grow any more, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full{std::filesystem::file_size(path) + 2000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const auto run = certify(options);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::filesystem::remove(path);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::kSystem);
  EXPECT_THAT(run.error().message, HasSubstr(path + ": File too large"));
  expect_no_children();
}

}  // namespace
}  // namespace rocert
