#include "certify/evidence.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "model/json.h"

namespace rocert {
namespace {

tl::unexpected<Error> failed(const std::string& path) {
  return fail(ErrorKind::kSystem, path + ": " + std::generic_category().message(errno));
}

Result<> write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed(path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

std::string line_of(const std::string& kind, Json content) {
  return Json{{kind, std::move(content)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string known(const Observed<std::string>& fact) { return fact ? *fact : ""; }

}  // namespace

struct EvidenceFile::Digest {
  Digest() : context(EVP_MD_CTX_new(), &EVP_MD_CTX_free) { EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr); }
  void update(std::string_view bytes) { EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()); }
  std::string hex() {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    EVP_DigestFinal_ex(context.get(), bytes, &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", bytes[i]);
    return text;
  }
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context;
};

EvidenceFile::EvidenceFile(std::string path, Fd file)
    : path_(std::move(path)), file_(std::move(file)), digest_(std::make_unique<Digest>()) {}
EvidenceFile::EvidenceFile(EvidenceFile&&) noexcept = default;
EvidenceFile& EvidenceFile::operator=(EvidenceFile&&) noexcept = default;
EvidenceFile::~EvidenceFile() = default;

Result<EvidenceFile> EvidenceFile::create(const std::string& path, std::string_view rocert_version) {
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  if (!file && errno == EEXIST)
    return fail(ErrorKind::kUsage, path + " exists: another run writes or has written there; name another folder");
  if (!file) return failed(path);
  EvidenceFile evidence(path, std::move(file));
  TRY(evidence.append(Json{{"schema", "rocert/evidence/1"}, {"rocert_version", std::string(rocert_version)}}.dump()));
  return evidence;
}

Result<> EvidenceFile::append(std::string line) {
  line += '\n';
  TRY(write_all(file_.get(), line, path_));
  digest_->update(line);
  return {};
}

Result<> EvidenceFile::add_snapshot(const std::string& host, const Snapshot& snapshot) {
  Digest digest;
  digest.update(encode_snapshot(snapshot));
  return append(line_of("snapshot", {{"host", host},
                                     {"name", snapshot.host.name},
                                     {"machine_id", known(snapshot.host.machine_id)},
                                     {"boot_id", known(snapshot.host.boot_id)},
                                     {"taken_at", snapshot.taken_at},
                                     {"sha256", digest.hex()}}));
}

Result<> EvidenceFile::add_lost(const std::string& host, const Gap& why) {
  return append(
      line_of("lost", {{"host", host}, {"reason", std::string(word_of(why.reason))}, {"detail", why.detail}}));
}

Result<> EvidenceFile::add(const Measurement& measurement) {
  return append(line_of("measurement", to_json(measurement)));
}

Result<std::string> EvidenceFile::finish() {
  if (::fsync(file_.get()) != 0) return failed(path_);
  return digest_->hex();
}

Result<> write_certificate(const std::string& path, std::string_view document) {
  const std::string temporary = fmt::format("{}.{}.new", path, ::getpid());
  const auto write = [&]() -> Result<> {
    const Fd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file) return failed(temporary);
    TRY(write_all(file.get(), document, temporary));
    if (::fsync(file.get()) != 0) return failed(temporary);
    if (::rename(temporary.c_str(), path.c_str()) != 0) return failed(path);
    return {};
  };
  const auto written = write();
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace rocert
