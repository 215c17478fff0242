#include "common/scop/member_type.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(MemberType, NamesAreRecognised) {
  for (const char* structure : {"point", "struct point", "::space::point", "struct ::space::point"})
    EXPECT_TRUE(IsTypeOfMember(TypeOfMember(structure, "x"))) << structure;
  EXPECT_EQ(TypeOfMember("struct point", "x"), "__typeof__(((struct point *)0)->x)");
}

TEST(MemberType, OthersAreNot) {
  for (const char* structure : {"", "struct ", "point, int", "point *)0)->x) + f(((point", "::", "::space::"})
    EXPECT_FALSE(IsTypeOfMember(TypeOfMember(structure, "x"))) << structure;
  for (const char* member : {"", "x + f()", "x.y", "x)"})
    EXPECT_FALSE(IsTypeOfMember(TypeOfMember("point", member))) << member;
  EXPECT_FALSE(IsTypeOfMember("__typeof__(x)"));
}

}  // namespace
}  // namespace tune
