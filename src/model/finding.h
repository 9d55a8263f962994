// Finding: one judgement about one subject, with what was seen, what was wanted and the evidence.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/fields.h"
#include "model/gap.h"
#include "model/subject.h"

namespace rocert {

enum class Verdict { kPass, kFail, kUnknown, kNotApplicable };
template <>
struct Words<Verdict> {
  static constexpr std::array<std::pair<Verdict, std::string_view>, 4> values{
      {{Verdict::kPass, "pass"},
       {Verdict::kFail, "fail"},
       {Verdict::kUnknown, "unknown"},
       {Verdict::kNotApplicable, "not applicable"}}};
};

// error: breaks or corrupts; warn: costs performance; info: a reader should know.
enum class Severity { kInfo, kWarn, kError };
template <>
struct Words<Severity> {
  static constexpr std::array<std::pair<Severity, std::string_view>, 3> values{
      {{Severity::kInfo, "info"}, {Severity::kWarn, "warn"}, {Severity::kError, "error"}}};
};

// What a rule says; the engine adds code, severity and host.
struct Judgement {
  Verdict verdict = Verdict::kPass;
  std::string seen;
  std::string wanted;
  std::string says;                   // one sentence: what follows from the difference
  std::vector<std::string> evidence;  // facts and where they were read
  std::vector<std::string> settings;  // keys to look at
  std::string port;                   // at host scope: the port it is about, if one
  std::string item;
  std::optional<Severity> severity;  // when it differs from the unit's
};

Judgement pass(std::string seen = {});
Judgement failure(std::string seen, std::string wanted, std::string says);
Judgement not_applicable(std::string says);
Judgement unknown(const Gap& gap, std::string wanted = {});

struct Finding {
  std::string code;
  Subject subject;
  Verdict verdict = Verdict::kPass;
  Severity severity = Severity::kError;
  std::string seen;
  std::string wanted;
  std::string says;
  std::vector<std::string> evidence;
  std::vector<std::string> settings;
  bool must_know = false;             // the profile says that a Gap here matters
  std::optional<std::string> waived;  // reason and date of the waiver that holds
  std::vector<Finding> consequences;  // folded under this cause
  bool operator==(const Finding&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"code", &Finding::code},         Field{"subject", &Finding::subject},
                      Field{"verdict", &Finding::verdict},   Field{"severity", &Finding::severity},
                      Field{"seen", &Finding::seen},         Field{"wanted", &Finding::wanted},
                      Field{"says", &Finding::says},         Field{"evidence", &Finding::evidence},
                      Field{"settings", &Finding::settings}, Field{"must_know", &Finding::must_know},
                      Field{"waived", &Finding::waived},     Field{"consequences", &Finding::consequences}};
  }
};

// Result of one audit, of a host or of a fabric; the value that every renderer takes.
struct Audit {
  std::string host;
  std::string profile;             // empty: none, only what needs no intent was judged
  std::vector<std::string> notes;  // header lines: rails derived by prefix, no profile, ...
  size_t ports = 0;
  size_t facts = 0;
  size_t gaps = 0;
  std::vector<Finding> findings;    // ordered: severity, subject, code; passes included
  std::vector<std::string> others;  // devices listed, not judged
  bool operator==(const Audit&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"host", &Audit::host},         Field{"profile", &Audit::profile},
                      Field{"notes", &Audit::notes},       Field{"ports", &Audit::ports},
                      Field{"facts", &Audit::facts},       Field{"gaps", &Audit::gaps},
                      Field{"findings", &Audit::findings}, Field{"others", &Audit::others}};
  }
};

// Exit code of an audit: 1 a failure of severity error that is not waived (or from `fail_on` up), else 3 an unknown
// that the profile says matters, else 0. 1 outranks 3.
int exit_code(const Audit& audit, Severity fail_on = Severity::kError);

// `schema: rocert/audit/1`.
std::string encode_audit(const Audit& audit);
Result<Audit> decode_audit(std::string_view text);

}  // namespace rocert
