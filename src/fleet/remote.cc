#include "fleet/remote.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/process.h"
#include "base/text.h"
#include "fleet/session.h"

namespace rocert {
namespace {

using namespace std::chrono_literals;

constexpr size_t kWordsKept = 4096;  // of stderr, the last bytes
constexpr size_t kLinesShown = 3;
// What is left of the streams of a process that ended, and an orderly exit after its stream ended.
constexpr auto kLinger = 1s;
constexpr auto kKillLimit = 2s;

// The last lines of what a program said, as one line.
std::string last_words(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) {
    if (!trim(line).empty()) lines.push_back(escaped(trim(line), 200));
  }
  if (lines.size() > kLinesShown) lines.erase(lines.begin(), lines.end() - kLinesShown);
  return join(lines, "; ");
}

}  // namespace

struct Remote::State : std::enable_shared_from_this<Remote::State> {
  State(Loop& on, Process child, std::string name, RemoteEvents callbacks)
      : loop(on), process(std::move(child)), program(std::move(name)), events(std::move(callbacks)) {}

  // Callbacks hold the state weakly: only the Remote owns it.
  template <class Step>
  auto guarded(Step step) {
    return [weak = weak_from_this(), step = std::move(step)](auto&&... args) {
      if (const auto self = weak.lock()) step(*self, std::forward<decltype(args)>(args)...);
    };
  }

  void begin() {
    session.emplace(descriptor_stream(loop, std::move(process.output()), std::move(process.input())),
                    SessionEvents{guarded([](State& self, std::string payload) { self.hear(std::move(payload)); }),
                                  guarded([](State& self, const Error& why) { self.session_ended(why); })});
    errors = descriptor_stream(loop, std::move(process.errors()), Fd());
    read_errors();
    exit_watch = Watch(loop, process.pidfd(), guarded([](State& self) { self.process_ended(); }));
  }

  void hear(std::string payload) {
    if (!reason) events.message(std::move(payload));
  }

  void read_errors() {
    errors->read(guarded([](State& self, Result<std::string_view> bytes) {
      if (!bytes || bytes->empty()) {
        self.errors_ended = true;
        return self.report_if_over();
      }
      self.words += *bytes;
      if (self.words.size() > kWordsKept) self.words.erase(0, self.words.size() - kWordsKept);
      self.read_errors();
    }));
  }

  void session_ended(const Error& why) {
    stream_ended = true;
    if (!reason) reason = why;
    if (ending) return report_if_over();
    // It ends by itself now that its stream is gone, or it is made to.
    if (why.kind == ErrorKind::kClosed) {
      limit = Timer(loop, kLinger, guarded([](State& self) { self.kill(); }));
    } else {
      kill();
    }
  }

  void process_ended() {
    ending = process.reap();
    if (!ending) {  // the watch and the kernel disagree: look again at the next deadline
      return kill();
    }
    limit = Timer(loop, kLinger, guarded([](State& self) {
                    self.stream_ended = self.errors_ended = true;
                    self.report_if_over();
                  }));
    report_if_over();
  }

  void kill() {
    process.signal(SIGKILL);
    limit = Timer(loop, kKillLimit, guarded([](State& self) {
                    if (!self.ending) self.ending = self.process.reap();
                    self.report();
                  }));
  }

  void end(std::chrono::nanoseconds grace, const Error& why) {
    if (reported) return;
    if (!reason) reason = why;
    session.reset();
    stream_ended = true;
    if (ending) return;
    process.signal(SIGTERM);
    limit = Timer(loop, grace, guarded([](State& self) { self.kill(); }));
  }

  void report_if_over() {
    if (ending && stream_ended && errors_ended) report();
  }

  void report() {
    if (std::exchange(reported, true)) return;
    limit = Timer();
    const std::string said = last_words(words);
    Error why = reason.value_or(Error{ErrorKind::kClosed, "", {}});
    if (!ending) {
      why = {ErrorKind::kTimeout, fmt::format("{} (process {}) cannot be killed", program, process.pid()), {}};
    } else if (why.kind == ErrorKind::kClosed) {  // how it ended tells more than that its stream ended
      why.message = fmt::format("{} {}", program, to_text(*ending));
    }
    if (!said.empty()) why.message += ": " + said;
    // Later: the owner may destroy this Remote in its answer, and may be in a call of it now.
    loop.post(guarded([why](State& self) { self.events.ended(why); }));
  }

  Loop& loop;
  Process process;
  std::string program;
  RemoteEvents events;
  std::optional<Session> session;
  std::unique_ptr<Stream> errors;
  Watch exit_watch;
  Timer limit;
  std::string words;
  std::optional<Error> reason;
  std::optional<Ending> ending;
  bool stream_ended = false, errors_ended = false, reported = false;
};

Result<Remote> Remote::start(Loop& loop, const std::vector<std::string>& argv, RemoteEvents events) {
  Process process = TRY(Process::start(argv));
  const std::string program = argv[0].substr(argv[0].rfind('/') + 1);
  auto state = std::make_shared<State>(loop, std::move(process), program, std::move(events));
  state->begin();
  return Remote(std::move(state));
}

Remote& Remote::operator=(Remote&& other) noexcept {
  const Remote old = std::move(*this);
  state_ = std::move(other.state_);
  return *this;
}

Remote::~Remote() = default;

pid_t Remote::pid() const { return state_->process.pid(); }

void Remote::send(std::string_view payload) {
  if (state_->session) state_->session->send(payload);
}

void Remote::end(std::chrono::nanoseconds grace, const Error& why) { state_->end(grace, why); }

}  // namespace rocert
