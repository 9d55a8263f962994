#include "host/netlink/socket.h"

#include <gtest/gtest.h>
#include <linux/netlink.h>

#include <cerrno>

#include "host/netlink/link.h"
#include "unit/host/bytes_builder.h"

namespace rocert::netlink {
namespace {

Buffer message(uint16_t type, uint16_t flags, uint32_t sequence, const Buffer& body) {
  nlmsghdr header{};
  header.nlmsg_len = static_cast<uint32_t>(sizeof(header) + body.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = flags;
  header.nlmsg_seq = sequence;
  Buffer bytes = join({raw(header), body});
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

Buffer error_body(int code, const Buffer& attributes) {
  nlmsgerr error{};
  error.error = code;
  error.msg.nlmsg_len = 100;  // capped: the request itself is not repeated
  return join({raw(error), attributes});
}

TEST(Take, FilesMessagesUntilTheEnd) {
  const Buffer datagram =
      join({message(16, 0, 7, Buffer{1, 2, 3, 4}), message(16, 0, 6, Buffer{9}), message(NLMSG_DONE, 0, 7, raw(0))});
  Reply reply;
  const Taken taken = take(datagram, 7, reply);
  EXPECT_TRUE(taken.done);
  EXPECT_FALSE(taken.interrupted);
  EXPECT_EQ(reply.error, 0);
  ASSERT_EQ(reply.messages.size(), 1u);
  EXPECT_EQ(reply.messages[0].body.size(), 4u);
}

TEST(Take, AnErrorEndsWithTheKernelsWords) {
  const Buffer attributes = attribute(NLMSGERR_ATTR_MSG, text("Invalid prefix"));
  Reply reply;
  const Taken taken =
      take(message(NLMSG_ERROR, NLM_F_CAPPED | NLM_F_ACK_TLVS, 7, error_body(-EINVAL, attributes)), 7, reply);
  EXPECT_TRUE(taken.done);
  EXPECT_EQ(reply.error, EINVAL);
  EXPECT_EQ(reply.reason, "Invalid prefix");
  EXPECT_NE(reply.gap("x").detail.find("Invalid prefix"), std::string::npos);
  const auto result = reply.result("x");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("Invalid prefix"), std::string::npos);
}

TEST(Take, AChangedTableIsSeenAndDrained) {
  Reply reply;
  const Taken first = take(message(16, NLM_F_DUMP_INTR, 7, Buffer{1}), 7, reply);
  EXPECT_FALSE(first.done);
  EXPECT_TRUE(first.interrupted);
}

TEST(Take, MangledDatagramsAreHarmless) {
  const Buffer datagram = join(
      {message(16, 0, 7, Buffer{1, 2, 3, 4}), message(NLMSG_ERROR, NLM_F_ACK_TLVS | NLM_F_CAPPED, 7,
                                                      error_body(-EPERM, attribute(NLMSGERR_ATTR_MSG, text("no"))))});
  mangle(datagram, [](Octets bytes) {
    Reply reply;
    (void)take(bytes, 7, reply);
    return reply.error;
  });
  Reply reply;
  Buffer lying = message(16, 0, 7, Buffer{1});
  lying[0] = 200;
  EXPECT_TRUE(take(lying, 7, reply).done);
  EXPECT_EQ(reply.error, EBADMSG);
}

TEST(Socket, CountsItsRequestsAndNamesRefusals) {
  Socket socket;
  Request closed(16, kAck, Buffer(16));
  EXPECT_EQ(socket.exchange(closed).error, ENOTCONN);
  ASSERT_EQ(socket.open(NETLINK_ROUTE), 0);
  const auto links = read_links(socket);
  ASSERT_TRUE(links) << to_text(links.error());
  EXPECT_FALSE(links->empty());
  EXPECT_EQ(socket.requests(), 1u);
  const auto refused = write(socket, SetMtu{0x7ffffff0, 1500});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("link mtu 2147483632 1500"), std::string::npos) << refused.error().message;
}

TEST(Socket, AProtocolThatTheKernelLacksIsAnErrno) {
  Socket socket;
  EXPECT_EQ(socket.open(31), EPROTONOSUPPORT);
  EXPECT_FALSE(socket.is_open());
}

TEST(Request, TooMuchIsSaid) {
  Request request(16, kAck, Buffer(16));
  request.put(1, Buffer(1 << 20));
  EXPECT_FALSE(request.whole());
  Socket socket;
  EXPECT_EQ(socket.exchange(request).error, ENOBUFS);
}

}  // namespace
}  // namespace rocert::netlink
