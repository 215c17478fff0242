// The kernels that compare outputs, on the simulator, against worker/run/output_check.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/simt/simulator.h"
#include "worker/cuda/utility_kernels.h"
#include "worker/run/output_check.h"

namespace tune {
namespace {

struct Sums {
  double difference_square = 0, expected_square = 0, largest = 0;
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
    sums.difference_square += partial[3 * block];
    sums.expected_square += partial[3 * block + 1];
    sums.largest = std::max(sums.largest, partial[3 * block + 2]);
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
