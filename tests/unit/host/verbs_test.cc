#include "host/verbs.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace rocert {
namespace {

// A library with one device of one port.
struct Fake {
  static inline ibv_device device{};
  static inline ibv_context context{};
  static inline ibv_device* list[2] = {&device, nullptr};
  static inline int lists = 0;
  static inline int contexts = 0;
  static inline bool openable = true;

  static Verbs verbs() {
    Verbs v{};
    v.get_device_list = [](int* count) {
      ++lists;
      *count = 1;
      return list;
    };
    v.free_device_list = [](ibv_device**) { --lists; };
    v.get_device_name = [](ibv_device*) -> const char* { return "mlx5_0"; };
    v.open_device = [](ibv_device*) -> ibv_context* {
      errno = EACCES;
      if (!openable) return nullptr;
      ++contexts;
      return &context;
    };
    v.close_device = [](ibv_context*) {
      --contexts;
      return 0;
    };
    v.query_port = [](ibv_context*, uint8_t port, _compat_ibv_port_attr* attributes) {
      if (port != 1) return EINVAL;
      auto* raw = reinterpret_cast<ibv_port_attr*>(attributes);
      raw->active_mtu = IBV_MTU_4096;
      raw->max_mtu = IBV_MTU_4096;
      raw->active_speed = 128;
      raw->active_width = 2;
      raw->link_layer = IBV_LINK_LAYER_ETHERNET;
      return 0;
    };
    return v;
  }
};

TEST(ReadPortAttributes, InBytesAndMegabits) {
  Fake::openable = true;
  EXPECT_EQ(read_port_attributes(Fake::verbs(), "mlx5_0", 1).value(),
            (RdmaPortAttributes{4096, 4096, 400000, "Ethernet"}));
  EXPECT_EQ(Fake::lists, 0);
  EXPECT_EQ(Fake::contexts, 0);
}

TEST(ReadPortAttributes, FailuresAreGapsAndNothingStaysOpen) {
  Fake::openable = true;
  EXPECT_EQ(read_port_attributes(Fake::verbs(), "mlx5_1", 1).error().reason, GapReason::kAbsent);
  EXPECT_EQ(read_port_attributes(Fake::verbs(), "mlx5_0", 300).error().reason, GapReason::kAbsent);
  EXPECT_EQ(read_port_attributes(Fake::verbs(), "mlx5_0", 2).error().reason, GapReason::kNotSupported);
  Fake::openable = false;
  EXPECT_EQ(read_port_attributes(Fake::verbs(), "mlx5_0", 1).error().reason, GapReason::kDenied);
  EXPECT_EQ(Fake::lists, 0);
  EXPECT_EQ(Fake::contexts, 0);
}

TEST(LoadVerbs, GivesTheWholeTableOrSaysWhatIsMissing) {
  const auto verbs = load_verbs();
  if (!verbs) {
    EXPECT_NE(verbs.error().message.find("libibverbs"), std::string::npos);
    return;
  }
  EXPECT_NE((*verbs)->get_device_list, nullptr);
  EXPECT_NE((*verbs)->wc_status_str, nullptr);
  EXPECT_EQ(*load_verbs(), *verbs);
}

}  // namespace
}  // namespace rocert
