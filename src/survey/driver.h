// Driver: facts about one NIC family and the files of it that the survey reads. A new NIC is one new file in
// tuning/drivers.
#pragma once
#include <span>

#include "model/driver_facts.h"
#include "model/fact.h"
#include "model/page.h"

namespace rocert {

struct Driver {
  Page page;
  DriverFacts facts;
  std::span<const Fact> reads;  // of members that this driver serves
};

}  // namespace rocert
