#include "relay.h"

#include <sys/socket.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace rocert::lab {

Relay::Relay(std::vector<Guest>& guests, Fd listener)
    : guests_(guests), lines_(guests.size()), listener_(std::move(listener)) {}

void Relay::add_polls(std::vector<pollfd>& polls) const {
  const auto events = [](const std::string& out) { return static_cast<short>(POLLIN | (out.empty() ? 0 : POLLOUT)); };
  polls.push_back({listener_.get(), POLLIN, 0});
  for (std::size_t i = 0; i < guests_.size(); i++) polls.push_back({guests_[i].line.get(), events(lines_[i].out), 0});
  for (const Client& client : clients_) polls.push_back({client.fd.get(), events(client.out), 0});
}

void Relay::serve(const pollfd* polls) {
  const pollfd* of_client = polls + 1 + guests_.size();
  for (Client& client : clients_) {
    const bool closed = (of_client->revents & (POLLIN | POLLHUP | POLLERR)) && !read_client(client);
    of_client++;
    if (!closed) continue;
    if (client.guest) append_frame(lines_[*client.guest].out, Kind::kSignal, client.stream, number_to_bytes(SIGKILL));
    client.fd.close();
  }
  for (std::size_t i = 0; i < guests_.size(); i++)
    if (polls[1 + i].revents & (POLLIN | POLLHUP | POLLERR)) read_line(i);
  if (polls[0].revents) accept_all();

  for (std::size_t i = 0; i < guests_.size(); i++)
    if (!guests_[i].line || write_some(guests_[i].line.get(), lines_[i].out) == Io::kFailed) lines_[i].out.clear();
  std::erase_if(clients_, [](Client& client) {
    return !client.fd || write_some(client.fd.get(), client.out) == Io::kFailed || (client.over && client.out.empty());
  });
}

void Relay::guest_is_gone(std::size_t guest, const std::string& why) {
  for (Client& client : clients_)
    if (client.guest == guest) refuse(client, why);
}

void Relay::accept_all() {
  for (int fd; (fd = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;)
    clients_.emplace_back().fd = Fd(fd);
}

void Relay::read_line(std::size_t guest) {
  std::string bytes;
  const Io io = read_some(guests_[guest].line.get(), bytes, kMaxPayload);
  lines_[guest].reader.feed(bytes);
  while (const std::optional<Frame> frame = lines_[guest].reader.next()) from_agent(guest, *frame);
  const std::string& bad = lines_[guest].reader.bad();
  if (bad.empty() && io != Io::kEnd && io != Io::kFailed) return;
  // A line ends with its guest: the daemon hears of the death next, and then tells those who wait.
  guests_[guest].line.close();
  if (bad.empty()) return;
  std::fprintf(stderr, "%s: %s\n", guests_[guest].name.c_str(), bad.c_str());
  kill_session(guests_[guest].pid);
}

void Relay::from_agent(std::size_t guest, const Frame& frame) {
  if (frame.kind == Kind::kHello) {
    guests_[guest].ready = frame.payload;
    return;
  }
  const auto client = std::find_if(clients_.begin(), clients_.end(), [&](const Client& one) {
    return one.guest == guest && one.stream == frame.stream && !one.over && one.fd;
  });
  if (client == clients_.end()) return;  // it hung up
  append_frame(client->out, frame.kind, 0, frame.payload);
  if (frame.kind != Kind::kExited) return;
  client->guest.reset();
  client->over = true;
}

// False when the client is no more.
bool Relay::read_client(Client& client) {
  std::string bytes;
  const Io io = read_some(client.fd.get(), bytes, kMaxPayload);
  if (io == Io::kEnd || io == Io::kFailed) return false;
  client.reader.feed(bytes);
  while (const std::optional<Frame> frame = client.reader.next()) from_client(client, *frame);
  return client.reader.bad().empty();
}

void Relay::from_client(Client& client, const Frame& frame) {
  if (client.over) return;
  if (frame.kind != Kind::kAttach) {
    if (client.guest) append_frame(lines_[*client.guest].out, frame.kind, client.stream, frame.payload);
    return;
  }
  const auto guest =
      std::find_if(guests_.begin(), guests_.end(), [&](const Guest& one) { return one.name == frame.payload; });
  if (guest == guests_.end()) return refuse(client, "no host '" + frame.payload + "' in this lab");
  if (!guest->alive() || !guest->line) return refuse(client, guest->name + " is dead: " + guest->death);
  client.guest = static_cast<std::size_t>(guest - guests_.begin());
  client.stream = next_stream_++;
}

void Relay::refuse(Client& client, const std::string& why) {
  append_frame(client.out, Kind::kGone, 0, why);
  client.guest.reset();
  client.over = true;
}

}  // namespace rocert::lab
