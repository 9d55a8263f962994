#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "rdma_cm.mode";
constexpr std::array kReads{
    Fact{kKey, Scope::kPort, "/sys/kernel/config/rdma_cm/{rdma}/ports/{rdma_port}/default_roce_mode"}};
constexpr std::array<std::string_view, 2> kWords{"RoCE v2", "IB/RoCE v1"};

Observed<Value> current(const View& view, const Subject&) {
  const auto text = text_fact(view, kKey);
  if (!text) return tl::unexpected(text.error());
  if (*text != kWords[0] && *text != kWords[1]) return malformed(kKey, *text, "\"RoCE v2\" or \"IB/RoCE v1\"");
  return Value(*text);
}

}  // namespace

extern constinit const Setting rdma_cm_mode{
    .page = {.code = "rdma_cm.mode",
             .title = "RoCE version of connections that rdma_cm makes",
             .why = "RoCE v1 is a bare Ethernet protocol: it is not routed, carries no DSCP, and a v2 peer rejects it.",
             .remedy = "mkdir -p /sys/kernel/config/rdma_cm/RDMA_DEVICE\n"
                       "echo \"RoCE v2\" > /sys/kernel/config/rdma_cm/RDMA_DEVICE/ports/1/default_roce_mode",
             .source = "drivers/infiniband/core/cma_configfs.c; InfiniBand annex A17 (RoCE v2)"},
    .takes = ChoiceShape{kWords},
    .scope = Scope::kPort,
    .reads = kReads,
    .current = current,
    .wanted = [](const View&, const Subject&) -> std::optional<Value> { return Value(std::string(kWords[0])); },
    .says = [](const View&, const Subject&, const Value&, const Value&) -> std::string {
      return "Connections made through rdma_cm use another RoCE version than their peers expect.";
    },
};

}  // namespace rocert::tuning
