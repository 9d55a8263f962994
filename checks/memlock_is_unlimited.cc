#include <fmt/format.h>

#include <array>
#include <optional>

#include "audit/check.h"
#include "base/text.h"
#include "base/units.h"

namespace rocert::checks {
namespace {

// 16 KiB: the status of a process on a host with very many CPUs and NUMA nodes is longer than the usual file.
constexpr std::array kReads{Fact{"process.limits", Scope::kHost, "/proc/self/limits", 16384},
                            Fact{"process.status", Scope::kHost, "/proc/self/status", 16384}};
constexpr uint64_t kPlenty = uint64_t{4} << 30;  // below this a communication library fails at start, not under load
constexpr unsigned kCapIpcLock = 14;
constexpr const char* kWhere =
    "/proc/self/limits of this run; a job's own limit is set where it is started (slurmd, sshd, containerd) and may "
    "differ";

// Words of the line that starts with a title: soft limit, hard limit, unit. Nothing without such a line.
std::optional<std::vector<std::string_view>> line_after(std::string_view text, std::string_view title) {
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with(title)) return split_words(line.substr(title.size()));
  }
  return std::nullopt;
}

// Whether CAP_IPC_LOCK is in force, which lifts the limit; what is merely in the bounding set is not.
bool may_lock_anything(const Facts& facts) {
  const auto status = find_fact(facts, "process.status");
  const auto words = status ? line_after(*status, "CapEff:") : std::nullopt;
  if (!words || words->size() != 1) return false;
  const auto mask = parse_unsigned(fmt::format("0x{}", words->front()));
  return mask && ((*mask >> kCapIpcLock) & 1) != 0;
}

std::vector<Judgement> judge(const View& view) {
  if (view.host.ports.empty()) return {not_applicable("no RoCE port, so nothing registers memory")};
  const std::string wanted = "unlimited";
  const auto limits = find_fact(view.host.facts, "process.limits");
  if (!limits) return {unknown(limits.error(), wanted)};
  const auto words = line_after(*limits, "Max locked memory");
  if (!words || words->size() < 2)
    return {unknown({GapReason::kMalformed, "/proc/self/limits has no line \"Max locked memory\""}, wanted)};

  Judgement judgement = pass("unlimited");
  if (words->front() != "unlimited") {
    const auto soft = parse_unsigned(words->front());
    if (!soft)
      return {
          unknown({GapReason::kMalformed, "/proc/self/limits: locked memory " + escaped(words->front(), 40)}, wanted)};
    const std::string seen = to_text(Bytes{*soft});
    if (may_lock_anything(view.host.facts)) {
      judgement = pass(seen + ", lifted by CAP_IPC_LOCK");
    } else {
      judgement =
          failure(seen, wanted,
                  "Registering more memory than this fails with ENOMEM, and libraries then give up or fall back "
                  "to sockets.");
      if (*soft >= kPlenty) judgement.severity = Severity::kWarn;
    }
  }
  judgement.evidence = {kWhere};
  return {judgement};
}

}  // namespace

extern constinit const Check memlock_is_unlimited{
    .page =
        {.code = "memlock-is-unlimited",
         .title = "The locked memory limit does not hinder RDMA",
         .why = "Memory that RDMA reads and writes is pinned and counts against the locked memory limit. The usual "
                "default of 8 MiB makes ibv_reg_mr fail with \"Cannot allocate memory\". The limit that counts is that "
                "of the daemon that starts the job, not the one of a login shell.",
         .remedy =
             "systemctl edit slurmd      ([Service] LimitMEMLOCK=infinity; likewise containerd, sshd), restart it\n"
             "prlimit --memlock --pid PID                       (of a running rank)",
         .source = "getrlimit(2) RLIMIT_MEMLOCK; capabilities(7) CAP_IPC_LOCK; proc(5) /proc/PID/limits"},
    .severity = Severity::kError,
    .reads = kReads,
    .rule = HostRule(judge),
};

}  // namespace rocert::checks
