#include "guest_root.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "posix.h"

namespace rocert::lab {
namespace {

struct MountPoint {
  const char *type, *target, *data;
};

// What the build machine keeps in the first folders is hidden: its sockets and caches are not the guest's.
constexpr MountPoint kMounts[] = {
    {"tmpfs", "/run", ""},
    {"tmpfs", "/tmp", ""},
    {"tmpfs", "/var/lib", ""},
    {"tmpfs", "/var/log", ""},
    {"tmpfs", "/var/tmp", ""},
    {"sysfs", "/sys", ""},
    {"configfs", "/sys/kernel/config", ""},
    {"debugfs", "/sys/kernel/debug", ""},
    {"cgroup2", "/sys/fs/cgroup", ""},
    {"tmpfs", "/dev/shm", ""},
    {"devpts", "/dev/pts", ""},
    {"overlay", "/etc", "lowerdir=/etc,upperdir=/run/etc,workdir=/run/etc-work"},
};
constexpr const char* kFolders[] = {"/run/etc",   "/run/etc-work", "/run/home", "/run/lock",
                                    "/run/netns", "/run/lab",      "/dev/shm",  "/dev/pts"};

bool mount_at(const MountPoint& point, std::string& problems) {
  if (mount(point.type, point.target, point.type, 0, point.data) == 0) return true;
  problems += error_text(std::string("mount ") + point.target) + "\n";
  return false;
}

// Below /run and the like the folder has to be made; elsewhere the read-only root has it already.
void make_folders(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    mkdir(path.substr(0, end).c_str(), 0755);
  mkdir(path.c_str(), 0755);
}

void read_command_line() {
  std::ifstream file("/proc/cmdline");
  const std::pair<const char*, const char*> names[] = {{"lab.host=", "LAB_NUMBER"},
                                                       {"lab.rails=", "LAB_RAILS"},
                                                       {"lab.mtu=", "LAB_MTU"},
                                                       {"lab.exchange=", "LAB_EXCHANGE"}};
  for (std::string word; file >> word;)
    for (const auto& [prefix, name] : names)
      if (word.starts_with(prefix)) setenv(name, word.c_str() + std::strlen(prefix), 1);
  const char* number = getenv("LAB_NUMBER");
  std::string host = "n";
  setenv("LAB_HOST", host.append(number ? number : "0").c_str(), 1);
}

void name_host() {
  const std::string host = getenv("LAB_HOST");
  sethostname(host.data(), host.size());
  std::ofstream("/etc/hostname") << host << "\n";
  std::ofstream hosts("/etc/hosts");
  hosts << "127.0.0.1 localhost\n";
  for (int i = 1; i <= 64; i++) hosts << "192.0.2." << i << " n" << i << "\n";
  char id[33];
  std::snprintf(id, sizeof id, "%032x", std::atoi(host.c_str() + 1));
  std::ofstream("/etc/machine-id") << id << "\n";
}

// perftest looks for the clock's rate, which this architecture does not state.
void state_clock_rate(std::string& problems) {
  {
    std::ofstream copy("/run/cpuinfo");
    copy << std::ifstream("/proc/cpuinfo").rdbuf() << "cpu MHz\t\t: 2000.000\n";
  }
  if (mount("/run/cpuinfo", "/proc/cpuinfo", nullptr, MS_BIND, nullptr) < 0)
    problems += error_text("mount cpuinfo") + "\n";
}

void mount_folders_of_the_build_machine(std::string& problems) {
  const char* exchange = getenv("LAB_EXCHANGE");
  mount_at({"hostfs", kExchange, exchange ? exchange : ""}, problems);
  std::ifstream shares(std::string(kExchange) + "/shares");
  for (std::string share; std::getline(shares, share);) {
    make_folders(share);
    mount_at({"hostfs", share.c_str(), share.c_str()}, problems);
  }
}

// The RDMA devices have a ConnectX card as their parent and would be offered to its verbs driver first, which says so
// on standard error of every program.
void leave_only_soft_roce() {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/etc/libibverbs.d", none))
    if (entry.path().filename() != "rxe.driver") std::filesystem::remove(entry.path(), none);
}

}  // namespace

std::string set_up_root() {
  std::string problems;
  mount_at({"proc", "/proc", ""}, problems);
  clearenv();  // the kernel passes on words that it does not know
  read_command_line();
  for (const MountPoint& point : kMounts) {
    struct stat status{};
    // A folder that is a link leads into another of these.
    if (lstat(point.target, &status) == 0 && S_ISLNK(status.st_mode)) continue;
    for (const char* folder : kFolders) mkdir(folder, 0755);
    mount_at(point, problems);
  }
  mount_folders_of_the_build_machine(problems);
  name_host();
  leave_only_soft_roce();
  state_clock_rate(problems);
  const rlimit locked{RLIM_INFINITY, RLIM_INFINITY}, files{65536, 65536};
  setrlimit(RLIMIT_MEMLOCK, &locked);
  setrlimit(RLIMIT_NOFILE, &files);
  setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
  setenv("HOME", "/run/home", 1);
  setenv("USER", "root", 1);
  setenv("LANG", "C.UTF-8", 1);
  return problems;
}

}  // namespace rocert::lab
