// Addresses that stand for a port's peers in a route lookup, and which ports a lookup's answer leaves by.
#pragma once
#include <algorithm>
#include <optional>

#include "model/fib.h"
#include "model/snapshot.h"

namespace rocert::checks {

inline constexpr unsigned kTriesPerByte = 24;

inline bool has_all_host_bits(const Prefix& prefix, const IpAddress& address) {
  for (unsigned bit = prefix.length; bit < address_bits(prefix.address.family); ++bit) {
    if (((address.bytes[bit / 8] >> (7 - bit % 8)) & 1) == 0) return false;
  }
  return true;
}

// The network's own address and its broadcast belong to no host, where the prefix has room for them (not in a /31).
inline bool is_host_address(const Prefix& prefix, const IpAddress& address) {
  if (prefix.length + 1 >= address_bits(prefix.address.family)) return true;
  if (address == prefix.network().address) return false;
  return address.family == Family::kIpv6 || !has_all_host_bits(prefix, address);
}

// Whether something narrower than the prefix decides about the address: this host's own, or a route of any table.
inline bool is_singled_out(const Snapshot& host, const Prefix& prefix, const IpAddress& address) {
  const bool own = host.addresses &&
                   std::ranges::any_of(*host.addresses, [&](const Address& a) { return a.local.address == address; });
  return own || (host.routes && std::ranges::any_of(*host.routes, [&](const Route& route) {
                   return route.destination.length > prefix.length && route.destination.contains(address);
                 }));
}

// A host address that stands for the prefix; nothing where none is found in a bounded search. The search varies one
// byte at a time, the last one first.
inline std::optional<IpAddress> peer_in(const Prefix& prefix, const Snapshot& host) {
  const IpAddress network = prefix.network().address;
  const unsigned last = address_bits(network.family) / 8u - 1;
  for (unsigned byte = last + 1; byte-- > prefix.length / 8u;) {
    for (unsigned step = 0; step < kTriesPerByte; ++step) {
      IpAddress candidate = network;
      if (byte != last) candidate.bytes[last] = 1;
      candidate.bytes[byte] = static_cast<uint8_t>(candidate.bytes[byte] + step);
      if (prefix.contains(candidate) && is_host_address(prefix, candidate) && !candidate.is_unspecified() &&
          !candidate.is_multicast() && !candidate.is_loopback() && !is_singled_out(host, prefix, candidate))
        return candidate;
    }
  }
  return std::nullopt;
}

inline std::optional<IpAddress> on_link_peer(const Address& address, const Snapshot& host) {
  if (address.peer && *address.peer != address.local.address) return address.peer;
  return peer_in(address.local, host);
}

inline bool leaves_by(const FibResult& result, int ifindex) {
  return std::ranges::any_of(result.next_hops, [&](const NextHop& hop) { return hop.ifindex == ifindex; });
}
inline bool leaves_only_by(const FibResult& result, int ifindex) {
  return !result.next_hops.empty() &&
         std::ranges::all_of(result.next_hops, [&](const NextHop& hop) { return hop.ifindex == ifindex; });
}

}  // namespace rocert::checks
