// Which profile a command judges by: one that is named, a file, or the site's.
#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "cmd/command.h"
#include "model/profile.h"

namespace rocert {

// NAME of a shipped profile, or a FILE when the word holds a '/' or ends in .yaml. What a file extends is looked for
// beside it, then among the shipped ones.
Result<Profile> load_profile(const std::string& name_or_file);

// As load_profile; the site's profile when the word is empty; nothing when there is none.
Result<std::optional<Profile>> choose_profile(const std::string& name_or_file, const Places& places);

}  // namespace rocert
