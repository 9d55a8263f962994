// A small fabric for tests: hosts n1, n2, ... with good snapshots, and the measurements of every ordered pair of a
// rail.
#pragma once
#include <string>

#include "model/fabric.h"
#include "support/snapshot_builder.h"

namespace rocert::samples {

inline End end_of(unsigned host, unsigned rail = 0) {
  return {.host = fmt::format("n{}", host),
          .netdev = fmt::format("ens{}np0", rail + 1),
          .rdma_device = fmt::format("mlx5_{}", rail),
          .gid = fmt::format("198.18.{}.{}", rail, 10 + host),
          .gid_index = 3,
          .speed = 400000};
}

inline Measurement measurement(std::string probe, unsigned from, unsigned to, Figures figures) {
  Measurement result{.probe = std::move(probe), .rail = "0", .from = end_of(from), .to = end_of(to), .mtu = 4096};
  result.figures = std::move(figures);
  result.data_intact = true;
  return result;
}

// `figures(from, to)` gives what the pair measured.
template <class FiguresOf>
Fabric fabric_of(unsigned hosts, const std::string& probe, FiguresOf figures) {
  Fabric fabric;
  for (unsigned from = 1; from <= hosts; ++from) {
    const std::string name = fmt::format("n{}", from);
    fabric.hosts.push_back({.name = name, .snapshot = good_snapshot({.name = name, .number = from, .ports = 1})});
    for (unsigned to = 1; to <= hosts; ++to) {
      if (from != to) fabric.measurements.push_back(measurement(probe, from, to, figures(from, to)));
    }
  }
  return fabric;
}

}  // namespace rocert::samples
