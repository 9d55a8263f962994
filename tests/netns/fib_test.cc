// The pure lookup against the kernel's own: every topology in a network namespace of the test, every combination of
// destination, source, oif, mark and TOS asked both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "host/linux_host.h"
#include "model/fib.h"
#include "netns/namespace.h"
#include "netns/route_get.h"
#include "netns/topologies.h"

namespace rocert {
namespace {

void set_up(const Topology& topology) {
  shell("printf %s '" + (kPorts + topology.setup) + "' | ip -batch -");
  shell("printf %s '" + topology.setup6 + "' | ip -6 -batch -");
  for (const std::string& netdev : topology.ignores_linkdown) {
    std::ofstream file("/proc/sys/net/ipv4/conf/" + netdev + "/ignore_routes_with_linkdown");
    file << "1" << std::flush;
    ASSERT_TRUE(file.good()) << netdev;
  }
  settle();
}

std::vector<int> indices_of(const std::vector<std::string>& netdevs, const std::vector<Link>& links) {
  std::vector<int> indices;
  for (const Link& link : links) {
    if (std::find(netdevs.begin(), netdevs.end(), link.name) != netdevs.end()) indices.push_back(link.ifindex);
  }
  return indices;
}

std::string text_of(const Flow& flow) {
  return "to " + to_text(flow.destination) + " from " + (flow.source ? to_text(*flow.source) : "none") + " oif " +
         std::to_string(flow.out_ifindex) + " mark " + std::to_string(flow.mark) + " tos " + std::to_string(flow.tos);
}

std::string text_of(const FibResult& result) {
  return "outcome " + std::to_string(static_cast<int>(result.outcome)) + " rule " +
         std::to_string(result.rule_priority) + " table " + std::to_string(result.route.table) + " " +
         to_text(result.route.destination);
}

// How the kernel's answers differ from a lookup without a route; empty: not at all.
std::string difference_without_route(const Flow& flow, FibOutcome outcome, const RouteAnswer& taken,
                                     const RouteAnswer& entry) {
  if (flow.destination.family == Family::kIpv4 && flow.out_ifindex != 0) {
    if (entry.error == 0) return "the kernel has an entry";
    const bool on_link = taken.error == 0 && taken.ifindex == flow.out_ifindex && !taken.gateway;
    return on_link ? "" : "not assumed to be on link";
  }
  if (taken.error == 0) return "the kernel has a route";
  if (outcome == FibOutcome::kBlocked || taken.error == ENETUNREACH) return "";
  return "the kernel blocks: " + std::string(std::strerror(taken.error));
}

// Without rules of its own a namespace keeps the local table inside main (fib_unmerge, net/ipv4/fib_frontend.c).
bool same_table(uint32_t kernel, uint32_t ours) { return kernel == ours || (kernel == 254 && ours == 255); }

std::string difference(const Flow& flow, const FibResult& ours, const RouteAnswer& taken, const RouteAnswer& entry) {
  if (ours.outcome == FibOutcome::kUnknown) return "the lookup does not know";
  if (ours.outcome != FibOutcome::kRoute) return difference_without_route(flow, ours.outcome, taken, entry);
  if (taken.error != 0 || entry.error != 0) return "the kernel refuses: " + std::string(std::strerror(taken.error));
  if (taken.type != ours.route.type) return "type " + std::to_string(taken.type);
  if (!same_table(entry.table, ours.route.table)) return "table " + std::to_string(entry.table);
  if (entry.destination != ours.route.destination) return "entry " + to_text(entry.destination);
  if (taken.type != 1) return "";  // what is local or broadcast goes by loopback
  for (const NextHop& hop : ours.next_hops) {
    if (hop.ifindex == taken.ifindex && hop.gateway == taken.gateway) return "";
  }
  return "device " + std::to_string(taken.ifindex) + (taken.gateway ? " gateway " + to_text(*taken.gateway) : "");
}

std::vector<Flow> flows_of(const Topology& topology, const std::vector<Link>& links) {
  std::vector<std::optional<IpAddress>> sources{std::nullopt};
  for (const std::string& source : topology.sources) sources.push_back(parse_ip(source).value());
  std::vector<int> devices{0};
  for (const Link& link : links) {
    if (link.admin_up) devices.push_back(link.ifindex);
  }
  std::vector<Flow> flows;
  for (const std::string& destination : topology.destinations) {
    for (const auto& source : sources) {
      for (const int device : devices) {
        const Flow flow{.destination = parse_ip(destination).value(), .source = source, .out_ifindex = device};
        flows.insert(flows.end(), 3, flow);
        flows.end()[-2].mark = 7;
        flows.end()[-1].tos = 0x10;
      }
    }
  }
  return flows;
}

void compare(const Topology& topology) {
  set_up(topology);
  const auto host = open_linux_host();
  const auto links = host->get(Links{});
  const auto routes = host->get(Routes{});
  const auto rules = host->get(Rules{});
  ASSERT_TRUE(links) << to_text(links.error());
  ASSERT_TRUE(routes) << to_text(routes.error());
  ASSERT_TRUE(rules) << to_text(rules.error());
  const std::vector<int> ignores_linkdown = indices_of(topology.ignores_linkdown, *links);

  std::map<FibOutcome, size_t> outcomes;
  for (const Flow& flow : flows_of(topology, *links)) {
    const FibResult ours = lookup({*rules, *routes, *links, ignores_linkdown}, flow);
    const auto taken = route_get(flow, false);
    const auto entry = route_get(flow, true);
    ASSERT_TRUE(taken && entry) << "no answer from the kernel";
    ++outcomes[ours.outcome];
    EXPECT_EQ(difference(flow, ours, *taken, *entry), "") << text_of(flow) << "; ours: " << text_of(ours);
  }
  std::printf("%zu routes, %zu blocked, %zu without an entry\n", outcomes[FibOutcome::kRoute],
              outcomes[FibOutcome::kBlocked], outcomes[FibOutcome::kNoEntry]);
}

class FibLookup : public testing::TestWithParam<Topology> {};

TEST_P(FibLookup, AnswersAsTheKernelDoes) {
  in_namespace([] { compare(GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Topologies, FibLookup, testing::ValuesIn(topologies()), [](const auto& one) {
  std::string name = one.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace rocert
