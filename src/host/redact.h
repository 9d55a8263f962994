// Redaction of a recording: what names a site is replaced, what carries structure stays. Equal things stay equal.
//
// Replaced: IP addresses (bit by bit under random flips, so that addresses that share n leading bits still do; kept are
// the first octet, for 100, 169, 172 and 192 the first two, and the last one; of IPv6 the first and last 16 bits, and
// interface ids that are small numbers), link-layer addresses, GUIDs, UUIDs and machine ids (numbered in the order of
// their first sight), host names in the text of files, and whole files that hold a serial number, an asset tag or VPD.
// Kept: netdev and RDMA device names (an "enx..." gets its new link-layer address), prefix lengths and netmasks,
// multicast, loopback, link-local and unspecified addresses in kind, versions, counters, PCI addresses and models.
#pragma once
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "model/ip.h"
#include "model/kernel.h"

namespace rocert {

class Redactor {
 public:
  // A host name that file() shall replace, with its short form.
  void add_host_name(std::string_view name);

  IpAddress address(const IpAddress& address);
  Prefix prefix(const Prefix& prefix);
  // A path or a name: only link-layer addresses and identifiers in it are replaced.
  std::string name(std::string_view text);
  // The content of a file, by what its path says it is.
  std::string file(const std::string& path, std::string_view content);
  KernelAnswer answer(const KernelAnswer& answer);

 private:
  enum class Addresses { kKept, kReplaced };

  std::string text(std::string_view text, Addresses addresses);
  std::string token(std::string_view token, std::string_view after, Addresses addresses);
  std::array<uint8_t, 6> mac(const std::array<uint8_t, 6>& bytes);
  std::string numbered(std::string_view kind, std::string_view original);
  IpAddress scrambled(IpAddress address, unsigned first, unsigned end);
  template <class T>
  void replace(const char* field, T& value);

  std::random_device random_;
  std::map<std::tuple<IpAddress, unsigned>, bool> flips_;  // by the bits before
  std::map<std::string, unsigned> numbers_;                // by kind and original
  std::map<std::string, unsigned> next_;                   // by kind
  std::map<std::string, std::string> host_names_;
};

}  // namespace rocert
