// The tests of certify, or, called as a launcher is, one of the workers that they start.
#include <gmock/gmock.h>

#include <string_view>

#include "unit/certify/fake_worker.h"

int main(int argc, char** argv) {
  if (argc > 4 && std::string_view(argv[1]) == "exec") rocert::play_worker(argv[2], argv[4]);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
