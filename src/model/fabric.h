// Fabric: the snapshots and audits of many hosts and the measurements between them. A limit on a measurement is a
// check.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/measurement.h"
#include "model/profile.h"
#include "model/snapshot.h"

namespace rocert {

struct FabricHost {
  std::string name;  // as in the inventory
  Observed<Snapshot> snapshot = gap(GapReason::kNotAsked, "");
  Audit audit;              // empty when there is no snapshot
  std::optional<Gap> lost;  // its worker died, hung or was never reached: why
};

// A port that should take part and was not scheduled.
struct LeftOut {
  std::string host;
  std::string netdev;
  std::string rail;  // empty: it has none
  std::string why;
  bool operator==(const LeftOut&) const = default;
};

// What the evidence points at.
struct Suspect {
  std::string host;
  std::string netdev;  // empty: the host as a whole
  std::string rail;
  std::string says;  // the evidence in one sentence
  std::vector<std::string> evidence;
  bool operator==(const Suspect&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"host", &Suspect::host}, Field{"netdev", &Suspect::netdev}, Field{"rail", &Suspect::rail},
                      Field{"says", &Suspect::says}, Field{"evidence", &Suspect::evidence}};
  }
};

struct Fabric {
  std::vector<FabricHost> hosts;  // in the inventory's order
  std::vector<Measurement> measurements;
  std::vector<LeftOut> left_out;
  std::vector<Suspect> suspects;
  const Profile* profile = nullptr;
};

}  // namespace rocert
