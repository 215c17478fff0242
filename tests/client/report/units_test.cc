#include "client/report/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::Measurement Measured(double median, double low, double high) {
  v1::Measurement measurement;
  measurement.set_median(median);
  measurement.set_confidence_low(low);
  measurement.set_confidence_high(high);
  return measurement;
}

TEST(FormatRatioTest, ThreeDigits) {
  EXPECT_EQ(FormatRatio(8.126), "8.13x");
  EXPECT_EQ(FormatRatio(0.9976), "0.998x");
  EXPECT_EQ(FormatRatio(1), "1.00x");
  EXPECT_EQ(FormatRatio(0.0054), "0.00540x");
  EXPECT_EQ(FormatRatio(1234), "1234x");
  EXPECT_EQ(FormatRatio(0), "-");
}

TEST(FormatSecondsTest, ChoosesUnitAndThreeDigits) {
  EXPECT_EQ(FormatSeconds(0.00132), "1.32 ms");
  EXPECT_EQ(FormatSeconds(12.34), "12.3 s");
  EXPECT_EQ(FormatSeconds(123.4), "123 s");
  EXPECT_EQ(FormatSeconds(8.5e-7), "850 ns");
  EXPECT_EQ(FormatSeconds(4.12e-4), "412 us");
  EXPECT_EQ(FormatSeconds(1e-12), "0.00 ns");
  EXPECT_EQ(FormatSeconds(0), "0 s");
}

TEST(FormatSecondsTest, RoundsUpIntoTheNextUnit) {
  EXPECT_EQ(FormatSeconds(0.9996), "1.00 s");
  EXPECT_EQ(FormatSeconds(0.0009999), "1.00 ms");
  EXPECT_EQ(FormatSeconds(9.996e-3), "10.0 ms");
  EXPECT_EQ(FormatSeconds(99.96e-3), "100 ms");
}

TEST(FormatSecondsTest, WhatIsNoTimeIsADash) {
  EXPECT_EQ(FormatSeconds(-1), "-");
  EXPECT_EQ(FormatSeconds(NAN), "-");
  EXPECT_EQ(FormatSeconds(INFINITY), "-");
}

TEST(FormatClockTest, HoursMinutesSeconds) {
  EXPECT_EQ(FormatClock(absl::Seconds(41)), "0:41");
  EXPECT_EQ(FormatClock(absl::Milliseconds(40100)), "0:41");
  EXPECT_EQ(FormatClock(absl::Seconds(3723)), "1:02:03");
  EXPECT_EQ(FormatClock(absl::ZeroDuration()), "0:00");
  EXPECT_EQ(FormatClock(absl::InfiniteDuration()), "-");
}

TEST(FormatGainTest, DigitsByMagnitude) {
  EXPECT_EQ(FormatGain(4.13), "4.1x");
  EXPECT_EQ(FormatGain(0.834), "0.83x");
  EXPECT_EQ(FormatGain(123.4), "123x");
  EXPECT_EQ(FormatGain(0.0123), "0.012x");
  EXPECT_EQ(FormatGain(0), "-");
}

TEST(FormatGainTest, RangeComesFromBothIntervals) {
  EXPECT_EQ(FormatGain(Measured(4, 3.6, 4.4), Measured(1, 0.9, 1.2)), "4.0x (3.0x .. 4.9x)");
  EXPECT_EQ(FormatGain(Measured(4, 0, 0), Measured(1, 0.9, 1.2)), "4.0x");
  EXPECT_EQ(FormatGain(v1::Measurement(), Measured(1, 1, 1)), "-");
}

TEST(FormatMeasurementTest, MedianWithInterval) {
  EXPECT_EQ(FormatMeasurement(Measured(0.00132, 0.0013, 0.00135)), "1.32 ms (1.30 ms .. 1.35 ms)");
  EXPECT_EQ(FormatMeasurement(Measured(0.00132, 0, 0)), "1.32 ms");
  EXPECT_EQ(FormatMeasurement(v1::Measurement()), "-");
}

TEST(FormatBytesTest, PowersOf1024) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(int64_t{2} << 30), "2.0 GiB");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
}

TEST(FormatAgeTest, CoarseUnits) {
  const absl::Time now = absl::FromUnixSeconds(1'000'000);
  auto before = [&](int64_t seconds) { return FormatAge(absl::ToUnixMillis(now) - 1000 * seconds, now); };
  EXPECT_EQ(before(0), "now");
  EXPECT_EQ(before(60), "60 s ago");
  EXPECT_EQ(before(300), "5 min ago");
  EXPECT_EQ(before(3 * 3600), "3 h ago");
  EXPECT_EQ(before(10 * 86400), "10 d ago");
  EXPECT_EQ(before(-5), "now");  // clocks of two machines differ
  EXPECT_EQ(FormatAge(0, now), "-");
}

TEST(ParseBytesTest, UnitsInEveryCustom) {
  EXPECT_EQ(ParseBytes("2G").value(), int64_t{2} << 30);
  EXPECT_EQ(ParseBytes("2GiB").value(), int64_t{2} << 30);
  EXPECT_EQ(ParseBytes("512mb").value(), int64_t{512} << 20);
  EXPECT_EQ(ParseBytes("1.5k").value(), 1536);
  EXPECT_EQ(ParseBytes("4096").value(), 4096);
  EXPECT_EQ(ParseBytes(" 1 T ").value(), int64_t{1} << 40);
}

TEST(ParseBytesTest, RefusesWithTheForms) {
  for (const char* bad : {"", "G", "2X", "2GG", "-1", "1e99", "99999999T", "2.5.1M", "two"}) {
    const auto parsed = ParseBytes(bad);
    ASSERT_FALSE(parsed.ok()) << bad;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("2G")) << bad;
  }
}

TEST(ParseSecondsTest, Units) {
  EXPECT_EQ(ParseSeconds("30").value(), 30);
  EXPECT_EQ(ParseSeconds("30s").value(), 30);
  EXPECT_EQ(ParseSeconds("1.5m").value(), 90);
  EXPECT_EQ(ParseSeconds("2h").value(), 7200);
  EXPECT_EQ(ParseSeconds("500ms").value(), 0.5);
  for (const char* bad : {"", "s", "5d", "-3", "x"}) EXPECT_FALSE(ParseSeconds(bad).ok()) << bad;
}

}  // namespace
}  // namespace tune
