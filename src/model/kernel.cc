#include "model/kernel.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/json.h"

namespace rocert {
namespace {

// In the order of KernelQuery.
constexpr std::array<std::string_view, std::variant_size_v<KernelQuery>> kNames{
    "links",       "addresses",     "routes",     "rules",           "neighbours",     "rdma_ports",
    "rdma_system", "dcb",           "driver",     "link_modes",      "pause",          "fec",
    "rings",       "private_flags", "statistics", "rdma_statistics", "rdma_attributes"};

std::string encode_counters(const Counters& counters) {
  std::string text;
  for (const auto& [name, value] : counters) text += fmt::format("{} {}\n", name, value);
  return text;
}

Result<Counters> decode_counters(std::string_view text, const std::string& file) {
  Counters counters;
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const size_t blank = line.rfind(' ');
    const auto value = blank == std::string_view::npos ? std::nullopt : parse_unsigned(line.substr(blank + 1));
    if (!value || blank == 0)
      return fail(ErrorKind::kMalformed, "seen \"" + escaped(line, 60) + "\", wanted a name, a blank and a number",
                  {file, number});
    if (!counters.emplace(std::string(line.substr(0, blank)), *value).second)
      return fail(ErrorKind::kMalformed, "counter \"" + escaped(line.substr(0, blank), 60) + "\" is there twice",
                  {file, number});
  }
  return counters;
}

template <class Query>
Result<KernelAnswer> decode(std::string_view name, const std::string& file, std::string_view text) {
  using Answer = typename Query::Answer;
  if constexpr (std::is_same_v<Answer, Counters>) {
    return TRY(decode_counters(text, file));
  } else {
    const Json json = TRY(parse_json(text, file));
    auto answer = from_json<Answer>(json, std::string(name));
    if (answer) return KernelAnswer(std::move(*answer));
    Error error = std::move(answer).error();
    error.place.file = file;
    return fail(std::move(error));
  }
}

std::string bits_text(uint8_t bits) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", (bits >> i) & 1);
  return text;
}

std::string_view word(bool on) { return on ? "on" : "off"; }
std::string app_text(const App& app) { return fmt::format("{}:{}:{}", app.selector, app.protocol, app.priority); }
std::string route_text(const Route& route) {
  return fmt::format("{} table {}", to_text(route.destination), route.table);
}
std::string rule_text(const Rule& rule) {
  return fmt::format("{} priority {} table {}", word_of(rule.family), rule.priority, rule.table);
}

struct WriteText {
  std::string operator()(const SetMtu& w) const { return fmt::format("link mtu {} {}", w.ifindex, w.mtu); }
  std::string operator()(const SetLinkUp& w) const {
    return fmt::format("link {} {}", w.up ? "up" : "down", w.ifindex);
  }
  std::string operator()(const SetPfc& w) const {
    return fmt::format("dcb pfc {} {}", w.netdev, bits_text(w.pfc.enabled));
  }
  std::string operator()(const SetEts& w) const { return fmt::format("dcb ets {}", w.netdev); }
  std::string operator()(const SetDcbBuffers& w) const { return fmt::format("dcb buffer {}", w.netdev); }
  std::string operator()(const AddApp& w) const { return fmt::format("dcb app add {} {}", w.netdev, app_text(w.app)); }
  std::string operator()(const RemoveApp& w) const {
    return fmt::format("dcb app del {} {}", w.netdev, app_text(w.app));
  }
  std::string operator()(const SetTrustOrder& w) const {
    return fmt::format("dcb apptrust {} {}", w.netdev, fmt::join(w.order, ","));
  }
  std::string operator()(const SetDcbx& w) const { return fmt::format("dcb dcbx {} {:#04x}", w.netdev, w.mode); }
  std::string operator()(const SetPause& w) const {
    return fmt::format("pause {} autoneg {} rx {} tx {}", w.netdev, word(w.autoneg), word(w.rx), word(w.tx));
  }
  std::string operator()(const AddAddress& w) const {
    return fmt::format("address add {} {}", w.address.ifindex, to_text(w.address.local));
  }
  std::string operator()(const RemoveAddress& w) const {
    return fmt::format("address del {} {}", w.address.ifindex, to_text(w.address.local));
  }
  std::string operator()(const AddRoute& w) const { return "route add " + route_text(w.route); }
  std::string operator()(const RemoveRoute& w) const { return "route del " + route_text(w.route); }
  std::string operator()(const AddRule& w) const { return "rule add " + rule_text(w.rule); }
  std::string operator()(const RemoveRule& w) const { return "rule del " + rule_text(w.rule); }
  std::string operator()(const AddNeighbour& w) const {
    return fmt::format("neighbour add {} {} {}", w.neighbour.ifindex, to_text(w.neighbour.address),
                       w.neighbour.link_address);
  }
  std::string operator()(const RemoveNeighbour& w) const {
    return fmt::format("neighbour del {} {}", w.neighbour.ifindex, to_text(w.neighbour.address));
  }
  std::string operator()(const SetPrivateFlag& w) const {
    return fmt::format("private flag {} {} {}", w.netdev, w.flag, word(w.on));
  }
};

}  // namespace

std::string component_of(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool plain = byte > 0x20 && byte < 0x7f && byte != '/' && byte != '%' && !(byte == '.' && i == 0);
    if (plain) {
      out += name[i];
    } else {
      out += fmt::format("%{:02x}", byte);
    }
  }
  return out.empty() ? "%" : out;
}

std::string recording_path(const KernelQuery& query) {
  const std::string_view name = kNames[query.index()];
  return std::visit(
      [&]<class Query>(const Query& q) -> std::string {
        const std::string_view end = std::is_same_v<typename Query::Answer, Counters> ? "txt" : "json";
        if constexpr (requires { q.netdev; }) {
          return fmt::format("kernel/{}/{}.{}", name, component_of(q.netdev), end);
        } else if constexpr (requires { q.device; }) {
          return fmt::format("kernel/{}/{}/{}.{}", name, component_of(q.device), q.port, end);
        } else {
          return fmt::format("kernel/{}.{}", name, end);
        }
      },
      query);
}

std::string encode_answer(const KernelAnswer& answer) {
  return std::visit(
      []<class Answer>(const Answer& value) -> std::string {
        if constexpr (std::is_same_v<Answer, Counters>) {
          return encode_counters(value);
        } else {
          return to_json(value).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
        }
      },
      answer);
}

Result<KernelAnswer> decode_answer(const KernelQuery& query, std::string_view text) {
  return std::visit(
      [&]<class Query>(const Query&) { return decode<Query>(kNames[query.index()], recording_path(query), text); },
      query);
}

std::string to_text(const KernelWrite& write) { return std::visit(WriteText{}, write); }

}  // namespace rocert
