// Suspects: which ends the measurements of a fabric point at, in words. Pure.
#pragma once
#include <vector>

#include "model/fabric.h"

namespace rocert {

// By rail, then host; an end that several probes accuse is one suspect. Lost hosts are not accused.
std::vector<Suspect> find_suspects(const Fabric& fabric);

}  // namespace rocert
