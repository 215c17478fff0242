#include "common/scop/accessed_extent.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(AccessedExtent, IsTheValueAtTheParameters) {
  IslContext context;
  const std::string text = "[n, m] -> { [(n + 2m)] : n > 0; [(-3)] : n = 0 }";
  EXPECT_EQ(EvaluateAccessed(context, text, {{"n", 5}, {"m", 3}, {"other", 9}}).value(), 11);
  EXPECT_EQ(EvaluateAccessed(context, text, {{"n", 0}, {"m", 3}}).value(), 0) << "negative";
  EXPECT_EQ(EvaluateAccessed(context, text, {{"n", -1}, {"m", 3}}).value(), 0) << "not defined";
  EXPECT_EQ(EvaluateAccessed(context, "{ [(7)] }", {}).value(), 7);
  EXPECT_TRUE(absl::IsInvalidArgument(EvaluateAccessed(context, "{ S[i] : i > 0 }", {}).status()));
}

}  // namespace
}  // namespace tune
