#include "common/transform/register_sums/register_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/program/program_reader.h"
#include "common/program/program_text.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/codegen/code_generator.h"
#include "worker/codegen/openmp_generator.h"
#include "worker/print/region_function.h"

namespace tune {
namespace {

using testing::Element;
using ::testing::HasSubstr;
using testing::Multiply;
using ::testing::Not;
using testing::Read;

// Loops over i and `inner` around target += the product of what it reads.
v1::Scop Sum(const std::string& inner, const Element& target, const std::vector<Element>& reads) {
  return testing::ScopBuilder("f", {"n"}, "n >= 4")
      .Array("A", {"n", "n"})
      .Array("x", {"n"})
      .Array("y", {"n"})
      .Array("s", {})
      .Begin("i", "0 <= i < n")
      .Begin("j", inner)
      .Update(v1::ADD, target, reads, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

std::string Print(const v1::Scop& scop) {
  IslContext context;
  const std::map<std::string, int64_t> values = {{"n", 20}};
  const auto parsed = ParseScop(context, WithParameterFacts(scop, values)).value();
  const auto block = PrintOpenMpBlock(context, parsed->schedule, *parsed, values);
  EXPECT_TRUE(block.ok()) << block.status();
  return block.value_or("");
}

TEST(RegisterSums, ElementsOfAnInnermostLoopAreInVariables) {
  EXPECT_EQ(Print(Sum("0 <= j < n", {"y", "i"}, {{"A", "i, j"}, {"x", "j"}})), R"({
  for (int tune_c0 = 0; tune_c0 <= 19; tune_c0 += 1) {
    {
      double tune_r0 = y[tune_c0];
      for (int tune_c1 = 0; tune_c1 <= 19; tune_c1 += 1) {
        tune_r0 += A[tune_c0][tune_c1] * x[tune_c1];
      }
      y[tune_c0] = tune_r0;
    }
  }
}
)");
}

// An element of an iteration that is none need not exist.
TEST(RegisterSums, OnlyLoopsWithIterationsTouchTheElement) {
  EXPECT_THAT(Print(Sum("2*i - 9 <= j < i", {"y", "i"}, {{"A", "i, j"}, {"x", "j"}})),
              HasSubstr("tune_c0) {\n      {\n        double tune_r0 = y[tune_c0];"));
}

// Whose subscript is what the iterator stays below.
TEST(RegisterSums, EarlierElementsAreOthers) {
  EXPECT_THAT(Print(Sum("0 <= j < i", {"y", "i"}, {{"y", "j"}, {"x", "j"}})),
              HasSubstr("tune_r0 += y[tune_c1] * x[tune_c1];"));
  EXPECT_THAT(Print(Sum("0 <= j < i", {"A", "n - 1, i"}, {{"A", "n - 1, j"}, {"x", "j"}})),
              HasSubstr("tune_r0 += A[19][tune_c1] * x[tune_c1];"));
}

// Where it is known that reads are of other elements than are updated.
TEST(RegisterSums, OtherElementsOfTheArray) {
  const v1::Scop scop = Sum("0 <= j < n", {"A", "i, i"}, {{"A", "j, i"}, {"x", "j"}});
  const auto kept = [&](const IsOtherElement& is_other) {
    Block block = ReadBlock(R"(for j = 0; j <= i; j += 1
  run S0(A[j][i], x[j], A[i][i])
)")
                      .value();
    KeepSumsInRegisters(scop, is_other, &block);
    return PrintBlockText(block);
  };
  EXPECT_EQ(kept([](const std::string& statement, int access) { return statement == "S0" && access == 0; }),
            R"(if 0 <= i
  scope
    keep A[i][i], type double
    for j = 0; j <= i; j += 1
      run S0(A[j][i], x[j], A[i][i])
)");
  EXPECT_THAT(kept([](const std::string&, int access) { return access == 1; }), Not(HasSubstr("keep")));
}

// What a loop holds beside statements may touch anything.
TEST(RegisterSums, LoopsInTheLoop) {
  Block block = ReadBlock(R"(for j = 0; j <= i; j += 1
  run S0(A[j][i], x[j], y[i])
  for k = 0; k <= j; k += 1
    run S0(A[k][j], x[k], y[k])
)")
                    .value();
  KeepSumsInRegisters(
      Sum("0 <= j < n", {"y", "i"}, {{"A", "j, i"}, {"x", "j"}}),
      [](const std::string&, int) { return false; }, &block);
  EXPECT_THAT(PrintBlockText(block), Not(HasSubstr("keep")));
}

TEST(RegisterSums, OthersStayInMemory) {
  // Another reference to the array, which may be to the same element.
  EXPECT_THAT(Print(Sum("0 <= j <= i", {"y", "i"}, {{"y", "j"}, {"x", "j"}})), Not(HasSubstr("tune_r")));
  EXPECT_THAT(Print(Sum("0 <= j < n", {"A", "i, i"}, {{"A", "i, j"}, {"x", "j"}})), Not(HasSubstr("tune_r")));
  // Another element in each iteration.
  EXPECT_THAT(Print(Sum("0 <= j < n", {"y", "j"}, {{"A", "i, j"}, {"x", "i"}})), Not(HasSubstr("tune_r")));
  // No element at all.
  EXPECT_THAT(Print(Sum("0 <= j < n", {"s", ""}, {{"A", "i, j"}, {"x", "i"}})), Not(HasSubstr("tune_r")));
}

}  // namespace
}  // namespace tune
