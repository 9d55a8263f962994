#include "host/ethtool_ioctl.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "host/host.h"

namespace rocert {
namespace {

constexpr uint32_t kMaxStrings = 65536;

std::string text_of(const char* text, size_t size) { return {text, strnlen(text, size)}; }

// A command of the ioctl with room for what follows it: the kernel's structs end in flexible arrays. Held in words, so
// that the 64-bit members are aligned.
template <class Head>
class Command {
 public:
  Command(uint32_t command, size_t tail) : words_((sizeof(Head) + tail + 7) / 8) { head().cmd = command; }
  Head& head() { return *reinterpret_cast<Head*>(words_.data()); }
  const uint8_t* tail() const { return reinterpret_cast<const uint8_t*>(words_.data()) + sizeof(Head); }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace

int EthtoolIoctl::call(const std::string& netdev, void* command) {
  if (!socket_) socket_ = Fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket_) return errno;
  ifreq request{};
  if (netdev.size() >= sizeof(request.ifr_name)) return ENODEV;
  std::copy(netdev.begin(), netdev.end(), request.ifr_name);
  request.ifr_data = static_cast<char*>(command);
  ++calls_;
  return ioctl(socket_.get(), SIOCETHTOOL, &request) == 0 ? 0 : errno;
}

Observed<DriverIdentity> EthtoolIoctl::driver(const std::string& netdev) {
  ethtool_drvinfo raw{};
  raw.cmd = ETHTOOL_GDRVINFO;
  if (const int error = call(netdev, &raw); error != 0)
    return tl::unexpected<Gap>(gap_of(error, "driver of " + netdev));
  return DriverIdentity{text_of(raw.driver, sizeof(raw.driver)), text_of(raw.version, sizeof(raw.version)),
                        text_of(raw.fw_version, sizeof(raw.fw_version)), text_of(raw.bus_info, sizeof(raw.bus_info))};
}

Observed<std::vector<std::string>> EthtoolIoctl::strings(const std::string& netdev, uint32_t set,
                                                         const std::string& what) {
  Command<ethtool_sset_info> size(ETHTOOL_GSSET_INFO, sizeof(uint32_t));
  size.head().sset_mask = uint64_t{1} << set;
  if (const int error = call(netdev, &size.head()); error != 0) return tl::unexpected<Gap>(gap_of(error, what));
  if (size.head().sset_mask == 0) return gap(GapReason::kNotSupported, what + ": the driver has none");
  uint32_t count = 0;
  std::memcpy(&count, size.tail(), sizeof(count));
  if (count > kMaxStrings) return gap(GapReason::kMalformed, what + ": says " + std::to_string(count) + " names");

  Command<ethtool_gstrings> names(ETHTOOL_GSTRINGS, size_t{count} * ETH_GSTRING_LEN);
  names.head().string_set = set;
  names.head().len = count;
  if (const int error = call(netdev, &names.head()); error != 0) return tl::unexpected<Gap>(gap_of(error, what));
  std::vector<std::string> result;
  for (uint32_t i = 0; i < std::min(count, names.head().len); ++i) {
    const auto* name = reinterpret_cast<const char*>(names.tail()) + size_t{i} * ETH_GSTRING_LEN;
    result.push_back(text_of(name, ETH_GSTRING_LEN));
  }
  return result;
}

Observed<Counters> EthtoolIoctl::statistics(const std::string& netdev) {
  const std::string what = "statistics of " + netdev;
  const auto names = strings(netdev, ETH_SS_STATS, what);
  if (!names) return tl::unexpected<Gap>(names.error());
  // The number of counters can change between the calls; the kernel then fills what it has by now.
  Command<ethtool_stats> values(ETHTOOL_GSTATS, (names->size() + 1024) * sizeof(uint64_t));
  values.head().n_stats = static_cast<uint32_t>(names->size());
  if (const int error = call(netdev, &values.head()); error != 0) return tl::unexpected<Gap>(gap_of(error, what));
  if (values.head().n_stats != names->size())
    return gap(GapReason::kUnreadable, what + ": their number changed while they were read");
  Counters counters;
  for (size_t i = 0; i < names->size(); ++i) {
    uint64_t value = 0;
    std::memcpy(&value, values.tail() + i * sizeof(value), sizeof(value));
    counters.emplace((*names)[i], value);  // of equal names the first counts
  }
  return counters;
}

Observed<PrivateFlags> EthtoolIoctl::private_flags(const std::string& netdev) {
  const std::string what = "private flags of " + netdev;
  const auto names = strings(netdev, ETH_SS_PRIV_FLAGS, what);
  if (!names) return tl::unexpected<Gap>(names.error());
  ethtool_value value{};
  value.cmd = ETHTOOL_GPFLAGS;
  if (const int error = call(netdev, &value); error != 0) return tl::unexpected<Gap>(gap_of(error, what));
  PrivateFlags flags;
  for (size_t i = 0; i < names->size() && i < 32; ++i) flags[(*names)[i]] = ((value.data >> i) & 1) != 0;
  return flags;
}

}  // namespace rocert
