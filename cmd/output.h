// What a command prints and the files that people hand to it. A full disk is an error, a reader that had enough is not.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocert {

// Text to stderr; what cannot be said there changes nothing.
void tell(std::string_view text);

// All of the text to stdout.
Result<> print(std::string_view text);

// A text file that the user named, of at most 16 MiB. An Error (kUsage) says why it cannot be read.
Result<std::string> read_text_file(const std::string& path);

// A terminal that has not been told otherwise by NO_COLOR.
bool wants_color(int descriptor);

}  // namespace rocert
