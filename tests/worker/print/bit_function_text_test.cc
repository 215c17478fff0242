#include "worker/print/bit_function_text.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(BitFunctionText, IsWhatCudaHas) {
  const auto text = [](const char* function) {
    const auto found = BitFunctionText(function, {"a + b", CText::kAdditive});
    return found ? found->text : "";
  };
  EXPECT_EQ(text("__builtin_popcount"), "__popc(a + b)");
  EXPECT_EQ(text("__builtin_popcountl"), "__popcll(a + b)");
  EXPECT_EQ(text("__builtin_parityll"), "__popcll(a + b) & 1");
  EXPECT_EQ(text("__builtin_clz"), "__clz(a + b)");
  EXPECT_EQ(text("__builtin_clzll"), "__clzll(a + b)");
  EXPECT_EQ(text("__builtin_ctz"), "__ffs(a + b) - 1");
  EXPECT_EQ(text("__builtin_ctzl"), "__ffsll(a + b) - 1");
  EXPECT_EQ(text("__builtin_bswap16"), "(unsigned short)__byte_perm(a + b, 0, 0x4401)");
  EXPECT_EQ(text("__builtin_bswap32"), "__byte_perm(a + b, 0, 0x0123)");
  EXPECT_EQ(text("__builtin_bswap64"),
            "[](unsigned long x) { return ((unsigned long)__byte_perm((unsigned int)x, 0, 0x0123) << 32) | "
            "__byte_perm((unsigned int)(x >> 32), 0, 0x0123); }(a + b)");
  EXPECT_EQ(text("__builtin_isnan"), "");
  EXPECT_EQ(text("popcount"), "");
  EXPECT_EQ(text("fabs"), "");
}

}  // namespace
}  // namespace tune
