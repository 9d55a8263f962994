#include "fabric/schedule.h"

#include <algorithm>

namespace rocert {

std::vector<Round> round_robin(size_t ends) {
  if (ends < 2) return {};
  // The last seat stays, the others move on by one each round; with an odd number the last seat is empty. Ends take
  // turns in coming first, so that each sends about as often as it receives.
  const size_t seats = ends + ends % 2;
  const size_t circle = seats - 1;
  std::vector<Round> rounds(circle);
  for (size_t number = 0; number < circle; ++number) {
    Round& round = rounds[number];
    if (seats == ends) round.push_back(number % 2 == 0 ? Pairing{number, circle} : Pairing{circle, number});
    for (size_t step = 1; step < seats / 2; ++step) {
      round.emplace_back((number + step) % circle, (number + circle - step) % circle);
    }
  }
  return rounds;
}

}  // namespace rocert
