// The lines that combine partial values, run by the simulator in blocks of all shapes.
#include "worker/print/block_reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/simt/simulator.h"

namespace tune {
namespace {

struct Shape {
  size_t axis;
  std::array<int64_t, 3> threads;
};

// A kernel in which every thread has two values, of its number and its number plus 1000, and the first thread
// of each place writes what became of them.
std::string ReductionKernelText(const std::string& name, const BlockReductionText& reduction,
                                const std::string& type) {
  const auto& threads = reduction.threads;
  return absl::StrCat(
      "extern \"C\" __global__ void ", name, "(", type, " *out) {\n", "  const int number = threadIdx.x + ",
      threads[0], " * threadIdx.y + ", threads[0] * threads[1], " * threadIdx.z;\n  ", type, " part[2] = {(",
      type, ")number, (", type, ")(number + 1000)};\n", absl::StrJoin(BlockReductionLines(reduction), "\n"),
      "\n  out[2 * number] = part[0];\n  out[2 * number + 1] = part[1];\n}\n");
}

template <typename T>
void CheckShape(const Shape& shape, v1::UpdateOperator update, v1::ElementType type,
                const std::string& c_type) {
  BlockReductionText reduction;
  reduction.tile = "part";
  reduction.extents = {2};
  reduction.type = type;
  reduction.update = update;
  reduction.axis = shape.axis;
  reduction.threads = shape.threads;
  reduction.helper = "tune_r";
  const std::string text = ReductionKernelText("combine", reduction, c_type);
  const auto simulator = simt::Simulator::Compile(text, {{"combine"}});
  ASSERT_TRUE(simulator.ok()) << simulator.status();
  const int64_t count = shape.threads[0] * shape.threads[1] * shape.threads[2];
  std::vector<T> out(2 * count, T{-1});
  ASSERT_TRUE((*simulator)->AddMemory("out", out.data(), out.size() * sizeof(T)).ok());
  void* pointer = out.data();
  void* arguments[] = {&pointer};
  simt::Simulator::Launch launch;
  for (int i = 0; i < 3; ++i) launch.block[i] = static_cast<unsigned>(shape.threads[i]);
  launch.arguments = arguments;
  const absl::Status run = (*simulator)->Run(launch, 3);
  ASSERT_TRUE(run.ok()) << run << "\n" << text;
  int64_t stride = 1;  // between threads of one place
  for (size_t axis = 0; axis < shape.axis; ++axis) stride *= shape.threads[axis];
  for (int64_t number = 0; number < count; ++number) {
    if (number / stride % shape.threads[shape.axis] != 0) continue;
    for (int which = 0; which < 2; ++which) {
      T expected = static_cast<T>(number + 1000 * which);
      for (int64_t other = 1; other < shape.threads[shape.axis]; ++other) {
        const T value = static_cast<T>(number + other * stride + 1000 * which);
        expected = update == v1::ADD
                       ? expected + value
                       : (update == v1::MIN ? std::min(expected, value) : std::max(expected, value));
      }
      EXPECT_EQ(out[2 * number + which], expected) << "thread " << number << "\n" << text;
    }
  }
}

TEST(BlockReduction, CombinesAlongEachAxis) {
  const Shape shapes[] = {{0, {8, 1, 1}},   {0, {8, 2, 1}},   {0, {16, 4, 1}},   {0, {32, 4, 1}},
                          {0, {128, 1, 1}}, {0, {64, 2, 2}},  {0, {1024, 1, 1}}, {1, {16, 8, 1}},
                          {1, {8, 2, 1}},   {1, {32, 16, 1}}, {1, {16, 4, 4}},   {2, {16, 2, 4}},
                          {1, {4, 256, 1}}, {1, {1, 128, 1}}, {1, {64, 4, 1}},   {1, {8, 2, 8}},
                          {2, {4, 2, 16}},  {1, {2, 4, 2}}};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(absl::StrCat("axis ", shape.axis, " of ", absl::StrJoin(shape.threads, " x ")));
    CheckShape<double>(shape, v1::ADD, v1::ELEMENT_TYPE_DOUBLE, "double");
  }
}

TEST(BlockReduction, CombinesByEachOperatorAndType) {
  const Shape shape{0, {64, 2, 1}};
  CheckShape<float>(shape, v1::ADD, v1::ELEMENT_TYPE_FLOAT, "float");
  CheckShape<int>(shape, v1::MAX, v1::ELEMENT_TYPE_INT, "int");
  CheckShape<int64_t>(shape, v1::MIN, v1::ELEMENT_TYPE_LONG, "long");
  CheckShape<double>(shape, v1::MAX, v1::ELEMENT_TYPE_DOUBLE, "double");
}

TEST(BlockReduction, ExchangesByTheFunctionGiven) {
  BlockReductionText reduction;
  reduction.tile = "part";
  reduction.type = v1::ELEMENT_TYPE_COMPLEX_FLOAT;
  reduction.update = v1::ADD;
  reduction.threads = {32, 1, 1};
  reduction.helper = "tune_r";
  reduction.exchange = "other";
  EXPECT_THAT(
      absl::StrJoin(BlockReductionLines(reduction), "\n"),
      ::testing::HasSubstr("const _Complex float tune_r_other = other(0xffffffffu, part, tune_r_distance);"));
}

TEST(BlockReduction, IdentitiesLeaveValuesAlone) {
  EXPECT_EQ(IdentityText(v1::ADD, v1::ELEMENT_TYPE_FLOAT), "0");
  EXPECT_EQ(IdentityText(v1::MULTIPLY, v1::ELEMENT_TYPE_INT), "1");
  EXPECT_EQ(IdentityText(v1::MULTIPLY, v1::ELEMENT_TYPE_COMPLEX_FLOAT), "{1}");
  EXPECT_EQ(IdentityText(v1::MAX, v1::ELEMENT_TYPE_INT), "-2147483647 - 1");
  EXPECT_EQ(IdentityText(v1::MIN, v1::ELEMENT_TYPE_UNSIGNED_INT), "4294967295u");
}

}  // namespace
}  // namespace tune
