// What completions in error mean, counted and told once a status.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/gap.h"

namespace rocert {

struct StatusMeaning {
  std::string_view name;  // without IBV_WC_
  std::string_view says;  // what happened and where to look
};
StatusMeaning meaning_of(ibv_wc_status status);

// Completions in error of one end. Flushed ones follow from the first real error and are only counted.
class Failures {
 public:
  void add(const ibv_wc& completion);
  bool any() const { return !seen_.empty(); }
  // One line a status: "RETRY_EXC_ERR (12, vendor 0x81), 1 message: no acknowledgement ...; 63 more were flushed".
  std::vector<std::string> to_lines() const;
  // Why there is no figure: kTimedOut where the peer did not answer, kUnreadable else.
  Gap to_gap() const;

 private:
  struct Seen {
    uint64_t count = 0;
    uint32_t vendor = 0;
  };
  std::map<ibv_wc_status, Seen> seen_;
};

}  // namespace rocert
