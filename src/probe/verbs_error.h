// Errors of verbs calls: which call, on what, the errno's text, and where to look next.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace rocert {

// "ibv_reg_mr on mlx5_0: Cannot allocate memory (ENOMEM); <hint>".
tl::unexpected<Error> verbs_failure(std::string_view call, std::string_view object, int error_number,
                                    std::string_view hint = {});

// Verbs return an errno, or -1 with errno set, depending on the call and on its age.
int errno_of(int verbs_result);

// What to look at when a call of that kind failed so; empty: nothing is known.
std::string_view opening_hint(int error_number);  // ibv_open_device
std::string_view memory_hint(int error_number);   // ibv_reg_mr, ibv_create_cq, ibv_create_qp
std::string_view path_hint(int error_number);     // ibv_modify_qp to RTR, which resolves the peer's address

}  // namespace rocert
