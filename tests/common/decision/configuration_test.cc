#include "common/decision/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

DecisionPoint Point(const std::string& key) {
  DecisionPoint point;
  point.key = key;
  point.options = {"0", "8", "32"};
  point.allowed = {true, false, true};
  point.default_option = 2;
  return point;
}

v1::Configuration Sample() {
  v1::Configuration configuration;
  const std::vector<std::pair<std::string, std::string>> decisions = {
      {"schedule.algorithm", "pluto"}, {"k[S0,S1].tile_size_0", "32"}, {"k[S3]@1#2.simd", "on"}};
  for (const auto& [key, option] : decisions) {
    v1::Decision* decision = configuration.add_decisions();
    decision->set_key(key);
    decision->set_option(option);
  }
  return configuration;
}

TEST(ConfigurationTest, PrintsOneDecisionALine) {
  EXPECT_EQ(PrintConfiguration(Sample()),
            "schedule.algorithm = pluto\nk[S0,S1].tile_size_0 = 32\nk[S3]@1#2.simd = on\n");
}

TEST(ConfigurationTest, ParsesWhatItPrints) {
  const auto parsed = ParseConfiguration(PrintConfiguration(Sample()));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->SerializeAsString(), Sample().SerializeAsString());
}

TEST(ConfigurationTest, SkipsCommentsBlanksAndSpaces) {
  const auto parsed = ParseConfiguration(
      "# best of study 7\n\n  schedule.algorithm=pluto  \r\n\tk[S0,S1].tile_size_0  =  32\n"
      "k[S3]@1#2.simd = on");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->SerializeAsString(), Sample().SerializeAsString());
}

TEST(ConfigurationTest, BadLinesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> bad = {{"a = 1\n\nnonsense\n", "line 3"},
                                                                {"a =\n", "no option"},
                                                                {"= 1\n", "no key"},
                                                                {"a = 1\na = 2\n", "line 2"}};
  for (const auto& [text, part] : bad) {
    const auto parsed = ParseConfiguration(text);
    ASSERT_TRUE(absl::IsInvalidArgument(parsed.status())) << text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(part));
  }
}

TEST(ConfigurationTest, FingerprintIgnoresOrderOnly) {
  v1::Configuration reversed;
  for (int i = Sample().decisions_size() - 1; i >= 0; --i) *reversed.add_decisions() = Sample().decisions(i);
  EXPECT_EQ(ConfigurationFingerprint(reversed), ConfigurationFingerprint(Sample()));
  v1::Configuration changed = Sample();
  changed.mutable_decisions(1)->set_option("64");
  EXPECT_NE(ConfigurationFingerprint(changed), ConfigurationFingerprint(Sample()));
  changed = Sample();
  changed.mutable_decisions()->RemoveLast();
  EXPECT_NE(ConfigurationFingerprint(changed), ConfigurationFingerprint(Sample()));
}

TEST(ChooserTest, RecordingThenReplayingGivesTheSameAnswers) {
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  EXPECT_EQ(recording.Choose(Point("a")).value(), 2);
  EXPECT_EQ(recording.Choose(Point("b")).value(), 2);
  EXPECT_EQ(PrintConfiguration(recording.configuration()), "a = 32\nb = 32\n");
  ReplayChooser replay(recording.configuration());
  EXPECT_EQ(replay.Choose(Point("b")).value(), 2);
  EXPECT_FALSE(replay.CheckAllUsed().ok());
  EXPECT_EQ(replay.Choose(Point("a")).value(), 2);
  EXPECT_TRUE(replay.CheckAllUsed().ok());
}

TEST(ChooserTest, ReplayRefusesWhatIsNotPossible) {
  const auto replay = [](const std::string& text) {
    ReplayChooser chooser(ParseConfiguration(text).value());
    return chooser.Choose(Point("a")).status();
  };
  for (const std::string text : {"a = 8", "a = 16", "b = 32"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(replay(text))) << text;
    EXPECT_THAT(std::string(replay(text).message()), HasSubstr("0, 32")) << text;
  }
  ReplayChooser chooser(ParseConfiguration("a = 32\nz = 1\n").value());
  ASSERT_TRUE(chooser.Choose(Point("a")).ok());
  EXPECT_THAT(std::string(chooser.CheckAllUsed().message()), HasSubstr("z"));
}

}  // namespace
}  // namespace tune
