// What recorded samples say of loops.
#include "client/profile/sampled_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As the measured program writes them.
std::string Recorded(const std::vector<std::vector<uint64_t>>& samples) {
  std::string bytes;
  const auto add = [&](uint64_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); };
  for (const std::vector<uint64_t>& sample : samples) {
    add(sample[0]);
    add(sample.size() - 1);
    for (size_t i = 1; i < sample.size(); ++i) add(sample[i]);
  }
  return bytes;
}

TEST(ParseSamples, ASampleHasTheTimeSinceTheOneBefore) {
  const std::vector<ProgramSample> samples =
      ParseSamples(Recorded({{4'000'000, 0x10, 0x20}, {8'000'000}, {20'000'000, 0x30}}));
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_DOUBLE_EQ(samples[0].seconds, 0.004);
  EXPECT_THAT(samples[0].addresses, ElementsAre(0x10, 0x20));
  EXPECT_DOUBLE_EQ(samples[1].seconds, 0.004);
  EXPECT_THAT(samples[1].addresses, IsEmpty());
  EXPECT_DOUBLE_EQ(samples[2].seconds, 0.012);
}

TEST(ParseSamples, ThreadsMayWriteInAnotherOrder) {
  const std::vector<ProgramSample> samples =
      ParseSamples(Recorded({{4'000'000, 1}, {12'000'000, 3}, {8'000'000, 2}}));
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_THAT(samples[1].addresses, ElementsAre(2));
  EXPECT_DOUBLE_EQ(samples[2].seconds, 0.004);
}

TEST(ParseSamples, WhatIsCutOffIsLeftOut) {
  const std::string whole = Recorded({{4, 1}, {8, 2, 3}});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(ParseSamples(whole.substr(0, size)).size(), size < 24 ? 0u : 1u) << size;
  std::string absurd = Recorded({{4}});
  absurd[15] = '\x7f';  // a number of addresses that no file has
  EXPECT_THAT(ParseSamples(absurd), IsEmpty());
}

TEST(ParseAddressLines, InlinedCallsBelongToTheAddress) {
  const LinesOfAddresses lines = ParseAddressLines(
      "0x0000000000001182\n/tmp/m.c:9 (discriminator 3)\n/tmp/m.c:16 (inlined by)\n"
      "0x00000000000011ff\n??:0\n0x0000000000001200\n??:?\n/tmp/m.c:?\n0x0000000000001300\n/tmp/a:b.c:7\n");
  ASSERT_EQ(lines.size(), 4u);
  ASSERT_EQ(lines.at(0x1182).size(), 2u);
  EXPECT_EQ(lines.at(0x1182)[0].file, "/tmp/m.c");
  EXPECT_EQ(lines.at(0x1182)[0].line, 9);
  EXPECT_EQ(lines.at(0x1182)[1].line, 16);
  EXPECT_THAT(lines.at(0x11ff), IsEmpty());
  EXPECT_THAT(lines.at(0x1200), IsEmpty());
  EXPECT_EQ(lines.at(0x1300)[0].file, "/tmp/a:b.c");
  EXPECT_THAT(ParseAddressLines("addr2line: what?\n"), IsEmpty());
}

// Nest 0 has nest 1 in it, nest 2 is of a function that both call.
const std::vector<MeasuredNest> kNests = {{10, 20, true}, {12, 15, true}, {30, 40, true}};
const LinesOfAddresses kLines = {{0x1, {{"m.c", 11}}},
                                 {0x2, {{"m.c", 13}}},
                                 {0x3, {{"m.c", 35}}},
                                 {0x4, {{"m.c", 5}}},
                                 {0x5, {{"other.c", 13}}},
                                 {0x6, {{"m.c", 35}, {"m.c", 12}}},  // inlined
                                 {0x7, {}}};

NestTimes Added(const std::vector<ProgramSample>& samples) { return AddUp(samples, kLines, "m.c", kNests); }

TEST(AddUp, ANestHasTheTimeOfWhatIsInIt) {
  const NestTimes times = Added({{1, {0x1, 0x4}}, {2, {0x2, 0x4}}, {4, {0x3, 0x2, 0x4}}, {8, {0x3, 0x4}}});
  EXPECT_THAT(times.seconds, ElementsAre(DoubleEq(7), DoubleEq(6), DoubleEq(12)));
  EXPECT_DOUBLE_EQ(times.total, 15);
  EXPECT_DOUBLE_EQ(times.outside, 0);
}

TEST(AddUp, RecursionCountsOnce) {
  EXPECT_THAT(Added({{1, {0x2, 0x2, 0x2, 0x1, 0x4}}}).seconds,
              ElementsAre(DoubleEq(1), DoubleEq(1), DoubleEq(0)));
}

TEST(AddUp, OfInlinedCallsBothLinesCount) {
  EXPECT_THAT(Added({{1, {0x6}}}).seconds, ElementsAre(DoubleEq(1), DoubleEq(1), DoubleEq(1)));
}

TEST(AddUp, ElsewhereIsOutside) {
  // In another file, in no line that is known, in a library alone, at an address that nobody asked for.
  const NestTimes times = Added({{1, {0x5}}, {1, {0x7}}, {1, {}}, {1, {0x99}}, {1, {0x4}}});
  EXPECT_THAT(times.seconds, ElementsAre(DoubleEq(0), DoubleEq(0), DoubleEq(0)));
  EXPECT_DOUBLE_EQ(times.total, 5);
  EXPECT_DOUBLE_EQ(times.outside, 5);
}

TEST(AddUp, NoSamples) { EXPECT_DOUBLE_EQ(Added({}).total, 0); }

}  // namespace
}  // namespace tune
