// Setting: one thing that can be read and compared (and, from its write side, set) on a host, a port or a member.
// Audited, planned, applied, verified, undone and documented from this one definition.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "model/fact.h"
#include "model/finding.h"
#include "model/gap.h"
#include "model/page.h"
#include "model/shape.h"
#include "model/subject.h"
#include "model/value.h"
#include "model/view.h"

namespace rocert {

struct Setting {
  Page page;
  Shape takes;
  Scope scope = Scope::kPort;
  Severity severity = Severity::kError;  // of a difference
  std::span<const Fact> reads;           // files that `current` needs from the survey
  // What it is read of; null: the view's host, its port, or every member of the port, by scope. Empty: not applicable
  // here.
  std::vector<Subject> (*subjects)(const View& view) = nullptr;
  Observed<Value> (*current)(const View& view, const Subject& subject) = nullptr;
  // Derived from the classes of the port's role; nothing: no intent, shown as a fact. The profile's own override goes
  // first.
  std::optional<Value> (*wanted)(const View& view, const Subject& subject) = nullptr;
  // Null: equal. An override counts as wanted.
  bool (*satisfies)(const View& view, const Subject& subject, const Value& current, const Value& wanted) = nullptr;
  // Why it does not apply to this subject, one sentence ("a virtual function: ..."); nothing, or null: it applies.
  std::optional<std::string> (*inapplicable)(const View& view, const Subject& subject) = nullptr;
  // How values read in a report where their own text says too little or too much ("at least 4192 bytes"; only the
  // entries that matter); null: to_text. `wanted` is null without intent.
  std::string (*seen_text)(const View& view, const Subject& subject, const Value& current,
                           const Value* wanted) = nullptr;
  std::string (*wanted_text)(const View& view, const Subject& subject, const Value& wanted) = nullptr;
  // What follows from a difference, one sentence; null: the page's why.
  std::string (*says)(const View& view, const Subject& subject, const Value& current, const Value& wanted) = nullptr;
};

// The member that a subject names, null when the subject is the port itself or is gone.
const Member* member_of(const View& view, const Subject& subject);

}  // namespace rocert
