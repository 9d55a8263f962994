// What a coordinator and its workers say to each other: one JSON document a frame, {"type": "...", ...}, decoded
// strictly. A probe's half has a number of its own, so that one worker can play both ends.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "model/snapshot.h"
#include "probe/probe.h"

namespace rocert {

// --- to a worker -----------------------------------------------------------------------------------------------------

struct SurveyOrder {
  bool operator==(const SurveyOrder&) const = default;
  static constexpr auto fields() { return std::tuple{}; }
};
// Start this half of a probe.
struct HalfOrder {
  uint64_t id = 0;
  ProbeOrder order;
  bool operator==(const HalfOrder&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"id", &HalfOrder::id}, Field{"order", &HalfOrder::order}}; }
};
// The other end of the half's probe.
struct PeerEndpoint {
  uint64_t id = 0;
  Endpoint endpoint;
  bool operator==(const PeerEndpoint&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"id", &PeerEndpoint::id}, Field{"endpoint", &PeerEndpoint::endpoint}};
  }
};
// Both ends have reached the step.
struct StepMet {
  uint64_t id = 0;
  std::string step;
  bool operator==(const StepMet&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"id", &StepMet::id}, Field{"step", &StepMet::step}}; }
};
// The other end is gone: give up waiting for it.
struct CancelHalf {
  uint64_t id = 0;
  std::string why;
  bool operator==(const CancelHalf&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"id", &CancelHalf::id}, Field{"why", &CancelHalf::why}}; }
};
struct Bye {
  bool operator==(const Bye&) const = default;
  static constexpr auto fields() { return std::tuple{}; }
};
using ToWorker = std::variant<SurveyOrder, HalfOrder, PeerEndpoint, StepMet, CancelHalf, Bye>;

// --- to the coordinator ----------------------------------------------------------------------------------------------

struct Welcome {
  std::string version;  // of rocert
  std::string host;     // as the machine calls itself
  bool operator==(const Welcome&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"version", &Welcome::version}, Field{"host", &Welcome::host}};
  }
};
struct Surveyed {
  Snapshot snapshot;
  bool operator==(const Surveyed&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"snapshot", &Surveyed::snapshot}}; }
};
// This end's half of the meeting.
struct OwnEndpoint {
  uint64_t id = 0;
  Endpoint endpoint;
  bool operator==(const OwnEndpoint&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"id", &OwnEndpoint::id}, Field{"endpoint", &OwnEndpoint::endpoint}};
  }
};
struct StepReached {
  uint64_t id = 0;
  std::string step;
  bool operator==(const StepReached&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"id", &StepReached::id}, Field{"step", &StepReached::step}};
  }
};
struct HalfDone {
  uint64_t id = 0;
  HalfResult result;
  bool operator==(const HalfDone&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"id", &HalfDone::id}, Field{"result", &HalfDone::result}}; }
};
// The half came to no result of its own: what it could not do.
struct HalfFailed {
  uint64_t id = 0;
  GapReason reason = GapReason::kUnreadable;
  std::string message;
  bool operator==(const HalfFailed&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"id", &HalfFailed::id}, Field{"reason", &HalfFailed::reason},
                      Field{"message", &HalfFailed::message}};
  }
};
using FromWorker = std::variant<Welcome, Surveyed, OwnEndpoint, StepReached, HalfDone, HalfFailed>;

std::string encode(const ToWorker& message);
std::string encode(const FromWorker& message);
// kMalformed: no such document, an unknown type, a field that is missing, unknown or of another kind.
Result<ToWorker> decode_to_worker(std::string_view payload);
Result<FromWorker> decode_from_worker(std::string_view payload);

}  // namespace rocert
