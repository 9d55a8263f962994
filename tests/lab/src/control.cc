// Sends one line of words to a control socket and prints the answer. usage: lab-control SOCKET SECONDS WORD...
// The answer's first line is "ok" or says what is wrong (exit 1); 2 = nobody answers.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "posix.h"

int main(int argc, char** argv) {
  using namespace rocert::lab;
  if (argc < 4) {
    std::fprintf(stderr, "usage: lab-control SOCKET SECONDS WORD...\n");
    return 2;
  }
  std::string why;
  const std::optional<Fd> socket = connect_to(argv[1], SOCK_SEQPACKET, why);
  if (!socket) {
    std::fprintf(stderr, "lab: nobody answers at %s\n", why.c_str());
    return 2;
  }
  std::string line;
  for (int i = 3; i < argc; i++) line.append(i > 3 ? " " : "").append(argv[i]);
  pollfd poll_of{socket->get(), POLLIN, 0};
  std::string answer;
  if (write_some(socket->get(), line) != Io::kOk || poll(&poll_of, 1, std::atoi(argv[2]) * 1000) != 1 ||
      read_some(socket->get(), answer, 1 << 16) != Io::kOk) {
    std::fprintf(stderr, "lab: no answer from %s\n", argv[1]);
    return 2;
  }
  const std::size_t end = answer.find('\n');
  if (answer.substr(0, end) != "ok") {
    std::fprintf(stderr, "lab: %s\n", answer.c_str());
    return 1;
  }
  if (end != std::string::npos) std::fwrite(answer.data() + end + 1, 1, answer.size() - end - 1, stdout);
  return 0;
}
