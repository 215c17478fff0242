#include "common/schedule/member_shift.h"

#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"
#include "common/schedule/scheduler.h"

namespace tune {
namespace {

constexpr char kDomain[] = "\"[n] -> { S[i, k] : 0 <= i, k < n; B[i] : 0 <= i < n; E[i] : 0 <= i < n }\"";

// The members of the outermost band, whose members are these.
std::string Members(const std::string& members, bool* coincident = nullptr) {
  IslContext context;
  const isl::schedule schedule(
      context.ctx(),
      absl::StrCat("{ domain: ", kDomain, ", child: { schedule: \"[n] -> [", members,
                   "]\", permutable: 1, coincident: [ 1, 0 ], child: { sequence: [ { filter: "
                   "\"{ B[i] }\" }, { filter: \"{ S[i, k] }\" }, { filter: \"{ E[i] }\" } ] } } }"));
  const auto band = WithoutShifts(schedule).root().child(0).as<isl::schedule_node_band>();
  if (coincident != nullptr) *coincident = band.member_get_coincident(0) && !band.member_get_coincident(1);
  return IslText(band.partial_schedule());
}

TEST(MemberShift, IsTakenFromAllStatements) {
  bool coincident = false;
  const std::string members = Members(
      "{ S[i, k] -> [(i)]; B[i] -> [(i)]; E[i] -> [(i)] }, "
      "{ S[i, k] -> [(k + 1)]; B[i] -> [(1)]; E[i] -> [(n)] }",
      &coincident);
  for (const char* moved : {"S[i, k] -> [(k)]", "B[i] -> [(0)]", "E[i] -> [(-1 + n)]", "E[i] -> [(i)]"})
    EXPECT_NE(members.find(moved), std::string::npos) << members;
  EXPECT_TRUE(coincident);
}

// Those in fewer loops stand where they have to.
TEST(MemberShift, IsThatOfTheDeepestStatements) {
  const std::string apart =
      "{ S[i, k] -> [(i)]; B[i] -> [(i + 3)]; E[i] -> [(i + 3)] }, { S[i, k] -> [(k)]; B[i] -> [(7)]; E[i] "
      "-> [(9)] }";
  EXPECT_NE(Members(apart).find("B[i] -> [(3 + i)]"), std::string::npos) << Members(apart);
}

}  // namespace
}  // namespace tune
