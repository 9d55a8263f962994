// rocert certify: starts a worker on every host of an inventory, measures all pairs, and writes a certificate.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "audit/audit.h"
#include "base/process.h"
#include "certify/coordinator.h"
#include "certify/judge.h"
#include "cmd/audit_host.h"
#include "cmd/choose_profile.h"
#include "cmd/clock.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/progress_line.h"
#include "host/host.h"
#include "registry/checks.h"
#include "report/report.h"

namespace rocert {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEvidenceName = "evidence.jsonl";

struct CertifyArguments {
  std::string inventory;
  std::string profile;
  std::string out;
  bool json = false;
};

// The folder that takes certificate and evidence. What it created is gone again unless keep() was called; what was
// there before is never touched.
class OutFolder {
 public:
  static Result<OutFolder> open(const fs::path& path) {
    std::error_code error;
    if (fs::exists(path / "certificate.json", error))
      return fail(ErrorKind::kUsage, path.string() + " holds a certificate already; name another folder with --out");
    OutFolder folder(path);
    for (fs::path missing = path; !missing.empty() && !fs::exists(missing, error); missing = missing.parent_path())
      folder.created_.push_back(missing);
    fs::create_directories(path, error);
    if (error) return fail(ErrorKind::kUsage, error_of(error.value(), path.string()).message);
    return folder;
  }
  OutFolder(OutFolder&& other) noexcept : path_(std::move(other.path_)), created_(std::exchange(other.created_, {})) {}
  OutFolder& operator=(OutFolder&&) = delete;
  ~OutFolder() {
    std::error_code ignored;
    for (const fs::path& created : created_) fs::remove(created, ignored);
  }

  Result<EvidenceFile> create_evidence() {
    const fs::path path = path_ / kEvidenceName;
    auto evidence = TRY(EvidenceFile::create(path.string(), ROCERT_VERSION));
    created_.insert(created_.begin(), path);
    return evidence;
  }
  std::string certificate() const { return (path_ / "certificate.json").string(); }
  void keep() { created_.clear(); }

 private:
  explicit OutFolder(fs::path path) : path_(std::move(path)) {}

  fs::path path_;
  std::vector<fs::path> created_;  // in the order in which they can be removed
};

Result<Profile> required_profile(const CertifyArguments& arguments, const Places& places) {
  auto profile = TRY(choose_profile(arguments.profile, places));
  if (profile) return std::move(*profile);
  return fail(ErrorKind::kUsage, "no profile: there is nothing to certify against; name one with --profile, or write " +
                                     places.site_profile());
}

// The verdict with who, when and on which evidence.
Certificate certificate_of(const CertifyRun& run, const Profile& profile, std::string started_at, std::string sha256) {
  Certificate certificate = judge(run.fabric, run_fabric_checks(registry::checks(), run.fabric));
  certificate.rocert_version = ROCERT_VERSION;
  certificate.profile = profile.name;
  certificate.profile_digest = digest(profile);
  certificate.started_at = std::move(started_at);
  certificate.finished_at = utc_now();
  certificate.pairs_planned = run.pairs_planned;
  certificate.pairs_measured = run.pairs_measured;
  certificate.evidence_file = kEvidenceName;
  certificate.evidence_sha256 = std::move(sha256);
  return certificate;
}

Result<int> run(const CertifyArguments& arguments, const Places& places) {
  const Inventory inventory = TRY(parse_inventory(TRY(read_text_file(arguments.inventory)), arguments.inventory));
  const Profile profile = TRY(required_profile(arguments, places));
  const std::string started_at = utc_now();
  OutFolder out = TRY(OutFolder::open(arguments.out.empty() ? "rocert-" + started_at : arguments.out));
  EvidenceFile evidence = TRY(out.create_evidence());
  const Fd stop = TRY(stop_signals());
  std::optional<ProgressLine> line(inventory.hosts.size());
  const CertifyRun run = TRY(certify(
      {.inventory = inventory,
       .profile = &profile,
       .audit = [&](const Snapshot& snapshot,
                    const std::string& host) { return audit_host(snapshot, {.profile = &profile, .host = host}); },
       .stop = stop.get(),
       .evidence = &evidence,
       .progress = [&](const Progress& progress) { line->show(progress); }}));
  line.reset();
  const Certificate certificate = certificate_of(run, profile, started_at, TRY(evidence.finish()));
  const std::string document = encode_certificate(certificate);
  TRY(write_certificate(out.certificate(), document));
  out.keep();
  const int verdict = exit_code(certificate);
  const int code = run.cancelled && verdict == 0 ? 3 : verdict;
  if (arguments.json) {
    TRY(print(document));
  } else {
    TRY(print(
        render_certificate(certificate, run.fabric, {.color = wants_color(STDOUT_FILENO)}) +
        fmt::format("{}{} · exit {}\n", run.cancelled ? "stopped before the end · " : "", out.certificate(), code)));
  }
  return code;
}

}  // namespace

Command add_certify(CLI::App& program, const Places& places) {
  CLI::App* parser = program.add_subcommand("certify", "Prove with real traffic that a fabric carries what it should");
  auto arguments = std::make_shared<CertifyArguments>();
  parser->add_option("--inventory", arguments->inventory, "The hosts and how to reach them (YAML)")
      ->type_name("FILE")
      ->required();
  parser->add_option("--profile", arguments->profile, "What is wanted; without it the site's, /etc/rocert/site.yaml")
      ->type_name("NAME|FILE");
  parser
      ->add_option("--out", arguments->out, "Where certificate.json and evidence.jsonl go; default ./rocert-<UTC time>")
      ->type_name("DIR");
  parser->add_flag("--json", arguments->json, "Print the certificate as JSON (schema rocert/certificate/1)");
  parser->footer(
      "Exit code: 0 all hosts are certified, 1 a host is excluded, 2 usage or malformed file, 3 a host is unknown.");
  return {parser, [arguments, &places] { return run(*arguments, places); }};
}

}  // namespace rocert
