// Reads one RoCE port: its GIDs, attributes and counters, and the physical ports below it.
#pragma once
#include <vector>

#include "host/host.h"
#include "model/snapshot.h"
#include "survey/survey.h"
#include "survey/topology.h"

namespace rocert {

// Where a RoCE port stands: the netdev with its addresses, and the physical ports below.
struct PortPlace {
  const Link* layer3 = nullptr;
  RdmaPort rdma;
  std::vector<const Link*> members;
};

Port read_port(Host& host, const SurveyOptions& options, const PortPlace& place, Topology& topology);

}  // namespace rocert
