#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report.h"
#include "unit/report/golden.h"

namespace rocert {
namespace {

using testing::HasSubstr;

Measurement measured(std::string probe, std::string from, std::string to, std::string figure, double value) {
  Measurement m;
  m.probe = std::move(probe);
  m.rail = "0";
  m.from.host = std::move(from);
  m.to.host = std::move(to);
  m.figures = Figures{{std::move(figure), value}};
  m.data_intact = true;
  return m;
}

// Every ordered pair of n hosts; the last host is slow to send.
Fabric fabric_of(size_t hosts, double good, double slow) {
  Fabric fabric;
  for (size_t i = 1; i <= hosts; ++i) fabric.hosts.push_back({.name = fmt::format("n{:02}", i)});
  for (const FabricHost& from : fabric.hosts) {
    for (const FabricHost& to : fabric.hosts) {
      if (from.name == to.name) continue;
      const double value = &from == &fabric.hosts.back() ? slow : good;
      fabric.measurements.push_back(measured("write_bw", from.name, to.name, "bits_per_second", value));
    }
  }
  return fabric;
}

Certificate certificate_of(const Fabric& fabric) {
  Certificate certificate;
  certificate.pairs_planned = fabric.measurements.size();
  certificate.pairs_measured = fabric.measurements.size();
  for (const FabricHost& host : fabric.hosts) certificate.hosts.push_back({host.name, Standing::kCertified, {}, {}});
  return certificate;
}

TEST(CertificateText, ShowsAMatrixPerRailAndWhyAHostIsExcluded) {
  Fabric fabric = fabric_of(3, 391e9, 212e9);
  fabric.measurements[0].figures = gap(GapReason::kTimedOut, "no completion within 10 s");
  fabric.measurements[1].data_intact = false;
  fabric.measurements.push_back(measured("send_lat", "n01", "n02", "p50_ns", 1800));
  fabric.measurements.push_back(measured("send_lat", "n01", "n03", "p50_ns", 9400));
  Certificate certificate = certificate_of(fabric);
  certificate.pairs_measured -= 1;
  certificate.hosts[1] = {"n02", Standing::kUnknown, {"the worker did not answer within 10 s"}, {}};
  certificate.hosts[2] = {"n03",
                          Standing::kExcluded,
                          {"rail 0 (eth3): 212 Gb/s in 2 of 2 pairs, median 391 Gb/s"},
                          {{"n03", "eth3", "0", "", {"rx out_of_sequence +18204 there and nowhere else"}}}};
  Finding slow;
  slow.code = "write-bandwidth-meets-limits";
  slow.subject = {"n03", "eth3", "n01/eth3"};
  slow.verdict = Verdict::kFail;
  slow.seen = "212G";
  slow.wanted = "at least 352G (0.9 of the rail's median 391G)";
  certificate.findings = {slow, slow};
  expect_golden("certificate_excluded.txt", render_certificate(certificate, fabric, {}));
}

TEST(CertificateText, StatesMegabitsForSlowFabrics) {
  const Fabric fabric = fabric_of(2, 394.2e6, 391e6);
  expect_golden("certificate_slow.txt", render_certificate(certificate_of(fabric), fabric, {}));
}

TEST(CertificateText, IsOneLinePerRailForManyHosts) {
  const Fabric fabric = fabric_of(17, 391e9, 212e9);
  expect_golden("certificate_many.txt", render_certificate(certificate_of(fabric), fabric, {}));
}

TEST(CertificateText, WithoutMeasurementsShowsOnlyVerdicts) {
  Fabric fabric;
  Certificate certificate;
  certificate.hosts = {{"n\x1b[1m", Standing::kUnknown, {"unreachable: ssh says\nno"}, {}}};
  EXPECT_EQ(render_certificate(certificate, fabric, {}),
            "0 of 0 pairs measured\n0 CERTIFIED, 0 EXCLUDED, 1 UNKNOWN\nUNKNOWN   n\\x1b[1m\n"
            "          unreachable: ssh says\\x0ano\n");
}

}  // namespace
}  // namespace rocert
