#include "worker/reference/fresh_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "common/array/half.h"

namespace tune {
namespace {

using Change = std::string (*)(v1::ElementType, absl::string_view, uint64_t, uint64_t);

template <typename T>
std::vector<T> Changed(Change change, v1::ElementType type, const std::vector<T>& values, uint64_t seed = 1) {
  const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  const std::string changed = change(type, bytes, seed, 3);
  std::vector<T> result(changed.size() / sizeof(T));
  std::memcpy(result.data(), changed.data(), changed.size());
  return result;
}

template <typename T>
std::vector<T> Fresh(v1::ElementType type, const std::vector<T>& values, uint64_t seed = 1) {
  return Changed(FreshValues, type, values, seed);
}

TEST(FreshValuesTest, ChangeByALittleUpAndDown) {
  const std::vector<double> values(1000, -4.0);
  int above = 0;
  for (const double value : Fresh(v1::ELEMENT_TYPE_DOUBLE, values)) {
    EXPECT_GE(std::fabs(value / -4 - 1), 0.0049);
    EXPECT_LE(std::fabs(value / -4 - 1), 0.0101);
    above += value > -4;
  }
  EXPECT_GT(above, 400);
  EXPECT_LT(above, 600);
  for (const float value : Fresh(v1::ELEMENT_TYPE_FLOAT, std::vector<float>(10, 2.0f))) {
    EXPECT_GE(std::fabs(value / 2 - 1), 0.0049);
  }
  EXPECT_NE(Fresh(v1::ELEMENT_TYPE_DOUBLE, values, 1), Fresh(v1::ELEMENT_TYPE_DOUBLE, values, 2));
}

TEST(FreshValuesTest, ZerosAndIntegersStay) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> kept = {0, -0.0, infinity, -infinity};
  EXPECT_EQ(Fresh(v1::ELEMENT_TYPE_DOUBLE, kept), kept);
  EXPECT_TRUE(std::isnan(Fresh<double>(v1::ELEMENT_TYPE_DOUBLE, {std::nan("")})[0]));
  const std::vector<int> integers = {1, 2, 1 << 30};
  EXPECT_EQ(Fresh(v1::ELEMENT_TYPE_INT, integers), integers);
}

TEST(ScaledValuesTest, AllHaveOneFactor) {
  const std::vector<double> scaled = Changed<double>(ScaledValues, v1::ELEMENT_TYPE_DOUBLE, {1, 2, 0, -4});
  EXPECT_GE(std::fabs(scaled[0] - 1), 0.0049);
  EXPECT_LE(std::fabs(scaled[0] - 1), 0.0101);
  EXPECT_EQ(scaled, (std::vector<double>{scaled[0], 2 * scaled[0], 0, -4 * scaled[0]}));
}

TEST(NearValuesTest, DifferByFourRoundings) {
  std::set<float> found;
  for (const float value : Changed(NearValues, v1::ELEMENT_TYPE_FLOAT, std::vector<float>(100, 1.0f)))
    found.insert(value);
  const float change = 4 * std::numeric_limits<float>::epsilon();
  EXPECT_EQ(found, (std::set<float>{1 - change, 1 + change}));
  const double near = Changed<double>(NearValues, v1::ELEMENT_TYPE_DOUBLE, {1})[0];
  EXPECT_EQ(std::fabs(near - 1), 4 * std::numeric_limits<double>::epsilon());
}

TEST(FreshValuesTest, NumbersOfFloat16ChangeAsOthers) {
  const std::vector<uint16_t> values(1000, HalfBits(-4)),
      kept = {HalfBits(0), HalfBits(std::numeric_limits<double>::infinity())};
  for (const uint16_t bits : Fresh(v1::ELEMENT_TYPE_FLOAT16, values)) {
    EXPECT_GE(std::fabs(HalfValue(bits) / -4 - 1), 0.0049 - kHalfEpsilon / 2);
    EXPECT_LE(std::fabs(HalfValue(bits) / -4 - 1), 0.0101 + kHalfEpsilon / 2);
  }
  EXPECT_EQ(Fresh(v1::ELEMENT_TYPE_FLOAT16, kept), kept);
  std::set<double> near;
  for (const uint16_t bits :
       Changed(NearValues, v1::ELEMENT_TYPE_FLOAT16, std::vector<uint16_t>(100, HalfBits(1.5))))
    near.insert(HalfValue(bits));
  EXPECT_EQ(near, (std::set<double>{1.5 - kHalfEpsilon, 1.5 + kHalfEpsilon}));
}

TEST(FreshValuesTest, PartsOfComplexNumbersChangeAsOthers) {
  const std::vector<float> values = {1, -2, 0, 4};
  EXPECT_EQ(Fresh(v1::ELEMENT_TYPE_COMPLEX_FLOAT, values), Fresh(v1::ELEMENT_TYPE_FLOAT, values));
  EXPECT_EQ(Changed(NearValues, v1::ELEMENT_TYPE_COMPLEX_FLOAT, values),
            Changed(NearValues, v1::ELEMENT_TYPE_FLOAT, values));
}

}  // namespace
}  // namespace tune
