#include "cmd/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cmd/output.h"

namespace rocert {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

// "35 s", "11 min".
std::string about(std::chrono::nanoseconds time) {
  const double seconds = std::chrono::duration<double>(time).count();
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

ProgressLine::ProgressLine(size_t hosts) : terminal_(::isatty(STDERR_FILENO) == 1), hosts_(hosts) {}

ProgressLine::~ProgressLine() {
  if (drawn_) rewrite("");
}

void ProgressLine::rewrite(const std::string& text) {
  if (!terminal_) return;
  tell("\r\x1b[K" + text);
  drawn_ = true;
}

void ProgressLine::show(const Progress& progress) {
  const auto survey = [&] { rewrite(fmt::format("{}/{} hosts surveyed, {} lost", surveyed_, hosts_, lost_)); };
  std::visit(Overloaded{[&](const HostSurveyed&) {
                          ++surveyed_;
                          survey();
                        },
                        [&](const HostLost&) {
                          ++lost_;
                          if (rounds_ == 0) survey();
                        },
                        [&](const LineupReady& lineup) {
                          rounds_ = lineup.rounds;
                          rewrite(fmt::format("{} hosts · {} rails · {} pairs in {} rounds · about {}\n", hosts_,
                                              lineup.rails, lineup.pairs, lineup.rounds, about(lineup.estimate)));
                        },
                        [&](const RoundBegan& began) { round_ = began.round; },
                        [&](const PairEnded& pair) {
                          rewrite(fmt::format("round {}/{} · {}/{} pairs · {} lost", round_, rounds_, pair.ended,
                                              pair.of, lost_));
                        },
                        [](const auto&) {}},
             progress);
}

}  // namespace rocert
