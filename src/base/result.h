// Result<T> is a value or an Error; TRY unwraps or returns. Drift, failed checks and missing facts are not errors.
#pragma once
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace rocert {

enum class ErrorKind {
  kUsage,      // the caller asked for something that does not exist or is malformed (exit 2)
  kMalformed,  // a file, a frame or a document does not follow its format (exit 2)
  kSystem,     // the kernel, a device or a file said no
  kTimeout,    // a deadline passed
  kClosed,     // the other end went away
  kInternal,   // a rule of our own code was broken
};

// Where in a document something is wrong. Lines and columns count from 1; 0 means not known.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Place&) const = default;
};

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;  // what was seen, what was wanted, what to do; one line
  Place place;          // empty file: no place
  bool operator==(const Error&) const = default;
};

// "FILE:LINE:COLUMN: message", or the message alone without a place.
std::string to_text(const Error& error);

template <class T = void>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

// An Error on its way into any Result<T>.
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, Place place = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(place)});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace rocert

#define ROCERT_CONCAT_(a, b) a##b
#define ROCERT_CONCAT(a, b) ROCERT_CONCAT_(a, b)

// auto x = TRY(f());  or  TRY(g());  returns the Error of a failed Result from the enclosing function.
#define TRY(...) ROCERT_TRY(ROCERT_CONCAT(try_result_, __COUNTER__), __VA_ARGS__)
#define ROCERT_TRY(name, ...)                                  \
  __extension__({                                              \
    auto&& name = (__VA_ARGS__);                               \
    if (!name) return ::rocert::fail(std::move(name).error()); \
    ::rocert::detail::take(std::move(name));                   \
  })

namespace rocert::detail {
template <class T>
T take(tl::expected<T, Error>&& result) {
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}
}  // namespace rocert::detail
