// Carries frames between the connections of `lab exec` and the agents: one serial line a guest, many streams on it.
#pragma once

#include <poll.h>

#include <list>
#include <string>
#include <vector>

#include "frames.h"
#include "guest.h"

namespace rocert::lab {

class Relay {
 public:
  Relay(std::vector<Guest>& guests, Fd listener);

  void add_polls(std::vector<pollfd>& polls) const;
  // `polls` are the ones that add_polls() appended, in the same order.
  void serve(const pollfd* polls);
  // Ends the streams of a guest that cannot answer any more.
  void guest_is_gone(std::size_t guest, const std::string& why);

 private:
  struct Line {
    FrameReader reader;
    std::string out;
  };
  struct Client {
    Fd fd;
    FrameReader reader;
    std::string out;
    std::optional<std::size_t> guest;
    std::uint32_t stream = 0;
    bool over = false;  // only what is in `out` is left to do
  };

  void accept_all();
  void read_line(std::size_t guest);
  void from_agent(std::size_t guest, const Frame& frame);
  bool read_client(Client& client);
  void from_client(Client& client, const Frame& frame);
  static void refuse(Client& client, const std::string& why);

  std::vector<Guest>& guests_;
  std::vector<Line> lines_;
  Fd listener_;
  std::list<Client> clients_;
  std::uint32_t next_stream_ = 1;
};

}  // namespace rocert::lab
