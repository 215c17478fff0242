#include "common/transform/split_extrema/split_nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/common/transform/expansion/expansion_check.h"
#include "tests/common/transform/split_extrema/extremum_programs.h"

namespace tune {
namespace {

using testing::Memory;
using testing::Region;

const PartLimits kFewParts{.least = 1, .most = 6, .each = 2, .neighbours = 32, .joined = 2};

std::optional<v1::Scop> Split(const v1::Scop& scop, const testing::Values& values, const PartLimits& limits) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto dependences = ComputeDependences(context, *parsed).value();
  const auto split = context.Run("test", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    return SplitNests(*parsed, FindRunningExtrema(*parsed, dependences), ParameterValues(context, values),
                      limits);
  });
  EXPECT_TRUE(split.ok()) << split.status();
  return split.value_or(std::nullopt);
}

template <typename T>
void Fill(const std::vector<T>& choices, uint64_t* state, testing::ArrayMemory* array) {
  for (size_t at = 0; at + sizeof(T) <= array->bytes.size(); at += sizeof(T)) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const T value = choices[(*state >> 33) % choices.size()];
    std::memcpy(&array->bytes[at], &value, sizeof value);
  }
}

template <typename T>
std::vector<T> Numbers(uint64_t kind) {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinite = std::numeric_limits<T>::infinity();
  switch (kind % 4) {
    case 0:
      return {-2, -1, 0, 1, 2, 3};
    case 1:
      return {T(-0.0), T(0.0)};
    case 2:
      return {nan, nan, 1, 2, -1};
    default:
      return {nan, infinite, -infinite, T(-0.0), 0, 7};
  }
}

// Few different numbers, so that many are equal; zeros of both signs; some that are none.
void FillWithTies(uint64_t seed, Memory* memory) {
  uint64_t state = seed * 77 + 1;
  for (auto& [name, array] : *memory) {
    if (array.type == v1::ELEMENT_TYPE_FLOAT) Fill(Numbers<float>(seed), &state, &array);
    if (array.type == v1::ELEMENT_TYPE_DOUBLE) Fill(Numbers<double>(seed), &state, &array);
    if (array.type == v1::ELEMENT_TYPE_INT) Fill<int>({-3, 0, 1, 2}, &state, &array);
    if (array.type == v1::ELEMENT_TYPE_SIGNED_CHAR) Fill<signed char>({-128, -1, 0, 127}, &state, &array);
    if (array.type == v1::ELEMENT_TYPE_UNSIGNED_INT) Fill<unsigned>({0, 1, 0x80000000u, ~0u}, &state, &array);
  }
}

void ExpectSame(const v1::Scop& original, const v1::Scop& split, const testing::Values& values,
                uint64_t seed) {
  const v1::Reference reference = testing::MakeReference(original, values);
  Memory expected = testing::MakeInputs(original, reference, seed);
  FillWithTies(seed, &expected);
  Memory found = expected;
  ASSERT_TRUE(testing::Interpret(original, reference, expected).ok());
  const absl::Status status = testing::Interpret(split, testing::MakeReference(split, values), found);
  ASSERT_TRUE(status.ok()) << status;
  for (const auto& [name, memory] : expected)
    EXPECT_TRUE(testing::SameNumbers(found.at(name), memory)) << name << ", seed " << seed;
}

class SplitNestTest : public ::testing::TestWithParam<Region> {};

// Bit for bit, in the order in which parts are written and in one that isl finds.
TEST_P(SplitNestTest, FindsWhatTheLoopFinds) {
  const testing::Values values = {{"n", 9}};
  const v1::Scop scop = testing::RegionScop(GetParam().text);
  const auto split = Split(scop, values, kFewParts);
  ASSERT_TRUE(split.has_value());
  for (uint64_t seed = 0; seed < 4; ++seed) ExpectSame(scop, *split, values, seed);
  const auto rescheduled = testing::Rescheduled(*split, values);
  ASSERT_TRUE(rescheduled.ok()) << rescheduled.status();
  ExpectSame(scop, *rescheduled, values, /*seed=*/2);
}

INSTANTIATE_TEST_SUITE_P(Of, SplitNestTest, ::testing::ValuesIn(testing::ExtremumRegions()),
                         [](const ::testing::TestParamInfo<Region>& info) { return info.param.name; });

// The parts, and each step among them.
TEST(SplitNest, PartsAreParallel) {
  const testing::Values values = {{"n", 1000}};
  const v1::Scop scop = testing::RegionScop("for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; k = i; }");
  const auto before = testing::Analysis::Make(scop, values).value();
  EXPECT_EQ(testing::ScheduledBands(*before), "0/1");
  const auto split = Split(scop, values, {.least = 1, .most = 100, .each = 2, .neighbours = 4, .joined = 8});
  ASSERT_TRUE(split.has_value());
  const auto after = testing::Analysis::Make(*split, values).value();
  EXPECT_EQ(testing::ScheduledBands(*after), "1/2 1/2 0/1") << "rounds of 100 parts, of 13, the last one";
}

TEST(SplitNest, NotOfFewIterations) {
  const v1::Scop scop = testing::RegionScop(testing::ExtremumRegions()[0].text);
  EXPECT_FALSE(Split(scop, {{"n", 1000}}, PartLimits()).has_value());
  EXPECT_TRUE(Split(scop, {{"n", 10000}}, PartLimits()).has_value());
}

}  // namespace
}  // namespace tune
