// The kernels that compare outputs, on the simulator, against worker/run/output_check.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "common/array/half.h"
#include "tests/simt/simulator.h"
#include "worker/cuda/utility_kernels.h"
#include "worker/run/output_check.h"

namespace tune {
namespace {

struct Sums {
  double difference_square = 0, expected_square = 0, difference_sum = 0, largest = 0, largest_relative = 0;
};

template <typename T>
Sums Simulate(v1::ElementType type, std::vector<T> expected, std::vector<T> found, unsigned blocks) {
  auto simulator = simt::Simulator::Compile(UtilityKernels::ComparisonText({type}),
                                            {{UtilityKernels::ComparisonName(type)}});
  EXPECT_TRUE(simulator.ok()) << simulator.status();
  std::vector<double> partial(UtilityKernels::kCompareSums * blocks);
  EXPECT_TRUE((*simulator)->AddMemory("expected", expected.data(), expected.size() * sizeof(T)).ok());
  EXPECT_TRUE((*simulator)->AddMemory("found", found.data(), found.size() * sizeof(T)).ok());
  EXPECT_TRUE((*simulator)
                  ->AddMemory("partial", partial.data(), partial.size() * sizeof(double),
                              simt::Simulator::Content::kUndefined)
                  .ok());
  void *e = expected.data(), *f = found.data(), *p = partial.data();
  unsigned long long count = expected.size();
  void* arguments[] = {&e, &f, &count, &p};
  const simt::Simulator::Launch launch = {
      0, {blocks, 1, 1}, {UtilityKernels::kCompareThreads, 1, 1}, 0, arguments};
  const absl::Status status = (*simulator)->Run(launch, 5);
  EXPECT_TRUE(status.ok()) << status;
  Sums sums;
  for (unsigned block = 0; block < blocks; ++block) {
    const double* of_block = &partial[UtilityKernels::kCompareSums * block];
    sums.difference_square += of_block[0];
    sums.expected_square += of_block[1];
    sums.difference_sum += of_block[2];
    sums.largest = std::max(sums.largest, of_block[3]);
    sums.largest_relative = std::max(sums.largest_relative, of_block[4]);
  }
  return sums;
}

template <typename T>
void ExpectAsOnTheHost(v1::ElementType type, const std::vector<T>& expected, const std::vector<T>& found,
                       unsigned blocks) {
  const Sums sums = Simulate(type, expected, found, blocks);
  const v1::ArrayError error =
      CompareArray("A", type, {static_cast<int64_t>(expected.size())}, expected.data(), found.data(), {});
  EXPECT_EQ(sums.largest, error.largest());
  const double relative = std::sqrt(sums.difference_square) / std::sqrt(sums.expected_square);
  if (std::isfinite(error.relative_l2())) {
    EXPECT_NEAR(relative, error.relative_l2(), 1e-12 * error.relative_l2());
  } else {
    EXPECT_EQ(relative, error.relative_l2());
  }
}

// What a method measures on the device is what it measures on the host.
template <typename T>
void ExpectMeasured(v1::ElementType type, const std::vector<T>& expected, const std::vector<T>& found) {
  const Sums sums = Simulate(type, expected, found, 2);
  const auto measured = [&](v1::CheckMethod method) {
    OutputRule rule;
    rule.method = method;
    return CompareArray("A", type, {static_cast<int64_t>(expected.size())}, expected.data(), found.data(), {},
                        rule)
        .measured();
  };
  EXPECT_DOUBLE_EQ(sums.difference_sum, measured(v1::CHECK_SUM_OF_DIFFERENCES));
  EXPECT_DOUBLE_EQ(sums.largest, measured(v1::CHECK_EACH_DIFFERENCE));
  EXPECT_DOUBLE_EQ(sums.largest_relative, measured(v1::CHECK_EACH_RELATIVE));
}

TEST(ComparisonKernelsTest, WhatMethodsMeasure) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  ExpectMeasured<double>(v1::ELEMENT_TYPE_DOUBLE, {1, -4, 0.5, 8}, {1.25, -4.5, 0.50005, 8});
  ExpectMeasured<double>(v1::ELEMENT_TYPE_DOUBLE, {0, 2}, {1, 2});
  ExpectMeasured<double>(v1::ELEMENT_TYPE_DOUBLE, {nan, 2, inf}, {1, 2, inf});
  ExpectMeasured<double>(v1::ELEMENT_TYPE_DOUBLE, {inf, 2}, {5, 2});
  ExpectMeasured<float>(v1::ELEMENT_TYPE_FLOAT, {1, 2, 3}, {1, 2.5f, 2});
  ExpectMeasured<int>(v1::ELEMENT_TYPE_INT, {7, -2, 0}, {9, -2, 5});
}

TEST(ComparisonKernelsTest, Halves) {
  std::vector<uint16_t> expected, found;
  for (const double value : {1.0, -0.25, 60000.0, 1e-7, std::numeric_limits<double>::infinity()})
    expected.push_back(HalfBits(value));
  found = expected;
  ExpectMeasured(v1::ELEMENT_TYPE_FLOAT16, expected, found);
  found[0] = HalfBits(1.5);
  found[3] = HalfBits(3e-7);
  ExpectMeasured(v1::ELEMENT_TYPE_FLOAT16, expected, found);
  found[2] = HalfBits(std::nan(""));
  ExpectMeasured(v1::ELEMENT_TYPE_FLOAT16, expected, found);
}

TEST(ComparisonKernelsTest, Doubles) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> expected(1500), found;
  for (double& value : expected) value = normal(random);
  found = expected;
  for (double& value : found) value *= 1 + 1e-13 * normal(random);
  found[777] += 0.5;
  for (unsigned blocks : {1u, 3u, 6u}) {
    ExpectAsOnTheHost(v1::ELEMENT_TYPE_DOUBLE, expected, found, blocks);
    ExpectAsOnTheHost(v1::ELEMENT_TYPE_DOUBLE, expected, expected, blocks);
  }
}

