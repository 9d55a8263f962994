// ProgressLine: how far a certification is, as one rewritten line of a terminal; silent anywhere else.
#pragma once
#include <cstddef>
#include <string>

#include "certify/coordinator.h"

namespace rocert {

class ProgressLine {
 public:
  // `hosts`: how many there are.
  explicit ProgressLine(size_t hosts);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  // Clears the line.
  ~ProgressLine();

  void show(const Progress& progress);

 private:
  void rewrite(const std::string& text);

  bool terminal_;
  bool drawn_ = false;
  size_t hosts_;
  size_t surveyed_ = 0;
  size_t lost_ = 0;
  size_t round_ = 0, rounds_ = 0;
};

}  // namespace rocert
