// A worker that plays a part, over the real protocol: this test program is its own launcher ("PROGRAM exec HOST --
// SCRIPT worker"). SCRIPT says how hosts behave that do not behave well: "n2:dies-in-survey,n3:slow".
#pragma once
#include <string>

#include "model/snapshot.h"

namespace rocert {

// Exits the process.
[[noreturn]] void play_worker(const std::string& host, const std::string& script);

// A host with one RoCE port on each of two rails, 198.18.0.0/24 and 198.18.1.0/24; "n17" is number 17 there.
Snapshot sample_snapshot(const std::string& host);

}  // namespace rocert
