// RecordedHost: replays a recording. Everything is opened below the recording's own folder, without following a link.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "host/bytes.h"
#include "host/manifest.h"
#include "host/recorded_host.h"

namespace rocert {
namespace {

constexpr size_t kManifestLimit = size_t{64} << 20;
constexpr size_t kObjectLimit = size_t{256} << 20;

// A regular file below `root`; a symbolic link anywhere on the way is refused (ELOOP).
Observed<std::string> read_below(int root, const std::string& path, size_t limit) {
  Fd folder;
  const auto parts = split(path, '/');
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const int from = folder ? folder.get() : root;
    Fd next(openat(from, std::string(parts[i]).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next) return tl::unexpected<Gap>(gap_of(errno, path));
    folder = std::move(next);
  }
  const Fd file(openat(folder ? folder.get() : root, std::string(parts.back()).c_str(),
                       O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file) return tl::unexpected<Gap>(gap_of(errno, path));
  if (!is_regular(file)) return gap(GapReason::kUnreadable, path + ": not a regular file");
  return read_all(file, path, limit);
}

class RecordedHost : public Host {
 public:
  RecordedHost(Fd folder, std::string name, Manifest manifest) : folder_(std::move(folder)), name_(std::move(name)) {
    for (Asked& asked : manifest.asked) {
      Key key = key_of(asked.kind, asked.path, asked.offset.value_or(0), asked.size.value_or(0));
      asked_.emplace(std::move(key), std::move(asked));
    }
  }

  Observed<std::string> read(const std::string& path, size_t limit) override {
    return data(key_of(AskedKind::kFile, path), limit);
  }

  Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) override {
    if (asked_.contains(key_of(AskedKind::kBytes, path, offset, size)) ||
        !asked_.contains(key_of(AskedKind::kFile, path)))
      return data(key_of(AskedKind::kBytes, path, offset, size), size);
    auto whole = data(key_of(AskedKind::kFile, path), kObjectLimit);
    if (!whole) return whole;
    return offset >= whole->size() ? std::string() : whole->substr(offset, size);
  }

  Observed<std::vector<std::string>> list(const std::string& path) override {
    const auto asked = outcome(key_of(AskedKind::kList, path));
    if (!asked) return tl::unexpected<Gap>(asked.error());
    return *(*asked)->names;
  }

  Observed<std::string> link(const std::string& path) override {
    const auto asked = outcome(key_of(AskedKind::kLink, path));
    if (!asked) return tl::unexpected<Gap>(asked.error());
    return *(*asked)->target;
  }

  Result<> write(const std::string& path, std::string_view /*text*/) override { return refuse(path); }
  Result<> write_at(const std::string& path, uint64_t /*offset*/, std::string_view /*bytes*/) override {
    return refuse(path);
  }
  Result<> make(const std::string& path) override { return refuse(path); }
  Result<> remove(const std::string& path) override { return refuse(path); }
  Result<> apply(const KernelWrite& write) override { return refuse(to_text(write)); }
  std::optional<Error> damage() const override { return damage_; }

 protected:
  Observed<KernelAnswer> ask(const KernelQuery& query) override {
    auto text = data(key_of(AskedKind::kKernel, recording_path(query)), kObjectLimit);
    if (!text) return tl::unexpected<Gap>(std::move(text).error());
    auto answer = decode_answer(query, *text);
    if (!answer) return damaged(GapReason::kMalformed, recording_path(query), answer.error().message);
    return std::move(*answer);
  }

 private:
  using Key = std::tuple<AskedKind, std::string, uint64_t, uint64_t>;

  static Key key_of(AskedKind kind, std::string path, uint64_t offset = 0, uint64_t size = 0) {
    return {kind, std::move(path), offset, size};
  }
  static Result<> refuse(const std::string& what) {
    return fail(ErrorKind::kUsage, what + ": a recording cannot be written");
  }

  Observed<const Asked*> outcome(const Key& key) const {
    const auto found = asked_.find(key);
    if (found == asked_.end()) return gap(GapReason::kNotRecorded, std::get<std::string>(key));
    const Asked& asked = found->second;
    if (asked.gap) return gap(*asked.gap, asked.detail.value_or(""));
    return &asked;
  }

  Observed<std::string> data(const Key& key, size_t limit) {
    const auto asked = outcome(key);
    if (!asked) return tl::unexpected<Gap>(asked.error());
    auto text = read_below(folder_.get(), data_path(**asked), limit);
    // The manifest says that it was read: a file that is gone is the recording's fault, not the host's answer.
    if (!text && text.error().reason != GapReason::kMalformed)
      return damaged(GapReason::kUnreadable, data_path(**asked), to_text(text.error()));
    return text;
  }

  tl::unexpected<Gap> damaged(GapReason reason, const std::string& path, const std::string& why) {
    if (!damage_) damage_ = Error{ErrorKind::kMalformed, "damaged recording: " + why, {name_ + "/" + path}};
    return gap(reason, "recording: " + path + ": " + why);
  }

  Fd folder_;
  std::string name_;
  std::optional<Error> damage_;
  std::map<Key, Asked> asked_;
};

}  // namespace

Result<std::unique_ptr<Host>> open_recorded_host(const std::string& folder) {
  Fd root(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root) return fail(error_of(errno, folder));
  const std::string file = folder + "/" + std::string(kManifestName);
  auto text = read_below(root.get(), std::string(kManifestName), kManifestLimit);
  if (!text) return fail(ErrorKind::kMalformed, "no recording: " + to_text(text.error()), {file});
  Manifest manifest = TRY(decode_manifest(*text, file));
  return std::unique_ptr<Host>(std::make_unique<RecordedHost>(std::move(root), folder, std::move(manifest)));
}

}  // namespace rocert
