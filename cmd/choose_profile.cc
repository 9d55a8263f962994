#include "cmd/choose_profile.h"

#include <unistd.h>

#include <filesystem>

#include "base/text.h"
#include "cmd/output.h"
#include "cmd/units.h"
#include "registry/profiles.h"

namespace rocert {
namespace {

bool is_file(std::string_view word) { return word.find('/') != std::string_view::npos || word.ends_with(".yaml"); }

// The context is the folder of the profile that extends; a name with a '/' never leaves it.
Result<std::string> find_beside(std::string_view name, const void* context) {
  const auto& folder = *static_cast<const std::filesystem::path*>(context);
  const std::filesystem::path path = folder / (std::string(name) + ".yaml");
  std::error_code ignored;
  if (name.find('/') == std::string_view::npos && std::filesystem::exists(path, ignored))
    return read_text_file(path.string());
  return find_profile_text(registry::profiles(), name);
}

Result<Profile> load_file(const std::string& path) {
  const std::string text = TRY(read_text_file(path));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return parse_profile(text, path, known_keys(), {find_beside, &folder});
}

}  // namespace

Result<Profile> load_profile(const std::string& name_or_file) {
  if (is_file(name_or_file)) return load_file(name_or_file);
  auto text = find_profile_text(registry::profiles(), name_or_file);
  if (!text) {
    text.error().message += "; a file is given with its path or ends in .yaml";
    return fail(text.error());
  }
  return parse_profile(*text, name_or_file + ".yaml", known_keys(), registry::profile_library());
}

Result<std::optional<Profile>> choose_profile(const std::string& name_or_file, const Places& places) {
  if (!name_or_file.empty()) return std::optional(TRY(load_profile(name_or_file)));
  const std::string site = places.site_profile();
  std::error_code error;
  const bool there = std::filesystem::exists(std::filesystem::symlink_status(site, error));
  if (!there && (!error || error == std::errc::no_such_file_or_directory)) return std::nullopt;
  return std::optional(TRY(load_file(site)));
}

}  // namespace rocert
