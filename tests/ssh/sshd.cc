#include "ssh/sshd.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>

#include <fstream>

namespace rocert {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kSshd = "/usr/sbin/sshd";
constexpr const char* kSeparationFolder =
    "/run/sshd";  // compiled into sshd; root's needs it, and an init script makes it
constexpr int kStartMilliseconds = 60000;

Result<> make_key(const fs::path& path) {
  auto keygen = TRY(Process::start({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path.string()}));
  keygen.input() = Fd();
  if (!keygen.wait_ended(60s) || keygen.reap() != Ending{.status = 0})
    return fail(ErrorKind::kSystem, "ssh-keygen made no key " + path.string());
  return {};
}

}  // namespace

int free_port() {
  const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return 0;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

Result<std::unique_ptr<Sshd>> Sshd::start() {
  if (!fs::exists(kSshd)) return fail(ErrorKind::kSystem, std::string(kSshd) + " is not installed (openssh-server)");
  const passwd* user = ::getpwuid(::getuid());
  if (user == nullptr) return fail(ErrorKind::kSystem, "this user has no account");
  const std::string shell = fs::path(user->pw_shell).filename();
  if (shell == "nologin" || shell == "false")
    return fail(ErrorKind::kSystem, fmt::format("the login shell of {} is {}", user->pw_name, user->pw_shell));
  std::unique_ptr<Sshd> sshd(new Sshd);
  TRY(sshd->prepare());
  TRY(sshd->serve());
  return sshd;
}

Result<> Sshd::prepare() {
  std::string name = (fs::temp_directory_path() / "rocert-sshd-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return fail(ErrorKind::kSystem, "no temporary folder");
  folder_ = name;
  for (const char* key : {"host", "good", "bad"}) TRY(make_key(folder_ / key));
  fs::copy_file(folder_ / "good.pub", folder_ / "authorized_keys");
  std::error_code error;
  if (::getuid() == 0) made_separation_folder_ = fs::create_directory(kSeparationFolder, error);
  port_ = free_port();
  std::ofstream(folder_ / "config") << fmt::format(
      "Port {1}\nListenAddress 127.0.0.1\nHostKey {0}/host\nAuthorizedKeysFile {0}/authorized_keys\nPidFile none\n"
      "StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
      "PermitRootLogin prohibit-password\n",
      folder_.string(), port_);
  return {};
}

Result<> Sshd::serve() {
  process_ = TRY(Process::start({kSshd, "-D", "-e", "-f", (folder_ / "config").string()}));
  std::string said;
  for (;;) {
    pollfd event{process_->errors().get(), POLLIN, 0};
    char buffer[4096];
    if (::poll(&event, 1, kStartMilliseconds) <= 0) break;
    const ssize_t size = ::read(process_->errors().get(), buffer, sizeof buffer);
    if (size <= 0) break;
    said.append(buffer, static_cast<size_t>(size));
    if (said.find("Server listening") != std::string::npos) return {};
  }
  return fail(ErrorKind::kSystem, "sshd does not listen: " + said);
}

Sshd::~Sshd() {
  process_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (made_separation_folder_) fs::remove(kSeparationFolder, ignored);
}

std::vector<std::string> Sshd::options(bool accepted_key) const {
  return {"-F", "none",
          "-p", std::to_string(port_),
          "-i", (folder_ / (accepted_key ? "good" : "bad")).string(),
          "-o", "IdentitiesOnly=yes",
          "-o", "IdentityAgent=none",
          "-o", "StrictHostKeyChecking=no",
          "-o", "LogLevel=ERROR",
          "-o", "UserKnownHostsFile=" + (folder_ / "known_hosts").string()};
}

}  // namespace rocert
