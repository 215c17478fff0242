// JSON from elsewhere: how deep it may be, and members of any type.
#include "client/exchange/bounded_json.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

std::string Nested(int levels) {
  return std::string(static_cast<size_t>(levels), '[') + std::string(static_cast<size_t>(levels), ']');
}

TEST(BoundedJsonTest, DeepTextsAreRefused) {
  EXPECT_TRUE(ParseBoundedJson(Nested(kDeepestJson)).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(ParseBoundedJson(Nested(kDeepestJson + 1)).status()));
  EXPECT_FALSE(ParseBoundedJson(Nested(5'000'000)).ok());
  // Brackets in strings open nothing.
  EXPECT_TRUE(ParseBoundedJson("[\"" + std::string(500, '[') + "\\\"" + std::string(500, '{') + "\"]").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(ParseBoundedJson("{").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseBoundedJson("").status()));
}

TEST(BoundedJsonTest, MembersOfAnotherTypeAreNotThere) {
  const Json json = ParseBoundedJson(R"({"text": "a", "number": 7, "real": 1.5, "null": null})").value();
  EXPECT_EQ(TextMember(json, "text"), "a");
  EXPECT_EQ(TextMember(json, "number"), "");
  EXPECT_EQ(TextMember(json, "none"), "");
  EXPECT_EQ(TextMember(Json::array(), "text"), "");
  EXPECT_EQ(TextMember(Json("text"), "text"), "");
  EXPECT_EQ(IntMember(json, "number", -1), 7);
  EXPECT_EQ(IntMember(json, "real", -1), -1);
  EXPECT_EQ(IntMember(json, "null", -1), -1);
  EXPECT_EQ(IntMember(Json(3), "number", -1), -1);
}

}  // namespace
}  // namespace tune
