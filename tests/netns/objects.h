// Objects that the tests of this folder make in their namespace, and words of `ip -j` as the kernel's numbers.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "host/host.h"
#include "netns/namespace.h"

namespace rocert {

inline const std::map<std::string, uint32_t> kScopes{{"global", 0}, {"site", 200}, {"link", 253}, {"host", 254}};

// A word or a number of `ip -j`.
uint32_t numbered(const nlohmann::json& object, const char* key, const std::map<std::string, uint32_t>& words,
                  uint32_t absent);

// Two pairs of veth (rail0 with addresses of both families, storage), a bridge, a macvlan and a vxlan.
void make_links();

int index_of(const std::vector<Link>& links, const std::string& name);

// The answer, or a failure of the test and an empty one.
template <class Query>
typename Query::Answer ask(Host& host, const Query& query) {
  auto answer = host.get(query);
  EXPECT_TRUE(answer) << to_text(answer.error());
  return answer.value_or(typename Query::Answer{});
}

}  // namespace rocert
