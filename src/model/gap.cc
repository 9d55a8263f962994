#include "model/gap.h"

namespace rocert {

std::string to_text(const Gap& gap) {
  std::string text(word_of(gap.reason));
  if (!gap.detail.empty()) text += ": " + gap.detail;
  return text;
}

}  // namespace rocert
