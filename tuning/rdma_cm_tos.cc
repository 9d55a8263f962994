#include <fmt/format.h>

#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "rdma_cm.tos";
constexpr std::array kReads{
    Fact{kKey, Scope::kPort, "/sys/kernel/config/rdma_cm/{rdma}/ports/{rdma_port}/default_roce_tos"}};

int64_t dscp_of(const Value& value) { return std::get<int64_t>(value) >> 2; }
std::string text(const Value& value) { return fmt::format("{} (DSCP {})", to_text(value), dscp_of(value)); }

std::optional<Value> wanted(const View& view, const Subject&) {
  const TrafficClass* data = view.wants.data_class();
  if (data == nullptr || !data->dscp) return std::nullopt;
  return Value(int64_t{data->dscp->value} << 2);
}

}  // namespace

extern constinit const Setting rdma_cm_tos{
    .page = {.code = "rdma_cm.tos",
             .title = "Type of service of connections that rdma_cm makes",
             .why =
                 "A program that connects through rdma_cm and sets no type of service of its own gets this one; with 0 "
                 "its traffic is unmarked and leaves the lossless class. Programs that make their own queue pairs "
                 "(NCCL, perftest without -R) do not look at it.",
             .remedy = "mkdir -p /sys/kernel/config/rdma_cm/RDMA_DEVICE\n"
                       "echo 104 > /sys/kernel/config/rdma_cm/RDMA_DEVICE/ports/1/default_roce_tos\n"
                       "(the file exists only after the mkdir; the value does not survive a driver reload)",
             .source = "drivers/infiniband/core/cma_configfs.c; the byte is DSCP << 2 | ECN"},
    .takes = NumberShape{.min = 0, .max = 255},
    .scope = Scope::kPort,
    .severity = Severity::kWarn,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return number_fact(view, kKey, 255); },
    .wanted = wanted,
    .satisfies = [](const View&, const Subject&, const Value& current,
                    const Value& wanted) { return dscp_of(current) == dscp_of(wanted); },
    .seen_text = [](const View&, const Subject&, const Value& current, const Value*) { return text(current); },
    .wanted_text = [](const View&, const Subject&, const Value& wanted) { return text(wanted); },
    .says =
        [](const View&, const Subject&, const Value& current, const Value&) {
          return fmt::format(
              "Connections made through rdma_cm leave with DSCP {}, outside the port's data class, unless "
              "the program sets its own.",
              dscp_of(current));
        },
};

}  // namespace rocert::tuning
