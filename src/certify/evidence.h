// EvidenceFile: what a certification rests on, written line by line as it happens, so that a crash loses nothing.
// JSON lines: {"schema": "rocert/evidence/1", ...} first, then {"snapshot": ...}, {"lost": ...}, {"measurement": ...}.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "model/fabric.h"

namespace rocert {

class EvidenceFile {
 public:
  // Starts the file anew; its folder must exist. An Error (kSystem) names the path.
  static Result<EvidenceFile> create(const std::string& path, std::string_view rocert_version);
  EvidenceFile(EvidenceFile&&) noexcept;
  EvidenceFile& operator=(EvidenceFile&&) noexcept;
  ~EvidenceFile();

  // The digest of the host's snapshot, and which boot of which machine it is of.
  Result<> add_snapshot(const std::string& host, const Snapshot& snapshot);
  Result<> add_lost(const std::string& host, const Gap& why);
  Result<> add(const Measurement& measurement);
  // Syncs the file; SHA-256 of all that was written, hex. Nothing may be added afterwards.
  Result<std::string> finish();

 private:
  struct Digest;
  EvidenceFile(std::string path, Fd file);
  Result<> append(std::string line);

  std::string path_;
  Fd file_;
  std::unique_ptr<Digest> digest_;
};

// Writes a certificate in one step: a reader sees the old file or the whole new one. An Error (kSystem) names the path.
Result<> write_certificate(const std::string& path, std::string_view document);

}  // namespace rocert
