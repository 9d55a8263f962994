// A netlink socket and its messages: one request, all its answers, every wait bounded, every request counted.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/netlink/attributes.h"
#include "model/gap.h"

struct nl_msg;
struct nl_sock;

namespace rocert::netlink {

// Flags of a request: a table, one object, and a change. All but dumps are acknowledged, which ends the exchange.
inline constexpr uint16_t kDump = 0x300;                      // NLM_F_DUMP
inline constexpr uint16_t kAck = 0x4;                         // NLM_F_ACK
inline constexpr uint16_t kReplace = kAck | 0x400 | 0x100;    // NLM_F_CREATE | NLM_F_REPLACE
inline constexpr uint16_t kExclusive = kAck | 0x400 | 0x200;  // NLM_F_CREATE | NLM_F_EXCL

// A message under construction. Attributes that do not fit make exchange() answer ENOBUFS.
class Request {
 public:
  template <class Header>
  Request(uint16_t type, uint16_t flags, const Header& header)
      : Request(type, flags, Octets(reinterpret_cast<const uint8_t*>(&header), sizeof(header))) {}
  Request(uint16_t type, uint16_t flags, Octets header);

  void put(uint16_t type, Octets payload);
  void put_text(uint16_t type, std::string_view text);  // with its NUL
  template <class T>
  void put_plain(uint16_t type, const T& value) {
    put(type, Octets(reinterpret_cast<const uint8_t*>(&value), sizeof(value)));
  }
  // Attributes that `fill` puts, inside one; an empty nest is kept.
  void nest(uint16_t type, const std::function<void()>& fill);

  // The attributes that were put so far, as bytes.
  std::vector<uint8_t> attributes() const;
  nl_msg* message() const { return message_.get(); }
  bool whole() const { return whole_; }

 private:
  struct Free {
    void operator()(nl_msg* message) const;
  };
  std::unique_ptr<nl_msg, Free> message_;
  size_t header_size_ = 0;
  bool whole_ = true;
};

struct Message {
  uint16_t type = 0;
  Octets body;  // behind the netlink header
};

// What came back: messages, or the errno that ended the exchange with what the kernel said about it.
struct Reply {
  int error = 0;
  std::string reason;
  std::vector<Message> messages;                // into datagrams
  std::vector<std::vector<uint8_t>> datagrams;  // of one exchange

  Gap gap(std::string_view what) const;
  Result<> result(std::string_view what) const;
};

class Socket {
 public:
  // An errno, or 0 and a socket.
  int open(int protocol);
  bool is_open() const { return socket_ != nullptr; }

  // Sends the request and collects its answers until its end or acknowledgement. A dump that changed under way is asked
  // again, at most three times.
  Reply exchange(Request& request);
  template <class Header>
  Reply dump(uint16_t type, const Header& header) {
    Request request(type, kDump, header);
    return exchange(request);
  }

  uint64_t requests() const { return requests_; }

 private:
  struct Free {
    void operator()(nl_sock* socket) const;
  };
  int receive(std::vector<uint8_t>& datagram);
  Reply once(Request& request, bool& interrupted);

  std::unique_ptr<nl_sock, Free> socket_;
  std::vector<uint8_t> buffer_;
  uint64_t requests_ = 0;
};

// Files the messages of a datagram that answer `sequence` under the reply. Exposed for tests and fuzzers.
struct Taken {
  bool done = false;         // the end, an acknowledgement or an error was among them
  bool interrupted = false;  // the kernel's table changed while it was dumped
};
Taken take(Octets datagram, uint32_t sequence, Reply& reply);

// Parses every message of a dump; what the parser calls nothing is not of the asked kind, a Gap ends it.
template <class T>
Observed<std::vector<T>> collect(const Reply& reply, std::string_view what,
                                 Observed<std::optional<T>> (*parse)(Octets body)) {
  if (reply.error != 0) return tl::unexpected<Gap>(reply.gap(what));
  std::vector<T> items;
  for (const Message& message : reply.messages) {
    auto item = parse(message.body);
    if (!item) return tl::unexpected<Gap>(item.error());
    if (*item) items.push_back(std::move(**item));
  }
  return items;
}

inline tl::unexpected<Gap> malformed(std::string_view what) {
  return gap(GapReason::kMalformed, "netlink " + std::string(what) + ": truncated or inconsistent");
}

}  // namespace rocert::netlink
