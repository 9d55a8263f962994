#include "fleet/session.h"

#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <thread>

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

struct Ends {
  Fd ours, theirs;
};

Ends socket_pair() {
  int fds[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  return {Fd(fds[0]), Fd(fds[1])};
}

std::unique_ptr<Stream> stream_over(Loop& loop, Fd socket) {
  Fd copy = socket.duplicate();
  return descriptor_stream(loop, std::move(socket), std::move(copy));
}

void write_all(const Fd& fd, std::string_view bytes) {
  ASSERT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

// What one session saw; the loop stops when it has ended, or after a minute, which fails the test.
struct Seen {
  explicit Seen(Loop& on) : loop(on), guard(on, 60s, [this] { ADD_FAILURE() << "no end", loop.stop(); }) {}
  SessionEvents events() {
    return {[this](std::string payload) { messages.push_back(std::move(payload)); },
            [this](const Error& error) {
              why.push_back(error);
              loop.stop();
            }};
  }
  Loop& loop;
  Timer guard;
  std::vector<std::string> messages;
  std::vector<Error> why;
};

TEST(Session, TwoLoopsOnTwoThreadsTalk) {
  constexpr int kRounds = 200;
  Ends ends = socket_pair();
  std::thread echo([fd = std::move(ends.theirs)]() mutable {
    Loop loop;
    std::optional<Session> session;
    session.emplace(stream_over(loop, std::move(fd)),
                    SessionEvents{[&](std::string payload) { session->send(payload); }, [&](auto&) { loop.stop(); }});
    loop.run();
  });
  Loop loop;
  Timer guard(loop, 60s, [&] { loop.stop(); });
  std::vector<size_t> sizes;
  std::optional<Session> session;
  session.emplace(stream_over(loop, std::move(ends.ours)), SessionEvents{[&](std::string payload) {
                                                                           sizes.push_back(payload.size());
                                                                           if (sizes.size() == kRounds) loop.stop();
                                                                         },
                                                                         [&](auto&) { loop.stop(); }});
  for (int i = 0; i < kRounds; ++i) session->send(std::string(static_cast<size_t>(i) * 997, 'x'));
  loop.run();
  session.reset();
  echo.join();
  ASSERT_EQ(sizes.size(), kRounds);
  for (int i = 0; i < kRounds; ++i) EXPECT_EQ(sizes[static_cast<size_t>(i)], static_cast<size_t>(i) * 997);
}

TEST(Session, ReadsWhatCameBeforeTheEnd) {
  Loop loop;
  Seen seen(loop);
  Ends ends = socket_pair();
  const Session session(stream_over(loop, std::move(ends.ours)), seen.events());
  write_all(ends.theirs, std::string(kHello) + encode_frame("last words"));
  ::shutdown(ends.theirs.get(), SHUT_WR);
  loop.run();
  EXPECT_THAT(seen.messages, ElementsAre("last words"));
  ASSERT_EQ(seen.why.size(), 1u);
  EXPECT_EQ(seen.why[0], (Error{ErrorKind::kClosed, "the other end closed the stream", {}}));
}

TEST(Session, SaysWhereTheStreamWasCut) {
  for (const auto& [bytes, says] : std::vector<std::pair<std::string, std::string>>{
           {"rocert-", "the stream ended before its hello"},
           {std::string(kHello) + "x", "the stream ended within a frame"}}) {
    Loop loop;
    Seen seen(loop);
    Ends ends = socket_pair();
    const Session session(stream_over(loop, std::move(ends.ours)), seen.events());
    write_all(ends.theirs, bytes);
    ::shutdown(ends.theirs.get(), SHUT_WR);
    loop.run();
    ASSERT_EQ(seen.why.size(), 1u);
    EXPECT_EQ(seen.why[0].message, says);
  }
}

TEST(Session, EndsOnceOnAForeignVersionAndHearsNothingMore) {
  Loop loop;
  Seen seen(loop);
  Ends ends = socket_pair();
  const Session session(stream_over(loop, std::move(ends.ours)), seen.events());
  write_all(ends.theirs, "rocert-fleet/9\n" + encode_frame("x"));
  loop.run();
  EXPECT_TRUE(seen.messages.empty());
  ASSERT_EQ(seen.why.size(), 1u);
  EXPECT_EQ(seen.why[0].kind, ErrorKind::kMalformed);
  EXPECT_THAT(seen.why[0].message, HasSubstr("rocert-fleet/9"));
}

TEST(Session, EndsWhenTheOtherSideNeverReads) {
  Loop loop;
  Seen seen(loop);
  Ends ends = socket_pair();
  Session session(stream_over(loop, std::move(ends.ours)), seen.events(), 1 << 20);
  loop.post([&] {
    for (int i = 0; i < 8 && seen.why.empty(); ++i) session.send(std::string(1 << 20, 'x'));
  });
  loop.run();
  ASSERT_EQ(seen.why.size(), 1u);
  EXPECT_EQ(seen.why[0].kind, ErrorKind::kTimeout);
}

TEST(Session, MayBeDestroyedInItsOwnEvent) {
  Loop loop;
  Timer guard(loop, 60s, [&] { loop.stop(); });
  Ends ends = socket_pair();
  int messages = 0;
  std::optional<Session> session;
  session.emplace(stream_over(loop, std::move(ends.ours)), SessionEvents{[&](const std::string&) {
                                                                           ++messages;
                                                                           session.reset();
                                                                           loop.post([&] { loop.stop(); });
                                                                         },
                                                                         [](auto&) { ADD_FAILURE(); }});
  write_all(ends.theirs, std::string(kHello) + encode_frame("one") + encode_frame("two"));
  loop.run();
  EXPECT_EQ(messages, 1);
}

TEST(Session, WhenSentComesAfterTheBytesLeft) {
  Loop loop;
  Seen seen(loop);
  Ends ends = socket_pair();
  Session session(stream_over(loop, std::move(ends.ours)), seen.events());
  session.send("bye");
  session.when_sent([&] { loop.stop(); });
  loop.run();
  char buffer[64];
  const ssize_t size = ::recv(ends.theirs.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  EXPECT_EQ(std::string(buffer, static_cast<size_t>(std::max<ssize_t>(size, 0))),
            std::string(kHello) + encode_frame("bye"));
}

TEST(Loop, PostsFromOtherThreadsRunOnItsOwn) {
  Loop loop;
  Timer guard(loop, 60s, [&] { loop.stop(); });
  std::thread::id ran;
  std::thread other([&] {
    loop.post([&] {
      ran = std::this_thread::get_id();
      loop.stop();
    });
  });
  loop.run();
  other.join();
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST(Timer, ReplacedOrDestroyedNeverCalls) {
  Loop loop;
  std::vector<int> calls;
  Timer replaced(loop, 0ns, [&] { calls.push_back(1); });
  {
    const Timer destroyed(loop, 0ns, [&] { calls.push_back(2); });
  }
  replaced = Timer(loop, 1ms, [&] {
    calls.push_back(3);
    loop.stop();
  });
  loop.run();
  EXPECT_THAT(calls, ElementsAre(3));
}

TEST(Watch, CallsOnceAndLeavesTheDescriptorToItsOwner) {
  Loop loop;
  const Fd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  int calls = 0;
  Watch watch(loop, event.get(), [&] {
    ++calls;
    loop.post([&] { loop.stop(); });
  });
  {
    const Watch destroyed(loop, event.get(), [&] { ADD_FAILURE(); });
  }
  std::thread other([&] { EXPECT_EQ(::eventfd_write(event.get(), 1), 0); });
  loop.run();
  other.join();
  EXPECT_EQ(calls, 1);
  eventfd_t value = 0;
  EXPECT_EQ(::eventfd_read(event.get(), &value), 0);
}

}  // namespace
}  // namespace rocert
