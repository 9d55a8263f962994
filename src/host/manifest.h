// The manifest of a recording: everything that the host was asked, with its outcome. Data lies in files beside it,
// whose places follow from what was asked.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/gap.h"

namespace rocert {

enum class AskedKind { kFile, kBytes, kList, kLink, kKernel };
template <>
struct Words<AskedKind> {
  static constexpr std::array<std::pair<AskedKind, std::string_view>, 5> values{{{AskedKind::kFile, "file"},
                                                                                 {AskedKind::kBytes, "bytes"},
                                                                                 {AskedKind::kList, "list"},
                                                                                 {AskedKind::kLink, "link"},
                                                                                 {AskedKind::kKernel, "kernel"}}};
};

struct Asked {
  AskedKind kind = AskedKind::kFile;
  std::string path;                               // of the host; for kernel objects recording_path()
  std::optional<uint64_t> offset;                 // kBytes
  std::optional<uint64_t> size;                   // kBytes
  std::optional<std::vector<std::string>> names;  // outcome of kList
  std::optional<std::string> target;              // outcome of kLink
  std::optional<GapReason> gap;                   // why there is no outcome
  std::optional<std::string> detail;              // of the gap
  bool operator==(const Asked&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &Asked::kind}, Field{"path", &Asked::path},    Field{"offset", &Asked::offset},
                      Field{"size", &Asked::size}, Field{"names", &Asked::names},  Field{"target", &Asked::target},
                      Field{"gap", &Asked::gap},   Field{"detail", &Asked::detail}};
  }
};

struct Manifest {
  bool redacted = false;
  std::vector<Asked> asked;
  bool operator==(const Manifest&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"redacted", &Manifest::redacted}, Field{"asked", &Manifest::asked}};
  }
};

inline constexpr std::string_view kManifestName = "manifest.json";

// Where the data of a file, of bytes or of a kernel object lies, relative to the recording's folder; never outside it.
std::string data_path(const Asked& asked);

// `schema: rocert/recording/1`. Errors carry `file` and the place.
std::string encode_manifest(const Manifest& manifest);
Result<Manifest> decode_manifest(std::string_view text, const std::string& file);

}  // namespace rocert
