// Reads the files that units declared (model/fact.h), with the placeholders of their paths filled in.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "host/host.h"
#include "model/fact.h"
#include "model/snapshot.h"

namespace rocert {

// "netdev", "rdma", "rdma_port", "bdf": what stands for them, or why there is nothing.
using Placeholders = std::map<std::string_view, Observed<std::string>>;

// The path with every {name} replaced. A Gap where a value is missing, or is not one plain path component.
Observed<std::string> fill_in(std::string_view path, const Placeholders& placeholders);

// Trimmed text of every fact of the scope, added to `into`; a key that is there already is not read again.
void read_facts(Host& host, std::span<const Fact> facts, Scope scope, const Placeholders& placeholders, Facts& into);

}  // namespace rocert
