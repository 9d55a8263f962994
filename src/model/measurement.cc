#include "model/measurement.h"

#include "model/json.h"

namespace rocert {
namespace {

constexpr size_t kLimit = size_t{4} << 20;  // two ends' counter deltas are a few thousand lines at most

}  // namespace

std::string encode_measurement(const Measurement& measurement) {
  return to_json(measurement).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Measurement> decode_measurement(std::string_view text) {
  const Json document = TRY(parse_json(text, "measurement", kLimit));
  return from_json<Measurement>(document, {});
}

}  // namespace rocert
