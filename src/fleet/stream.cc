#include "fleet/stream.h"

#include <array>

#include "fleet/asio.h"

namespace rocert {
namespace {

using boost::system::error_code;

Error closed(std::string_view doing, const error_code& error) {
  return {ErrorKind::kClosed, std::string(doing) + ": " + error.message(), {}};
}

class DescriptorStream final : public Stream {
 public:
  DescriptorStream(Loop& loop, Fd input, Fd output) : state_(std::make_shared<State>(loop)) {
    // A descriptor that cannot be watched (a regular file) fails at the first read or write.
    error_code ignored;
    if (input) state_->input.assign(input.release(), ignored);
    if (output) state_->output.assign(output.release(), ignored);
  }
  ~DescriptorStream() override { close(); }

  void read(std::function<void(Result<std::string_view>)> done) override {
    state_->input.async_read_some(asio::buffer(state_->chunk),
                                  [state = state_, done = std::move(done)](const error_code& error, size_t size) {
                                    if (state->closed) return;
                                    if (error == asio::error::eof) return done(std::string_view());
                                    if (error) return done(fail(closed("reading", error)));
                                    done(std::string_view(state->chunk.data(), size));
                                  });
  }

  void write(std::string bytes, std::function<void(Result<>)> done) override {
    state_->outgoing = std::move(bytes);
    asio::async_write(state_->output, asio::buffer(state_->outgoing),
                      [state = state_, done = std::move(done)](const error_code& error, size_t) {
                        if (state->closed) return;
                        if (error) return done(fail(closed("writing", error)));
                        done({});
                      });
  }

  void close() override {
    state_->closed = true;
    error_code ignored;
    state_->input.close(ignored);
    state_->output.close(ignored);
  }

 private:
  struct State {
    explicit State(Loop& loop) : input(loop.context().io), output(loop.context().io) {}
    asio::posix::stream_descriptor input, output;
    std::array<char, 65536> chunk;
    std::string outgoing;
    bool closed = false;
  };
  std::shared_ptr<State> state_;
};

}  // namespace

std::unique_ptr<Stream> descriptor_stream(Loop& loop, Fd input, Fd output) {
  return std::make_unique<DescriptorStream>(loop, std::move(input), std::move(output));
}

}  // namespace rocert
