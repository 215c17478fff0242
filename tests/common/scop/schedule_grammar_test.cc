#include "common/scop/schedule_grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/scop/scop.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(ScheduleGrammar, TakesWhatIslPrints) {
  for (const testing::SampleScop& sample : testing::SampleScops())
    EXPECT_EQ(CheckScheduleNotation(sample.make().schedule()), absl::OkStatus()) << sample.name;
  for (uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_EQ(CheckScheduleNotation(testing::MakeRandomScop(seed).schedule()), absl::OkStatus()) << seed;
  IslContext context;
  const absl::StatusOr<std::string> printed = context.Run("printing", [&]() -> absl::StatusOr<std::string> {
    const isl::schedule read(context.ctx(), R"({ domain: "{ S0[i] : 0 <= i < 9; S1[i] : 0 <= i < 9 }",
        child: { mark: "k", child: { sequence: [ { filter: "{ S0[i] }" },
          { filter: "{ S1[i] }", child: { schedule: "[{ S1[i] -> [(i)] }]", permutable: 1,
            coincident: [ 1 ], options: "{ separate[x] }" } } ] } } })");
    return IslText(read);
  });
  ASSERT_TRUE(printed.ok()) << printed.status();
  EXPECT_EQ(CheckScheduleNotation(*printed), absl::OkStatus()) << *printed;
}

TEST(ScheduleGrammar, RefusesWhatIslFaultsAt) {
  for (const char* text :
       {"",
        "5",
        "{ }",
        "{ domain: 5 }",
        "{ domain: }",
        "{ domain: [ ] }",
        "{ domain: { domain: \"{ }\" } }",
        "{ child: { domain: \"{ }\" } }",
        "{ schedule: \"{ }\" }",
        "{ domain: \"{ S[] }\" } }",
        "{ domain: \"{ S[] }\", domain: \"{ S[] }\" }",
        "{ domain: \"{ S[] }\", child: { domain: \"{ }\" } }",
        "{ domain: \"{ S[] }\", permutable: 1 }",
        "{ domain: \"{ S[] }\", child: { sequence: [ ] } }",
        "{ domain: \"{ S[] }\", child: { sequence: [ { mark: \"m\" } ] } }",
        "{ domain: \"{ S[] }\", child: { schedule: \"[{ S[] -> [(0)] }]\", permutable: x } }",
        "{ domain: \"{ S[] }\", child: { schedule: \"[{ S[] -> [(0)] }]\", coincident: 1 } }",
        "{ domain: \"{ S[] }\", child: leaf }",
        "{ domain: \"{ S[] }\", child: { extension: \"{ }\" } }",
        "{ domain: \"{ S[] }",
        "domain: \"{ S[] }\""}) {
    EXPECT_EQ(CheckScheduleNotation(text).code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ScheduleGrammar, SaysWhatItExpected) {
  EXPECT_THAT(CheckScheduleNotation("{ domain: 5 }").message(),
              HasSubstr("byte 10: expected '\"', found \"5 }\""));
  EXPECT_THAT(CheckScheduleNotation("{ domain: \"{ }\", color: 1 }").message(),
              HasSubstr("expected another entry of a node of kind domain, found \"color"));
}

TEST(ScheduleGrammar, DepthIsBounded) {
  std::string text = "{ mark: \"m\" }";
  for (int i = 0; i < 300; ++i) text = absl::StrCat("{ mark: \"m\", child: ", text, " }");
  EXPECT_THAT(CheckScheduleNotation(absl::StrCat("{ domain: \"{ }\", child: ", text, " }")).message(),
              HasSubstr("at most 200 levels"));
}

}  // namespace
}  // namespace tune
