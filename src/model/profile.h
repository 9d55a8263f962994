// Profile: what is wanted, stated once. Settings and checks derive from it through Wants (model/wants.h).
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "model/fields.h"
#include "model/ip.h"
#include "model/shape.h"
#include "model/value.h"

namespace rocert {

// Marking of congestion notification packets (RoCE v2 annex A17.9).
struct CnpMark {
  Dscp dscp;
  std::optional<Priority> priority;
  bool operator==(const CnpMark&) const = default;
};

struct TrafficClass {
  std::string name;
  std::optional<Dscp> dscp;
  std::optional<Priority> priority;
  bool lossless = false;
  std::optional<CnpMark> cnp;
  bool operator==(const TrafficClass&) const = default;
};

// All stated conditions must hold; globs for names. An empty Match matches every port.
struct Match {
  std::optional<std::string> netdev;       // glob
  std::optional<std::string> rdma;         // glob over the RDMA device name
  std::optional<std::string> driver;       // netdev's driver
  std::optional<std::string> rdma_driver;  // "rxe", "mlx5", ...
  std::optional<Bandwidth> speed;
  std::optional<Prefix> prefix;  // one of the port's addresses lies in it
  bool operator==(const Match&) const = default;
};

struct Between {  // inclusive; either side may be open
  std::optional<int64_t> at_least;
  std::optional<int64_t> at_most;
  bool operator==(const Between&) const = default;
};

struct Role {
  std::string name;
  Match match;
  std::vector<std::string> classes;  // names; the first is the port's data class
  std::optional<uint32_t> count;     // expected ports; none: presence of this role is not judged
  std::optional<Bandwidth> speed;    // expected
  std::optional<Between> mtu;        // bytes, of the netdev
  bool operator==(const Role&) const = default;
};

// How ports form rails: by on-link prefix, or stated one by one (rail = position).
struct Rails {
  bool by_prefix = true;
  bool stated = false;  // false: nothing was said, and the report says so
  std::vector<Match> list;
  bool operator==(const Rails&) const = default;
};

struct Unmanaged {  // rocert neither judges nor writes it
  bool operator==(const Unmanaged&) const = default;
};
using Override = std::variant<Unmanaged, Value>;

enum class Evidence { kPause, kCnp };
template <>
struct Words<Evidence> {
  static constexpr std::array<std::pair<Evidence, std::string_view>, 2> values{
      {{Evidence::kPause, "pause"}, {Evidence::kCnp, "cnp"}}};
};

enum class Ordering { kInOrder, kSprayed };
template <>
struct Words<Ordering> {
  static constexpr std::array<std::pair<Ordering, std::string_view>, 2> values{
      {{Ordering::kInOrder, "in_order"}, {Ordering::kSprayed, "sprayed"}}};
};

enum class CongestionControl { kUnstated, kDcqcn, kRttcc, kProgrammable, kOff };
template <>
struct Words<CongestionControl> {  // kUnstated has no word: the key is left out
  static constexpr std::array<std::pair<CongestionControl, std::string_view>, 4> values{
      {{CongestionControl::kDcqcn, "dcqcn"},
       {CongestionControl::kRttcc, "rttcc"},
       {CongestionControl::kProgrammable, "programmable"},
       {CongestionControl::kOff, "off"}}};
};

struct Congestion {
  CongestionControl control = CongestionControl::kUnstated;
  std::set<Evidence> evidence;
  bool operator==(const Congestion&) const = default;
};

struct Waiver {
  std::string code;
  std::optional<std::string> host;  // glob
  std::optional<std::string> port;  // glob
  std::string reason;
  std::string until;  // last day on which it holds, "2027-01-31"
  bool operator==(const Waiver&) const = default;
};

struct Profile {
  std::string name;
  std::string description;
  std::vector<std::string> layers;  // names of what it extends, base first
  std::vector<TrafficClass> classes;
  std::vector<Role> roles;  // first match wins
  Rails rails;
  std::map<std::string, Override> settings;
  std::map<std::string, Value> limits;  // "write_bw.of_line" -> value in the limit's shape
  Ordering ordering = Ordering::kInOrder;
  Congestion congestion;
  std::set<std::string> must_know;
  std::set<std::string> gate;
  std::vector<Waiver> waivers;
  bool operator==(const Profile&) const = default;
};

// What the registered units know: a profile may only speak of these.
struct KnownKeys {
  std::map<std::string, Shape> settings;
  std::map<std::string, Shape> limits;  // "write_bw.of_line"
  std::set<std::string> codes;          // of checks; setting keys count as codes too
};

// Gives the YAML text of a profile by name (shipped, or beside the site's), or an Error (kUsage) that lists what there
// is.
using ProfileSource = Result<std::string> (*)(std::string_view name, const void* context);
struct ProfileLibrary {
  ProfileSource find = nullptr;
  const void* context = nullptr;
};

// A profile as text under its name, e.g. one that is compiled in.
struct ProfileText {
  std::string_view name;
  std::string_view yaml;
};
// The text of that name, or an Error (kUsage) with the nearest name and all there are.
Result<std::string> find_profile_text(std::span<const ProfileText> texts, std::string_view name);

// Parses `schema: rocert/profile/1`. Strict: unknown keys, wrong types and values out of range are errors with file,
// line, column and a suggestion; `extends:` is resolved through the library (depth 8 at most, no cycles): maps merge by
// key, a role or class of the same name is replaced field by field, lists replace. Roles of the upper layer are tried
// first. The profile is named by its `name:`, or by its file without folder and suffix.
Result<Profile> parse_profile(std::string_view text, const std::string& file, const KnownKeys& keys,
                              const ProfileLibrary& library);

// YAML of the merged profile, parseable again to an equal one.
std::string to_yaml(const Profile& profile);
// SHA-256 over to_yaml, hex.
std::string digest(const Profile& profile);

}  // namespace rocert
