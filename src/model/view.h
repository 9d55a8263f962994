// View: what a unit gets to judge by. Pure values; nothing here can do I/O.
#pragma once
#include "model/driver_facts.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "model/wants.h"

namespace rocert {

struct View {
  const Snapshot& host;
  const Port* port = nullptr;  // null at host scope
  const Wants& wants;
  const Profile* profile = nullptr;  // null: no intent was given
  const DriverTable& drivers;
};

}  // namespace rocert
