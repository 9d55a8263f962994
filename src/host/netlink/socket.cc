#include "host/netlink/socket.h"

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "host/host.h"

namespace rocert::netlink {
namespace {

constexpr int kTimeoutMs = 2000;  // between two datagrams
constexpr int kDumpAttempts = 3;
constexpr size_t kMaxRequest = size_t{16} << 10;
constexpr size_t kMaxDatagram = size_t{256} << 10;
constexpr size_t kMaxReply = size_t{64} << 20;
constexpr int kReceiveBuffer = 1 << 20;

int set(int socket, int option) {
  const int on = 1;
  return setsockopt(socket, SOL_NETLINK, option, &on, sizeof(on));
}

// The text that the kernel attached to an error, if any (NETLINK_EXT_ACK, NETLINK_CAP_ACK).
std::string extended_reason(Octets body, uint16_t flags) {
  if ((flags & NLM_F_ACK_TLVS) == 0) return {};
  size_t skip = sizeof(nlmsgerr);
  if ((flags & NLM_F_CAPPED) == 0) {
    const auto error = plain<nlmsgerr>(body);
    if (error && error->msg.nlmsg_len >= sizeof(nlmsghdr)) skip += error->msg.nlmsg_len - sizeof(nlmsghdr);
  }
  const auto attributes = Attributes::parse_after(body, skip);
  return attributes ? escaped(attributes->text(NLMSGERR_ATTR_MSG).value_or(""), 200) : std::string();
}

}  // namespace

void Request::Free::operator()(nl_msg* message) const { nlmsg_free(message); }
void Socket::Free::operator()(nl_sock* socket) const { nl_socket_free(socket); }

Request::Request(uint16_t type, uint16_t flags, Octets header)
    : message_(nlmsg_alloc_size(kMaxRequest)), header_size_(NLMSG_ALIGN(header.size())) {
  whole_ = message_ && nlmsg_put(message_.get(), NL_AUTO_PORT, NL_AUTO_SEQ, type, 0, flags) != nullptr &&
           nlmsg_append(message_.get(), const_cast<uint8_t*>(header.data()), header.size(), NLMSG_ALIGNTO) == 0;
}

void Request::put(uint16_t type, Octets payload) {
  whole_ = whole_ && nla_put(message_.get(), type, static_cast<int>(payload.size()), payload.data()) == 0;
}

void Request::put_text(uint16_t type, std::string_view text) {
  const std::string terminated(text);
  put(type, Octets(reinterpret_cast<const uint8_t*>(terminated.c_str()), terminated.size() + 1));
}

void Request::nest(uint16_t type, const std::function<void()>& fill) {
  nlattr* start = whole_ ? nla_nest_start(message_.get(), type) : nullptr;
  whole_ = start != nullptr;
  fill();
  whole_ = whole_ && nla_nest_end_keep_empty(message_.get(), start) == 0;
}

std::vector<uint8_t> Request::attributes() const {
  if (!whole_) return {};
  const auto* start = static_cast<const uint8_t*>(nlmsg_data(nlmsg_hdr(message_.get()))) + header_size_;
  return {start, reinterpret_cast<const uint8_t*>(nlmsg_tail(nlmsg_hdr(message_.get())))};
}

Gap Reply::gap(std::string_view what) const {
  Gap gap = gap_of(error, what);
  if (!reason.empty()) gap.detail += ": " + reason;
  return gap;
}

Result<> Reply::result(std::string_view what) const {
  if (error == 0) return {};
  Error failed = error_of(error, what);
  if (!reason.empty()) failed.message += ": " + reason;
  return fail(std::move(failed));
}

int Socket::open(int protocol) {
  socket_.reset(nl_socket_alloc());
  if (!socket_) return ENOMEM;
  nl_socket_disable_auto_ack(socket_.get());
  errno = 0;
  if (nl_connect(socket_.get(), protocol) < 0) {
    const int error = errno != 0 ? errno : EPROTONOSUPPORT;
    socket_.reset();
    return error;
  }
  // Each of these makes answers better where the kernel knows it, and none is needed.
  const int descriptor = nl_socket_get_fd(socket_.get());
  (void)nl_socket_set_buffer_size(socket_.get(), kReceiveBuffer, 0);
  (void)set(descriptor, NETLINK_EXT_ACK);
  (void)set(descriptor, NETLINK_CAP_ACK);
  if (protocol == NETLINK_ROUTE) (void)set(descriptor, NETLINK_GET_STRICT_CHK);
  return 0;
}

// One datagram within the timeout; an errno, or 0.
int Socket::receive(std::vector<uint8_t>& datagram) {
  const int descriptor = nl_socket_get_fd(socket_.get());
  pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = poll(&waiting, 1, kTimeoutMs);
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return errno;
  if (ready == 0) return ETIMEDOUT;
  buffer_.resize(kMaxDatagram);
  sockaddr_nl from{};
  iovec part{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
  msghdr header{};
  header.msg_name = &from;
  header.msg_namelen = sizeof(from);
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  const ssize_t got = recvmsg(descriptor, &header, MSG_DONTWAIT);
  if (got < 0) return errno;
  if ((header.msg_flags & MSG_TRUNC) != 0) return EMSGSIZE;
  if (from.nl_pid == 0) datagram.assign(buffer_.begin(), buffer_.begin() + got);  // only the kernel is believed
  return 0;
}

Taken take(Octets datagram, uint32_t sequence, Reply& reply) {
  Taken taken;
  while (!taken.done && datagram.size() >= sizeof(nlmsghdr)) {
    const nlmsghdr header = *plain<nlmsghdr>(datagram);
    if (header.nlmsg_len < sizeof(nlmsghdr) || header.nlmsg_len > datagram.size()) {
      reply.error = EBADMSG;
      taken.done = true;
      break;
    }
    const Octets body = datagram.subspan(sizeof(nlmsghdr), header.nlmsg_len - sizeof(nlmsghdr));
    datagram = datagram.subspan(std::min<size_t>(NLMSG_ALIGN(header.nlmsg_len), datagram.size()));
    if (header.nlmsg_seq != sequence) continue;  // of a request that timed out
    taken.interrupted = taken.interrupted || (header.nlmsg_flags & NLM_F_DUMP_INTR) != 0;
    if (header.nlmsg_type == NLMSG_ERROR || header.nlmsg_type == NLMSG_DONE) {
      const bool error = header.nlmsg_type == NLMSG_ERROR;
      const int code = plain<int>(body).value_or(error ? -EBADMSG : 0);
      reply.error = code < 0 ? -code : 0;
      if (error && reply.error != 0) reply.reason = extended_reason(body, header.nlmsg_flags);
      taken.done = true;
    } else if (header.nlmsg_type >= NLMSG_MIN_TYPE) {
      reply.messages.push_back({header.nlmsg_type, body});
    }
  }
  return taken;
}

Reply Socket::once(Request& request, bool& interrupted) {
  Reply reply;
  nlmsghdr* header = nlmsg_hdr(request.message());
  header->nlmsg_seq = NL_AUTO_SEQ;
  nl_complete_msg(socket_.get(), request.message());
  ++requests_;
  errno = 0;
  if (nl_send(socket_.get(), request.message()) < 0) {
    reply.error = errno != 0 ? errno : EIO;
    return reply;
  }
  size_t total = 0;
  for (bool done = false; !done;) {
    std::vector<uint8_t>& datagram = reply.datagrams.emplace_back();
    reply.error = receive(datagram);
    total += datagram.size();
    if (reply.error == 0 && total > kMaxReply) reply.error = EMSGSIZE;
    if (reply.error != 0) return reply;
    const Taken taken = take(datagram, header->nlmsg_seq, reply);
    done = taken.done;
    interrupted = interrupted || taken.interrupted;
  }
  return reply;
}

Reply Socket::exchange(Request& request) {
  Reply reply;
  reply.error = !request.whole() ? ENOBUFS : socket_ == nullptr ? ENOTCONN : 0;
  for (int attempt = 0; reply.error == 0 && attempt < kDumpAttempts; ++attempt) {
    bool interrupted = false;
    reply = once(request, interrupted);
    if (!interrupted) return reply;
    if (reply.error == 0 && attempt + 1 == kDumpAttempts) reply.error = EAGAIN;
  }
  return reply;
}

}  // namespace rocert::netlink
