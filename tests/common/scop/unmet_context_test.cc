#include "common/scop/unmet_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Unmet(const std::string& context, const std::map<std::string, int64_t>& values) {
  const v1::Scop scop = testing::ScopBuilder("shift", {"n", "m"}, context)
                            .Array("x", {"100"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"x", "i"}, {}, testing::Literal("1"))
                            .End()
                            .Build();
  const auto unmet = FindUnmetContext(scop, values);
  EXPECT_TRUE(unmet.ok()) << unmet.status();
  return unmet.value_or("");
}

TEST(UnmetContext, IsWhatDoesNotHold) {
  EXPECT_EQ(Unmet("n >= 1 and m <= 5", {{"n", 3}, {"m", 5}}), "");
  const std::string text = Unmet("n >= 1 and m <= 5", {{"n", 3}, {"m", 7}});
  EXPECT_THAT(text, HasSubstr("m = 7, n = 3: the region of shift (line"));
  EXPECT_THAT(text, HasSubstr("can only be tuned where m <= 5, as otherwise"));
  EXPECT_THAT(Unmet("n = 2 * m", {{"n", 3}, {"m", 7}}), HasSubstr("where 2 * m == n,"));
}

TEST(UnmetContext, MayBeOneOfSeveral) {
  const std::string text = Unmet("(n <= 2 and m >= 0) or n >= 10", {{"n", 5}, {"m", 1}});
  EXPECT_THAT(text, HasSubstr("n <= 2"));
  EXPECT_THAT(text, HasSubstr(" || "));
  EXPECT_THAT(text, HasSubstr("n >= 10"));
  EXPECT_THAT(text, Not(HasSubstr("m >= 0")));
}

}  // namespace
}  // namespace tune
