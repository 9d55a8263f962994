// RecordingHost: reads through another host and remembers; save() writes what it remembers as a recording.
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "host/manifest.h"
#include "host/recorded_host.h"
#include "host/redact.h"

namespace rocert {
namespace {

namespace fs = std::filesystem;

// A Gap's reason and detail in an entry of the manifest, or nothing for an outcome.
template <class T>
Asked asked_of(AskedKind kind, std::string path, const Observed<T>& outcome) {
  Asked asked;
  asked.kind = kind;
  asked.path = std::move(path);
  if (!outcome) {
    asked.gap = outcome.error().reason;
    if (!outcome.error().detail.empty()) asked.detail = outcome.error().detail;
  }
  return asked;
}

Result<> write_file(const fs::path& path, std::string_view data) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return fail(error_of(error.value(), path.parent_path().string()));
  std::ofstream file(path, std::ios::binary);
  file.write(data.data(), static_cast<std::streamsize>(data.size()));
  file.close();
  if (!file) return fail(error_of(errno, path.string()));
  return {};
}

// A folder beside the recording's place that disappears unless it was moved there.
class Draft {
 public:
  explicit Draft(const std::string& folder)
      : target_(fs::path(folder) / ""), path_(target_.parent_path().string() + ".part-" + std::to_string(getpid())) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  Result<> make() const {
    std::error_code error;
    fs::remove_all(path_, error);
    if (!fs::create_directories(path_, error)) return fail(error_of(error.value(), path_.string()));
    fs::permissions(path_, fs::perms::owner_all, error);
    if (error) return fail(error_of(error.value(), path_.string()));
    return {};
  }
  Result<> write(const std::string& path, std::string_view data) const { return write_file(path_ / path, data); }
  Result<> move_into_place() const {
    std::error_code error;
    fs::rename(path_, target_.parent_path(), error);  // refuses a folder that is not empty
    if (error) return fail(error_of(error.value(), target_.parent_path().string()));
    return {};
  }

 private:
  fs::path target_;
  fs::path path_;
};

}  // namespace

struct RecordingHost::Memory {
  Host& source;
  RecordingOptions options;
  std::map<std::string, Observed<std::string>> files = {};
  std::map<std::tuple<std::string, uint64_t, size_t>, Observed<std::string>> bytes = {};
  std::map<std::string, Observed<std::vector<std::string>>> lists = {};
  std::map<std::string, Observed<std::string>> links = {};
  std::map<KernelQuery, Observed<KernelAnswer>> objects = {};

  void redact();
};

// Every outcome and the names in it replaced; the order of the maps makes the numbering stable.
void RecordingHost::Memory::redact() {
  Redactor redactor;
  for (const char* path : {"/proc/sys/kernel/hostname", "/etc/hostname"}) {
    if (const auto found = files.find(path); found != files.end() && found->second)
      redactor.add_host_name(*found->second);
  }
  const auto replace_gap = [&](auto& outcome) {
    if (!outcome) outcome = gap(outcome.error().reason, redactor.name(outcome.error().detail));
  };
  decltype(files) new_files;
  for (auto& [path, outcome] : files) {
    if (outcome) outcome = redactor.file(path, *outcome);
    replace_gap(outcome);
    new_files.emplace(redactor.name(path), std::move(outcome));
  }
  decltype(bytes) new_bytes;
  for (auto& [key, outcome] : bytes) {
    replace_gap(outcome);
    const auto& [path, offset, size] = key;
    // Extended configuration space holds the device serial number; VPD and EEPROMs hold more of the kind.
    if (outcome && offset + outcome->size() > 256) outcome = gap(GapReason::kNotRecorded, "redacted");
    new_bytes.emplace(std::tuple{redactor.name(path), offset, size}, std::move(outcome));
  }
  decltype(lists) new_lists;
  for (auto& [path, outcome] : lists) {
    if (outcome) {
      for (std::string& name : *outcome) name = redactor.name(name);
    }
    replace_gap(outcome);
    new_lists.emplace(redactor.name(path), std::move(outcome));
  }
  decltype(links) new_links;
  for (auto& [path, outcome] : links) {
    if (outcome) outcome = redactor.name(*outcome);
    replace_gap(outcome);
    new_links.emplace(redactor.name(path), std::move(outcome));
  }
  decltype(objects) new_objects;
  for (auto& [query, outcome] : objects) {
    if (outcome) outcome = redactor.answer(*outcome);
    replace_gap(outcome);
    KernelQuery renamed = query;
    std::visit(
        [&](auto& q) {
          if constexpr (requires { q.netdev; }) q.netdev = redactor.name(q.netdev);
          if constexpr (requires { q.device; }) q.device = redactor.name(q.device);
        },
        renamed);
    new_objects.emplace(std::move(renamed), std::move(outcome));
  }
  files = std::move(new_files);
  bytes = std::move(new_bytes);
  lists = std::move(new_lists);
  links = std::move(new_links);
  objects = std::move(new_objects);
}

