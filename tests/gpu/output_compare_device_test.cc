// The comparison on the device says what worker/run/output_check.h says. On the simulated device, which runs
// no kernels of the runner, it is the comparison on the host that is tested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "common/array/element_type.h"
#include "common/array/half.h"
#include "worker/cuda/output_compare.h"

namespace tune {
namespace {

class OutputCompareDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto session = DeviceSession::Open(0);
    if (!session.ok()) GTEST_SKIP() << session.status().message();
    session_ = *std::move(session);
    auto kernels = UtilityKernels::Make(*session_);
    if (kernels.ok()) kernels_ = *std::move(kernels);
    if (!kernels.ok()) std::printf("on the host: %s\n", std::string(kernels.status().message()).c_str());
  }

  DeviceMemory OnDevice(const void* bytes, size_t size) {
    DeviceMemory memory = *DeviceMemory::Make(*session_, size);
    EXPECT_TRUE(memory.CopyFromHost(bytes).ok());
    return memory;
  }

  template <typename T>
  void ExpectAsOnTheHost(v1::ElementType type, const std::vector<T>& expected, const std::vector<T>& found) {
    ASSERT_EQ(sizeof(T), ElementSize(type));
    v1::RunnerArray array;
    array.set_name("A");
    array.set_element_type(type);
    array.add_extents(static_cast<int64_t>(expected.size()));
    OutputCompare compare = *OutputCompare::Make(*session_, kernels_.get());
    const size_t bytes = expected.size() * sizeof(T);
    const DeviceMemory device_expected = OnDevice(expected.data(), bytes),
                       device_found = OnDevice(found.data(), bytes);
    const auto error = compare.Compare(array, device_expected, device_found, {});
    ASSERT_TRUE(error.ok()) << error.status();
    const v1::ArrayError reference =
        CompareArray("A", type, {static_cast<int64_t>(expected.size())}, expected.data(), found.data(), {});
    EXPECT_EQ(error->exceeded(), reference.exceeded());
    EXPECT_EQ(error->largest(), reference.largest());
    if (std::isfinite(reference.relative_l2())) {
      EXPECT_NEAR(error->relative_l2(), reference.relative_l2(), 1e-9 * reference.relative_l2());
    } else {
      EXPECT_EQ(error->relative_l2(), reference.relative_l2());
    }
    EXPECT_THAT(error->first_differing_index(),
                ::testing::ElementsAreArray(reference.first_differing_index()));
    EXPECT_EQ(*compare.Same(device_expected, device_found),
              std::memcmp(expected.data(), found.data(), bytes) == 0);
  }

  // What each method measures, and whether it accepts that.
  template <typename T>
  void ExpectMethodsAsOnTheHost(v1::ElementType type, const std::vector<T>& expected,
                                const std::vector<T>& found, bool half = false) {
    OutputCompare compare = *OutputCompare::Make(*session_, kernels_.get());
    const size_t bytes = expected.size() * sizeof(T);
    const DeviceMemory device_expected = OnDevice(expected.data(), bytes),
                       device_found = OnDevice(found.data(), bytes);
    v1::RunnerArray array;
    array.set_name("A");
    array.set_element_type(type);
    array.set_half(half);
    array.add_extents(static_cast<int64_t>(expected.size()));
    for (const v1::CheckMethod method :
         {v1::CHECK_SUM_OF_DIFFERENCES, v1::CHECK_EACH_DIFFERENCE, v1::CHECK_EACH_RELATIVE}) {
      array.set_method(method);
      for (const double threshold : {1e-4, 0.5, 1e9}) {
        array.set_threshold(threshold);
        const auto error = compare.Compare(array, device_expected, device_found, {});
        ASSERT_TRUE(error.ok()) << error.status();
        const v1::ArrayError reference = CompareArray("A", type, {static_cast<int64_t>(expected.size())},
                                                      expected.data(), found.data(), {}, RuleOf(array));
        EXPECT_EQ(error->exceeded(), reference.exceeded()) << method << " " << threshold;
        EXPECT_NEAR(error->measured(), reference.measured(), 1e-9 * reference.measured());
        EXPECT_THAT(error->first_differing_index(),
                    ::testing::ElementsAreArray(reference.first_differing_index()));
      }
    }
  }

