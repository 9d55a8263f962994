#include "model/json.h"

#include <algorithm>
#include <iterator>

namespace rocert {
namespace {

constexpr size_t kMaxDepth = 64;

// Walks the text for the parser and tells how far it has come: the library's own events carry no position.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, size_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  Cursor operator++(int) {
    Cursor before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  size_t* consumed_;
};

Place place_of(std::string_view text, const std::string& file, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(lines) + 1, static_cast<int>(before.size() - line_start) + 1};
}

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." from its second colon on.
std::string reason_of(const std::string& what) {
  const size_t column = what.find("column ");
  const size_t colon = what.find(": ", column == std::string::npos ? 0 : column);
  return colon == std::string::npos ? what : what.substr(colon + 2);
}

// Builds the document from the parser's events; stops at the first thing that is too deep or said twice.
class Builder {
 public:
  Builder(std::string_view text, const std::string& file, const size_t& consumed)
      : text_(text), file_(file), consumed_(consumed) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(int64_t value) { return add(value); }
  bool number_unsigned(uint64_t value) { return add(value); }
  bool number_float(double value, const std::string& /*digits*/) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return refuse("binary data"); }
  bool start_object(size_t /*size*/) { return open(Json::object()); }
  bool start_array(size_t /*size*/) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Json& object = *open_.back();
    const size_t before = object.size();
    slot_ = &object[name];
    return object.size() > before || refuse("key \"" + name + "\" is there twice");
  }

  bool parse_error(size_t position, const std::string& /*token*/, const nlohmann::detail::exception& error) {
    error_ = Error{ErrorKind::kMalformed, "not JSON: " + reason_of(error.what()),
                   place_of(text_, file_, position == 0 ? 0 : position - 1)};
    return false;
  }

  Result<Json> finish() && {
    if (error_) return fail(std::move(*error_));
    return std::move(root_);
  }

 private:
  Json* put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == kMaxDepth) return refuse("nested deeper than " + std::to_string(kMaxDepth) + " levels");
    open_.push_back(put(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  bool refuse(std::string message) {
    error_ =
        Error{ErrorKind::kMalformed, std::move(message), place_of(text_, file_, consumed_ == 0 ? 0 : consumed_ - 1)};
    return false;
  }

  std::string_view text_;
  const std::string& file_;
  const size_t& consumed_;
  Json root_;
  std::vector<Json*> open_;
  Json* slot_ = nullptr;  // of the key that was read last
  std::optional<Error> error_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& file, size_t limit) {
  if (text.size() > limit) {
    return fail(ErrorKind::kMalformed,
                "seen " + std::to_string(text.size()) + " bytes, wanted at most " + std::to_string(limit), {file});
  }
  size_t consumed = 0;
  Builder builder(text, file, consumed);
  Json::sax_parse(Cursor(text.data(), &consumed), Cursor(text.data() + text.size(), &consumed), &builder);
  return std::move(builder).finish();
}

}  // namespace rocert
