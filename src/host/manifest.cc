#include "host/manifest.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "base/text.h"
#include "model/json.h"
#include "model/kernel.h"

namespace rocert {
namespace {

constexpr std::string_view kKind = "rocert/recording/";
constexpr int kMajor = 1;

std::string below(std::string_view folder, std::string_view path) {
  std::string out(folder);
  if (path.starts_with('/')) path.remove_prefix(1);
  for (std::string_view part : split(path, '/')) out += "/" + component_of(part);
  return out;
}

Result<> check_schema(const Json& json, const std::string& file) {
  const auto schema = json.is_object() ? json.find("schema") : json.end();
  const std::string wanted = std::string(kKind) + std::to_string(kMajor);
  if (schema == json.end() || !schema->is_string())
    return fail(ErrorKind::kMalformed, "no schema: seen none, wanted \"" + wanted + "\"", {file, 1});
  const auto& seen = schema->get_ref<const std::string&>();
  if (seen != wanted)
    return fail(ErrorKind::kMalformed, "schema: seen \"" + escaped(seen, 60) + "\", wanted \"" + wanted + "\"",
                {file, 1});
  return {};
}

// The outcome that the kind promises, and nothing else.
bool is_whole(const Asked& asked) {
  const bool bytes = asked.kind == AskedKind::kBytes;
  if (asked.offset.has_value() != bytes || asked.size.has_value() != bytes) return false;
  if (asked.gap) return !asked.names && !asked.target;
  return !asked.detail && asked.names.has_value() == (asked.kind == AskedKind::kList) &&
         asked.target.has_value() == (asked.kind == AskedKind::kLink);
}

}  // namespace

std::string data_path(const Asked& asked) {
  switch (asked.kind) {
    case AskedKind::kFile:
      return below("files", asked.path);
    case AskedKind::kBytes:
      return below("bytes", asked.path) + fmt::format("@{}+{}", asked.offset.value_or(0), asked.size.value_or(0));
    case AskedKind::kKernel:
      return asked.path;  // recording_path() made it
    case AskedKind::kList:
    case AskedKind::kLink:
      break;
  }
  return {};
}

std::string encode_manifest(const Manifest& manifest) {
  Json json = {{"schema", std::string(kKind) + std::to_string(kMajor)}};
  json.update(to_json(manifest));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Manifest> decode_manifest(std::string_view text, const std::string& file) {
  const Json json = TRY(parse_json(text, file));
  TRY(check_schema(json, file));
  auto manifest = from_json<Manifest>(json, "");
  if (!manifest) {
    Error error = std::move(manifest).error();
    error.place.file = file;
    return fail(std::move(error));
  }
  std::set<std::tuple<AskedKind, std::string, uint64_t, uint64_t>> seen;
  for (const Asked& asked : manifest->asked) {
    const std::string what = std::string(word_of(asked.kind)) + " " + escaped(asked.path, 100);
    if (!is_whole(asked))
      return fail(ErrorKind::kMalformed, what + ": its outcome is missing or of another kind", {file});
    if (!seen.emplace(asked.kind, asked.path, asked.offset.value_or(0), asked.size.value_or(0)).second)
      return fail(ErrorKind::kMalformed, what + ": is there twice", {file});
  }
  return std::move(*manifest);
}

}  // namespace rocert
