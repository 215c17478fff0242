#include "libtune/wisdom/wisdom_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libtune/search/random.h"
#include "libtune/wisdom/text_fields.h"

namespace libtune {
namespace {

using testing::HasSubstr;

Wisdom Sample() {
  Wisdom wisdom;
  wisdom.Add({"gemm", "cpu AMD, 2 cores", {1000, 2000}}, {0.25, {{"tile", "64"}, {"variant", "blocked"}}});
  wisdom.Add({"odd=name,\t%\n", "gpu", {-3}}, {1e-7, {{"a=b", "c,d\te%"}}});
  wisdom.Add({"none", "gpu", {}}, {3, {}});
  return wisdom;
}

TEST(WisdomText, ReadsBackAsItWas) {
  Wisdom read;
  ASSERT_TRUE(ParseWisdom(WisdomText(Sample()), &read).ok());
  EXPECT_EQ(WisdomText(read), WisdomText(Sample()));
  ASSERT_NE(read.Find({"odd=name,\t%\n", "gpu", {-3}}), nullptr);
  EXPECT_EQ(read.Find({"odd=name,\t%\n", "gpu", {-3}})->values.at("a=b"), "c,d\te%");
}

TEST(WisdomText, IsWhatTheHeaderSays) {
  Wisdom wisdom;
  wisdom.Add({"gemm", "cpu AMD, 2 cores", {1000, 2000}}, {0.25, {{"tile", "64"}}});
  EXPECT_THAT(
      WisdomText(wisdom),
      testing::MatchesRegex("tune-wisdom\t1\nentry\tgemm\tcpu AMD%2c 2 cores\t1000,2000\t0.25\ttile=64\n"
                            "end\t1\t[0-9a-f]+\n"));
}

TEST(WisdomText, EveryTruncationIsRefused) {
  const std::string text = WisdomText(Sample());
  for (size_t length = 0; length < text.size(); ++length) {
    Wisdom read;
    EXPECT_EQ(ParseWisdom(text.substr(0, length), &read).code(), TUNE_REFUSED_FILE) << length;
    EXPECT_TRUE(read.entries().empty());
  }
}

TEST(WisdomText, EveryChangedByteIsRefused) {
  const std::string text = WisdomText(Sample());
  Random random(4);
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ static_cast<char>(1 + random.Below(255)));
    Wisdom read;
    EXPECT_EQ(ParseWisdom(changed, &read).code(), TUNE_REFUSED_FILE) << i;
  }
}

TEST(WisdomText, SaysWhatIsWrong) {
  Wisdom read;
  EXPECT_THAT(ParseWisdom("\x7f"
                          "ELF",
                          &read)
                  .text(),
              HasSubstr("no wisdom file"));
  EXPECT_THAT(ParseWisdom("", &read).text(), HasSubstr("no wisdom file"));
  EXPECT_THAT(ParseWisdom("tune-wisdom\t2\nsomething new\n", &read).text(),
              HasSubstr("newer libtune (version 2"));
  EXPECT_THAT(ParseWisdom("tune-wisdom\t1\n", &read).text(), HasSubstr("cut off"));
  EXPECT_THAT(ParseWisdom("tune-wisdom\t1\nend\t0\t0123456789abcdef\n", &read).text(), HasSubstr("checksum"));
}

TEST(WisdomText, LinesWithARightChecksumHaveToBeEntries) {
  for (const char* line :
       {"entry\tr\td\t1\n", "entry\tr\td\tx\t1\n", "entry\tr\td\t1\tnan\n", "entry\tr\td\t1\t-1\n",
        "entry\tr\td\t1\t0\n", "entry\tr%2\td\t1\t1\n", "entry\tr\td\t1\t1\tno value\n",
        "entry\tr\td\t1\t1\ta=1\ta=2\n", "entry\tr\td\t99999999999999999999\t1\n", "\n"}) {
    const std::string body = std::string("tune-wisdom\t1\n") + line;
    Wisdom read;
    EXPECT_EQ(ParseWisdom(body + "end\t1\t" + Checksum(body) + "\n", &read).code(), TUNE_REFUSED_FILE)
        << line;
  }
}

TEST(TextFields, NumbersReadBackAsTheyWere) {
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const double number = (random.Unit() - 0.5) * 1e6;
    EXPECT_EQ(ParsedNumber(NumberText(number)), number);
  }
  EXPECT_EQ(ParsedNumber("1,5"), std::nullopt);
  EXPECT_EQ(ParsedNumber("inf"), std::nullopt);
  EXPECT_EQ(ParsedNumber(""), std::nullopt);
}

}  // namespace
}  // namespace libtune