RecordingHost::RecordingHost(Host& source, RecordingOptions options)
    : memory_(new Memory{.source = source, .options = options}) {}
RecordingHost::~RecordingHost() = default;

Observed<std::string> RecordingHost::read(const std::string& path, size_t limit) {
  return memory_->files.insert_or_assign(path, memory_->source.read(path, limit)).first->second;
}

Observed<std::string> RecordingHost::read_at(const std::string& path, uint64_t offset, size_t size) {
  return memory_->bytes.insert_or_assign({path, offset, size}, memory_->source.read_at(path, offset, size))
      .first->second;
}

Observed<std::vector<std::string>> RecordingHost::list(const std::string& path) {
  return memory_->lists.insert_or_assign(path, memory_->source.list(path)).first->second;
}

Observed<std::string> RecordingHost::link(const std::string& path) {
  return memory_->links.insert_or_assign(path, memory_->source.link(path)).first->second;
}

Observed<KernelAnswer> RecordingHost::ask(const KernelQuery& query) {
  return memory_->objects.insert_or_assign(query, memory_->source.ask(query)).first->second;
}

namespace {
Result<> refuse(const std::string& what) { return fail(ErrorKind::kUsage, what + ": a recording only reads"); }
}  // namespace

Result<> RecordingHost::write(const std::string& path, std::string_view /*text*/) { return refuse(path); }
Result<> RecordingHost::write_at(const std::string& path, uint64_t /*offset*/, std::string_view /*bytes*/) {
  return refuse(path);
}
Result<> RecordingHost::make(const std::string& path) { return refuse(path); }
Result<> RecordingHost::remove(const std::string& path) { return refuse(path); }
Result<> RecordingHost::apply(const KernelWrite& write) { return refuse(to_text(write)); }
std::optional<Error> RecordingHost::damage() const { return memory_->source.damage(); }

Result<> RecordingHost::save(const std::string& folder) const {
  std::error_code error;
  if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    return fail(ErrorKind::kUsage, folder + ": exists and is not an empty folder; name a new one");
  Memory memory = *memory_;
  if (memory.options.redact) memory.redact();

  const Draft draft(folder);
  TRY(draft.make());
  Manifest manifest{.redacted = memory.options.redact};
  for (const auto& [path, outcome] : memory.files) {
    const Asked& asked = manifest.asked.emplace_back(asked_of(AskedKind::kFile, path, outcome));
    if (outcome) TRY(draft.write(data_path(asked), *outcome));
  }
  for (const auto& [key, outcome] : memory.bytes) {
    Asked& asked = manifest.asked.emplace_back(asked_of(AskedKind::kBytes, std::get<std::string>(key), outcome));
    asked.offset = std::get<1>(key);
    asked.size = std::get<2>(key);
    if (outcome) TRY(draft.write(data_path(asked), *outcome));
  }
  for (const auto& [path, outcome] : memory.lists) {
    Asked& asked = manifest.asked.emplace_back(asked_of(AskedKind::kList, path, outcome));
    if (outcome) asked.names = *outcome;
  }
  for (const auto& [path, outcome] : memory.links) {
    Asked& asked = manifest.asked.emplace_back(asked_of(AskedKind::kLink, path, outcome));
    if (outcome) asked.target = *outcome;
  }
  for (const auto& [query, outcome] : memory.objects) {
    const Asked& asked = manifest.asked.emplace_back(asked_of(AskedKind::kKernel, recording_path(query), outcome));
    if (outcome) TRY(draft.write(data_path(asked), encode_answer(*outcome)));
  }
  TRY(draft.write(std::string(kManifestName), encode_manifest(manifest)));
  return draft.move_into_place();
}

}  // namespace rocert
