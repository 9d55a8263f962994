#include "model/finding.h"

#include <algorithm>

#include "model/json.h"

namespace rocert {
namespace {

constexpr std::string_view kSchema = "rocert/audit/1";

// A waiver of a cause covers what follows from it, so consequences below a waived cause are not looked at.
template <class Predicate>
bool any_unwaived(const std::vector<Finding>& findings, const Predicate& holds) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return !f.waived && (holds(f) || any_unwaived(f.consequences, holds)); });
}

}  // namespace

Judgement pass(std::string seen) { return {.verdict = Verdict::kPass, .seen = std::move(seen)}; }

Judgement failure(std::string seen, std::string wanted, std::string says) {
  return {.verdict = Verdict::kFail, .seen = std::move(seen), .wanted = std::move(wanted), .says = std::move(says)};
}

Judgement not_applicable(std::string says) { return {.verdict = Verdict::kNotApplicable, .says = std::move(says)}; }

Judgement unknown(const Gap& gap, std::string wanted) {
  return {.verdict = Verdict::kUnknown, .wanted = std::move(wanted), .says = to_text(gap)};
}

int exit_code(const Audit& audit, Severity fail_on) {
  if (any_unwaived(audit.findings,
                   [&](const Finding& f) { return f.verdict == Verdict::kFail && f.severity >= fail_on; }))
    return 1;
  if (any_unwaived(audit.findings, [](const Finding& f) { return f.verdict == Verdict::kUnknown && f.must_know; }))
    return 3;
  return 0;
}

std::string encode_audit(const Audit& audit) {
  Json document{{"schema", std::string(kSchema)}};
  document.update(to_json(audit));
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Audit> decode_audit(std::string_view text) {
  const Json document = TRY(parse_json(text, {}));
  const std::string schema = document.is_object() && document.contains("schema") && document["schema"].is_string()
                                 ? document["schema"].get<std::string>()
                                 : "none";
  if (schema != kSchema) {
    return fail(ErrorKind::kMalformed, "schema: seen \"" + schema + "\", wanted \"" + std::string(kSchema) + "\"");
  }
  return from_json<Audit>(document, {});
}

}  // namespace rocert
