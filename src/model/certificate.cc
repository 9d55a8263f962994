#include "model/certificate.h"

#include "base/text.h"
#include "model/json.h"

namespace rocert {
namespace {

constexpr std::string_view kSchema = "rocert/certificate/1";

Result<> check_schema(const Json& document) {
  const auto found = document.is_object() ? document.find("schema") : document.end();
  const auto* schema = found == document.end() ? nullptr : found->get_ptr<const std::string*>();
  if (schema == nullptr)
    return fail(ErrorKind::kMalformed, "schema: missing, wanted " + std::string(kSchema), {"certificate"});
  if (*schema != kSchema)
    return fail(ErrorKind::kMalformed, "schema: seen " + escaped(*schema, 60) + ", wanted " + std::string(kSchema),
                {"certificate"});
  return {};
}

}  // namespace

std::string encode_certificate(const Certificate& certificate) {
  Json document{{"schema", std::string(kSchema)}};
  document.update(to_json(certificate));
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Certificate> decode_certificate(std::string_view text) {
  const Json document = TRY(parse_json(text, "certificate"));
  TRY(check_schema(document));
  return from_json<Certificate>(document, {});
}

}  // namespace rocert
