#include "common/scop/integer_expression.h"

#include <gmock/gmock.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

const std::map<std::string, int64_t> kValues = {{"n", 10}, {"m", 3}, {"big", INT64_MAX}};

std::optional<int64_t> Value(absl::string_view text) { return EvaluateInteger(text, kValues, nullptr); }

TEST(IntegerExpressionTest, FollowsC) {
  EXPECT_THAT(Value("1000"), Optional(1000));
  EXPECT_THAT(Value("1000 + 0"), Optional(1000));
  EXPECT_THAT(Value("n + 1"), Optional(11));
  EXPECT_THAT(Value("2 * n"), Optional(20));
  EXPECT_THAT(Value("n*m"), Optional(30));
  EXPECT_THAT(Value("(n + 1) * (m - 1)"), Optional(22));
  EXPECT_THAT(Value("n - m - 1"), Optional(6));
  EXPECT_THAT(Value("n / m * m"), Optional(9));
  EXPECT_THAT(Value("-n / m"), Optional(-3));
  EXPECT_THAT(Value("n % m + 1"), Optional(2));
  EXPECT_THAT(Value("1 << m"), Optional(8));
  EXPECT_THAT(Value("n >> 1 + 1"), Optional(2));
  EXPECT_THAT(Value("0x10UL + 010"), Optional(24));
  EXPECT_THAT(Value("(unsigned long)n + (int)(m)"), Optional(13));
  EXPECT_THAT(Value("-(-(+n))"), Optional(10));
}

TEST(IntegerExpressionTest, LeavesTheRestAlone) {
  for (const char* text :
       {"", "k", "n +", "(n", "n)", "n m", "1.5", "sizeof(A) / sizeof(A[0])", "f(n)", "n ? 1 : 2", "n / 0",
        "n % (m - 3)", "big + 1", "big * 2", "1 << 70", "- big - 2", "n[0]", "08"})
    EXPECT_EQ(Value(text), std::nullopt) << text;
}

TEST(IntegerExpressionTest, TellsWhoseValueIsMissing) {
  std::set<std::string> unknown;
  EXPECT_EQ(EvaluateInteger("(long)k + n * rows", kValues, &unknown), std::nullopt);
  EXPECT_THAT(unknown, ElementsAre("k", "rows"));
  unknown.clear();
  EXPECT_EQ(EvaluateInteger("sizeof(A) / sizeof(A[0])", kValues, &unknown), std::nullopt);
  EXPECT_THAT(unknown, IsEmpty());
  EXPECT_THAT(NamesIn("(size_t)n + m2 * 3"), ElementsAre("m2", "n"));
}

}  // namespace
}  // namespace tune