TEST(ComparisonKernelsTest, NanAndInfinityEqualThemselvesOnly) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto compare = [](const std::vector<double>& expected, const std::vector<double>& found) {
    ExpectAsOnTheHost(v1::ELEMENT_TYPE_DOUBLE, expected, found, 1);
  };
  compare({nan, 1, inf, -inf}, {-nan, 1, inf, -inf});
  compare({nan, 1}, {0, 1});
  compare({1, 1}, {1, nan});
  compare({inf, 1}, {-inf, 1});
  compare({inf, 1}, {nan, 1});
  compare({2, 1}, {inf, 1});
}

TEST(ComparisonKernelsTest, Floats) {
  ExpectAsOnTheHost<float>(v1::ELEMENT_TYPE_FLOAT, {1, 2, std::nanf(""), 1e30f},
                           {1.0001f, 2, std::nanf(""), 1e30f}, 2);
}

TEST(ComparisonKernelsTest, IntegersOfEveryWidth) {
  constexpr long kLeast = std::numeric_limits<long>::min(), kMost = std::numeric_limits<long>::max();
  ExpectAsOnTheHost<long>(v1::ELEMENT_TYPE_LONG, {(1L << 60) + 1, 5}, {1L << 60, 5}, 1);
  ExpectAsOnTheHost<long>(v1::ELEMENT_TYPE_LONG, {kLeast, -3}, {kMost, 4}, 1);
  ExpectAsOnTheHost<unsigned long>(v1::ELEMENT_TYPE_UNSIGNED_LONG, {~0ul, 7}, {0, 8}, 1);
  ExpectAsOnTheHost<int>(v1::ELEMENT_TYPE_INT, {-2147483647 - 1, 1}, {2147483647, 1}, 1);
  ExpectAsOnTheHost<char>(v1::ELEMENT_TYPE_CHAR, {-128, 127, 1}, {127, -128, 1}, 1);
  ExpectAsOnTheHost<unsigned char>(v1::ELEMENT_TYPE_UNSIGNED_CHAR, {255, 0}, {0, 255}, 1);
  ExpectAsOnTheHost<short>(v1::ELEMENT_TYPE_SHORT, {-5, 300}, {5, 300}, 1);
}

}  // namespace
}  // namespace tune
