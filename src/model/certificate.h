// Certificate: the verdict per host with its reasons, and the digest of the evidence it rests on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/fabric.h"
#include "model/fields.h"

namespace rocert {

enum class Standing { kCertified, kExcluded, kUnknown };
template <>
struct Words<Standing> {
  static constexpr std::array<std::pair<Standing, std::string_view>, 3> values{
      {{Standing::kCertified, "certified"}, {Standing::kExcluded, "excluded"}, {Standing::kUnknown, "unknown"}}};
};

struct HostVerdict {
  std::string host;
  Standing standing = Standing::kUnknown;
  std::vector<std::string> reasons;  // "rail 1 (ens2np0): ..."; empty when certified
  std::vector<Suspect> suspects;
  bool operator==(const HostVerdict&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"host", &HostVerdict::host}, Field{"standing", &HostVerdict::standing},
                      Field{"reasons", &HostVerdict::reasons}, Field{"suspects", &HostVerdict::suspects}};
  }
};

struct Certificate {
  std::string rocert_version;
  std::string profile;
  std::string profile_digest;
  std::string started_at, finished_at;  // UTC
  uint64_t pairs_planned = 0;
  uint64_t pairs_measured = 0;
  std::vector<HostVerdict> hosts;
  std::vector<Finding> findings;  // of the fabric checks, failures and unknowns
  std::string evidence_file;      // beside the certificate
  std::string evidence_sha256;    // hex
  bool operator==(const Certificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"rocert_version", &Certificate::rocert_version},
                      Field{"profile", &Certificate::profile},
                      Field{"profile_digest", &Certificate::profile_digest},
                      Field{"started_at", &Certificate::started_at},
                      Field{"finished_at", &Certificate::finished_at},
                      Field{"pairs_planned", &Certificate::pairs_planned},
                      Field{"pairs_measured", &Certificate::pairs_measured},
                      Field{"hosts", &Certificate::hosts},
                      Field{"findings", &Certificate::findings},
                      Field{"evidence_file", &Certificate::evidence_file},
                      Field{"evidence_sha256", &Certificate::evidence_sha256}};
  }
};

// `schema: rocert/certificate/1`.
std::string encode_certificate(const Certificate& certificate);
Result<Certificate> decode_certificate(std::string_view text);

}  // namespace rocert
