// Frames between `lab exec`, the lab's daemon and the agents in the guests: a length, a kind, a stream and bytes.
// Data flows only against credit, granted by the end that consumes it, so that a slow stream fills nobody's buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocert::lab {

enum class Kind : std::uint8_t {
  kHello = 1,     // agent to daemon: the guest is set up; a text says what went wrong, if something did
  kAttach,        // exec to daemon: the guest's name
  kOpen,          // exec to agent: the command's words, see join_words()
  kStarted,       // agent to exec
  kInput,         // exec to agent: bytes of standard input
  kInputEnd,      // exec to agent
  kInputCredit,   // agent to exec: a number of bytes
  kOutput,        // agent to exec: bytes of standard output
  kOutputCredit,  // exec to agent: a number of bytes
  kErrors,        // agent to exec: bytes of standard error
  kErrorsCredit,  // exec to agent: a number of bytes
  kSignal,        // exec to agent: a signal for the command's process group
  kExited,        // agent to exec: the exit status, 128 + signal if one ended it
  kGone,          // daemon to exec: why the stream cannot go on
};
inline constexpr std::uint8_t kLastKind = static_cast<std::uint8_t>(Kind::kGone);

inline constexpr std::size_t kHeaderBytes = 9;
inline constexpr std::size_t kMaxPayload = 64 * 1024;
// Each direction's window; the credit that both ends assume at the start.
inline constexpr std::uint32_t kWindow = 64 * 1024;
// What one data frame carries at most, so that streams take turns.
inline constexpr std::size_t kChunk = 4096;

struct Frame {
  Kind kind{};
  std::uint32_t stream = 0;
  std::string payload;
};

void append_frame(std::string& to, Kind kind, std::uint32_t stream, std::string_view payload);

// Cuts a byte stream into frames. A frame that breaks a bound ends the stream for good: bad() says why.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  [[nodiscard]] std::optional<Frame> next();
  [[nodiscard]] const std::string& bad() const { return bad_; }

 private:
  std::string pending_;
  std::size_t at_ = 0;
  std::string bad_;
};

// Numbers travel as four bytes, little-endian; anything else reads as nothing.
[[nodiscard]] std::string number_to_bytes(std::uint32_t number);
[[nodiscard]] std::optional<std::uint32_t> number_from_bytes(std::string_view bytes);

// A word ends with a NUL byte.
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> split_words(std::string_view bytes);

}  // namespace rocert::lab
