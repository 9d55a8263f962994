// Recordings: a folder that holds what a host said, path by path, with a manifest of all that was asked, failures
// included. RecordingHost saves what it reads through another Host; RecordedHost replays it. A path that was never
// asked answers "not recorded"; links never leave the folder.
#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "host/host.h"

namespace rocert {

struct RecordingOptions {
  bool redact = false;  // see host/redact.h for what is replaced and what is kept
};

// A Host that reads through `source` and remembers; nothing is written to disk before save().
class RecordingHost : public Host {
 public:
  RecordingHost(Host& source, RecordingOptions options);
  ~RecordingHost() override;

  Observed<std::string> read(const std::string& path, size_t limit) override;
  Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) override;
  Observed<std::vector<std::string>> list(const std::string& path) override;
  Observed<std::string> link(const std::string& path) override;
  Result<> write(const std::string& path, std::string_view text) override;  // refused: a recording only reads
  Result<> write_at(const std::string& path, uint64_t offset, std::string_view bytes) override;
  Result<> make(const std::string& path) override;
  Result<> remove(const std::string& path) override;
  Result<> apply(const KernelWrite& write) override;
  std::optional<Error> damage() const override;

  // Writes the recording into a new folder (it must not exist, or be empty); nothing is left behind on failure. Of a
  // path that was asked more than once, the last outcome is kept.
  Result<> save(const std::string& folder) const;

 protected:
  Observed<KernelAnswer> ask(const KernelQuery& query) override;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// Opens a recording; an Error (kMalformed, with file and place) when the manifest is missing, malformed or of an
// unknown major.
Result<std::unique_ptr<Host>> open_recorded_host(const std::string& folder);

}  // namespace rocert
