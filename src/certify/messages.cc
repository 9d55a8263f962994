#include "certify/messages.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "fleet/channel.h"
#include "model/json.h"

namespace rocert {
namespace {

// The type word of every alternative, in the variant's order.
constexpr std::array<std::string_view, std::variant_size_v<ToWorker>> kToWorker{"survey", "probe",  "peer",
                                                                                "step",   "cancel", "bye"};
constexpr std::array<std::string_view, std::variant_size_v<FromWorker>> kFromWorker{"welcome", "snapshot", "endpoint",
                                                                                    "reached", "result",   "failure"};

template <class Message, size_t N>
std::string encode_as(const Message& message, const std::array<std::string_view, N>& types) {
  Json document{{"type", std::string(types[message.index()])}};
  std::visit([&](const auto& one) { document.update(to_json(one)); }, message);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Message, size_t... I>
Result<Message> decode_alternative(size_t index, const Json& fields, std::index_sequence<I...>) {
  Result<Message> decoded = fail(ErrorKind::kInternal, "");
  const auto decode_one = [&]<size_t i>() {
    auto one = from_json<std::variant_alternative_t<i, Message>>(fields, {});
    if (one) {
      decoded = Message(std::move(*one));
    } else {
      decoded = fail(one.error());
    }
  };
  (void)((I == index && (decode_one.template operator()<I>(), true)) || ...);
  return decoded;
}

template <class Message, size_t N>
Result<Message> decode_as(std::string_view payload, const std::array<std::string_view, N>& types) {
  Json document = TRY(parse_json(payload, "message", kFrameLimit));
  const auto found = document.is_object() ? document.find("type") : document.end();
  const auto* type = found == document.end() ? nullptr : found->get_ptr<const std::string*>();
  if (type == nullptr) return fail(ErrorKind::kMalformed, "type: missing", {"message"});
  for (size_t i = 0; i < N; ++i) {
    if (*type != types[i]) continue;
    const std::string name = *type;
    document.erase("type");
    auto decoded = decode_alternative<Message>(i, document, std::make_index_sequence<N>());
    if (!decoded) return fail(ErrorKind::kMalformed, decoded.error().message, {"message " + name});
    return decoded;
  }
  return fail(ErrorKind::kMalformed, "type: seen \"" + escaped(*type, 40) + "\", which this version does not know",
              {"message"});
}

}  // namespace

std::string encode(const ToWorker& message) { return encode_as(message, kToWorker); }
std::string encode(const FromWorker& message) { return encode_as(message, kFromWorker); }

Result<ToWorker> decode_to_worker(std::string_view payload) { return decode_as<ToWorker>(payload, kToWorker); }
Result<FromWorker> decode_from_worker(std::string_view payload) { return decode_as<FromWorker>(payload, kFromWorker); }

}  // namespace rocert