  // Random values; `change` makes the found array of the expected one.
  template <typename T>
  void Floating(v1::ElementType type) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int count : {1, 255, 257, 100'003, 700'001}) {
      std::vector<T> expected(count);
      for (T& value : expected) value = static_cast<T>(normal(random));
      ExpectAsOnTheHost(type, expected, expected);
      std::vector<T> found = expected;
      for (T& value : found)
        value *= static_cast<T>(1 + 4 * std::numeric_limits<T>::epsilon() * normal(random));
      ExpectAsOnTheHost(type, expected, found);  // rounding
      found[count / 2] += 1;
      ExpectAsOnTheHost(type, expected, found);  // wrong
      for (T special : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::max()}) {
        std::vector<T> with = expected;
        with[count - 1] = special;
        ExpectAsOnTheHost(type, with, with);
        ExpectAsOnTheHost(type, with, expected);
        ExpectAsOnTheHost(type, expected, with);
        std::vector<T> opposite = with;
        opposite[count - 1] = -special;
        ExpectAsOnTheHost(type, with, opposite);
      }
      ExpectAsOnTheHost(type, std::vector<T>(count, T(0)), std::vector<T>(count, T(-0.0)));
      ExpectAsOnTheHost(type, std::vector<T>(count, T(0)), expected);
      ExpectAsOnTheHost(type, std::vector<T>(count, std::numeric_limits<T>::min()),
                        std::vector<T>(count, 2 * std::numeric_limits<T>::min()));
    }
  }

  template <typename T>
  void Integers(v1::ElementType type) {
    std::mt19937_64 random(11);
    for (int count : {1, 7, 4099, 300'000}) {
      std::vector<T> expected(count);
      for (T& value : expected) value = static_cast<T>(random());
      ExpectAsOnTheHost(type, expected, expected);
      for (int trial = 0; trial < 5; ++trial) {
        std::vector<T> found = expected;
        found[random() % count] = static_cast<T>(random());
        ExpectAsOnTheHost(type, expected, found);
      }
      expected[0] = std::numeric_limits<T>::min();
      std::vector<T> found = expected;
      found[0] = std::numeric_limits<T>::max();
      ExpectAsOnTheHost(type, expected, found);
      found[0] = static_cast<T>(expected[0] + 1);
      ExpectAsOnTheHost(type, expected, found);
    }
  }

  std::unique_ptr<DeviceSession> session_;
  std::unique_ptr<UtilityKernels> kernels_;
};

TEST_F(OutputCompareDeviceTest, Doubles) { Floating<double>(v1::ELEMENT_TYPE_DOUBLE); }
TEST_F(OutputCompareDeviceTest, Floats) { Floating<float>(v1::ELEMENT_TYPE_FLOAT); }
TEST_F(OutputCompareDeviceTest, Chars) {
  Integers<char>(v1::ELEMENT_TYPE_CHAR);
  Integers<unsigned char>(v1::ELEMENT_TYPE_UNSIGNED_CHAR);
}
TEST_F(OutputCompareDeviceTest, Ints) {
  Integers<int>(v1::ELEMENT_TYPE_INT);
  Integers<unsigned short>(v1::ELEMENT_TYPE_UNSIGNED_SHORT);
}
TEST_F(OutputCompareDeviceTest, Longs) {
  Integers<long>(v1::ELEMENT_TYPE_LONG);
  Integers<unsigned long>(v1::ELEMENT_TYPE_UNSIGNED_LONG);
}

TEST_F(OutputCompareDeviceTest, Methods) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> expected(100'003), found;
  for (float& value : expected) value = normal(random);
  ExpectMethodsAsOnTheHost(v1::ELEMENT_TYPE_FLOAT, expected, expected);
  found = expected;
  for (size_t i = 0; i < found.size(); i += 10) found[i] += 1e-3f;
  ExpectMethodsAsOnTheHost(v1::ELEMENT_TYPE_FLOAT, expected, found);
  std::vector<uint16_t> halves, other_halves;
  for (size_t i = 0; i < expected.size(); ++i) {
    halves.push_back(HalfBits(expected[i]));
    other_halves.push_back(HalfBits(found[i]));
  }
  ExpectMethodsAsOnTheHost(v1::ELEMENT_TYPE_UNSIGNED_SHORT, halves, other_halves, /*half=*/true);
}

TEST_F(OutputCompareDeviceTest, AWriteBehindTheEndIsSeen) {
  DeviceMemory memory = *DeviceMemory::Make(*session_, 1001);
  EXPECT_TRUE(memory.Fill(1).ok());
  EXPECT_TRUE(*memory.PatternIntact());
  for (size_t offset : {size_t{1001}, size_t{1001 + 4095}}) {
    ASSERT_EQ(session_->driver().cuMemsetD8Async(memory.address() + offset, 0, 1, session_->stream()),
              CUDA_SUCCESS);
    EXPECT_FALSE(*memory.PatternIntact());
    EXPECT_TRUE(memory.RestorePattern().ok());
    EXPECT_TRUE(*memory.PatternIntact());
  }
}

}  // namespace
}  // namespace tune
