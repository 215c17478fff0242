#include "worker/print/atomic_text.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(AtomicText, UpdatesByTheTypesThatCudaHas) {
  EXPECT_EQ(AtomicUpdateText(v1::ADD, v1::ELEMENT_TYPE_FLOAT, "x[0]", "p"), "atomicAdd(&x[0], p);");
  EXPECT_EQ(AtomicUpdateText(v1::MAX, v1::ELEMENT_TYPE_INT, "(*s)", "p"), "atomicMax(s, p);");
  EXPECT_EQ(AtomicUpdateText(v1::ADD, v1::ELEMENT_TYPE_LONG, "x[0]", "p"),
            "atomicAdd((unsigned long long *)&x[0], p);");
  EXPECT_EQ(AtomicUpdateText(v1::MIN, v1::ELEMENT_TYPE_LONG, "x[0]", "p"),
            "atomicMin((long long *)&x[0], p);");
  EXPECT_EQ(AtomicUpdateText(v1::MIN, v1::ELEMENT_TYPE_UNSIGNED_LONG, "x[0]", "p"),
            "atomicMin((unsigned long long *)&x[0], p);");
}

TEST(AtomicText, StoresByWords) {
  EXPECT_EQ(AtomicStoreText(v1::ELEMENT_TYPE_FLOAT, "x[0]", "a + b"), "atomicExch(&x[0], a + b);");
  EXPECT_EQ(AtomicStoreText(v1::ELEMENT_TYPE_UNSIGNED_INT, "(*s)", "1u"), "atomicExch(s, 1u);");
  EXPECT_EQ(AtomicStoreText(v1::ELEMENT_TYPE_DOUBLE, "x[0]", "a + b"),
            "atomicExch((unsigned long long *)&x[0], __double_as_longlong(a + b));");
  EXPECT_EQ(AtomicStoreText(v1::ELEMENT_TYPE_LONG, "x[0]", "a"),
            "atomicExch((unsigned long long *)&x[0], a);");
  EXPECT_EQ(AtomicStoreText(v1::ELEMENT_TYPE_SHORT, "x[0]", "a"), "x[0] = a;");
}

}  // namespace
}  // namespace tune
