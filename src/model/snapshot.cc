#include "model/snapshot.h"

#include <algorithm>

#include "base/text.h"
#include "model/json.h"

namespace rocert {
namespace {

constexpr std::string_view kSchema = "rocert/snapshot/1";

template <class T>
void count(const T& value, Tally& tally) {
  using namespace detail;
  if constexpr (is_observed<T>) {
    ++(value ? tally.facts : tally.gaps);
    if (value) count(*value, tally);
  } else if constexpr (is_a<T, std::optional>) {
    if (value) count(*value, tally);
  } else if constexpr (is_a<T, std::vector>) {
    for (const auto& item : value) count(item, tally);
  } else if constexpr (is_a<T, std::map>) {
    for (const auto& [key, item] : value) count(item, tally);
  } else if constexpr (Described<T>) {
    for_each_field(value, [&](const char*, const auto& member) { count(member, tally); });
  }
}

Result<> check_schema(const Json& document) {
  const auto found = document.is_object() ? document.find("schema") : document.end();
  const auto* schema = found == document.end() ? nullptr : found->get_ptr<const std::string*>();
  if (schema == nullptr)
    return fail(ErrorKind::kMalformed, "schema: missing, wanted " + std::string(kSchema), {"snapshot"});
  if (*schema != kSchema) {
    return fail(ErrorKind::kMalformed, "schema: seen " + escaped(*schema, 60) + ", wanted " + std::string(kSchema),
                {"snapshot"});
  }
  return {};
}

}  // namespace

Observed<std::string> find_fact(const Facts& facts, std::string_view key) {
  const auto found = facts.find(std::string(key));
  return found == facts.end() ? gap(GapReason::kNotAsked, std::string(key)) : found->second;
}

const Port* find_port(const Snapshot& snapshot, std::string_view name) {
  const auto& ports = snapshot.ports;
  auto found = std::find_if(ports.begin(), ports.end(), [&](const Port& port) { return port.netdev() == name; });
  if (found == ports.end())
    found = std::find_if(ports.begin(), ports.end(), [&](const Port& port) { return port.rdma.device == name; });
  return found == ports.end() ? nullptr : &*found;
}

Tally tally(const Snapshot& snapshot) {
  Tally result;
  count(snapshot, result);
  return result;
}

std::string encode_snapshot(const Snapshot& snapshot) {
  Json document = Json::object();
  document["schema"] = kSchema;
  document.update(to_json(snapshot));
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Snapshot> decode_snapshot(std::string_view text) {
  const Json document = TRY(parse_json(text, "snapshot"));
  TRY(check_schema(document));
  auto snapshot = from_json<Snapshot>(document, "");
  if (snapshot) return snapshot;
  Error error = std::move(snapshot).error();
  error.place.file = "snapshot";
  return fail(std::move(error));
}

}  // namespace rocert
