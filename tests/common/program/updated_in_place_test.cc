#include "common/program/updated_in_place.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// W writes its first access and reads the others, V updates its first.
v1::Scop WriteAndUpdate() {
  v1::Scop scop;
  for (const char* name : {"W", "V"}) {
    v1::Statement* const statement = scop.add_statements();
    statement->set_name(name);
    for (int i = 0; i < 2; ++i) statement->add_accesses()->set_kind(v1::Access::READ);
    statement->mutable_accesses(0)->set_kind(statement->name() == "W" ? v1::Access::WRITE
                                                                      : v1::Access::UPDATE);
  }
  return scop;
}

// A[t][4 * c + p], by the loop over p that holds these nodes.
bool InPlace(const std::string& body, const std::string& element = "A[t][4 * c + p]") {
  const Block block = ReadBlock("for p = 0; p <= 3; p += 1, unroll whole\n" + body).value();
  const Block access = ReadBlock("run W(" + element + ", x)\n").value();
  return IsUpdatedInPlace(*block[0].As<Loop>(), access[0].As<Instance>()->accesses[0], WriteAndUpdate());
}

TEST(UpdatedInPlace, ElementsThatEachIterationReadsAndWrites) {
  EXPECT_TRUE(InPlace("  run V(A[t][4 * c + p], x[p])\n"));
  EXPECT_TRUE(InPlace("  run W(A[t][4 * c + p], A[t][4 * c + p])\n"));
  EXPECT_TRUE(InPlace("  run V(s[p], A[t][4 * c + p])\n  run W(A[t][4 * c + p], x[p])\n"));
  EXPECT_TRUE(InPlace("  run V(A[t][4 * c + p], x[p])\n  run V(s[p], A[t][4 * c + p])\n"));
}

TEST(UpdatedInPlace, NotWhereOthersAreTouched) {
  EXPECT_FALSE(InPlace("  run W(A[t][4 * c + p], A[t][4 * c])\n"));
  EXPECT_FALSE(InPlace("  run V(A[t][4 * c + p], x[p])\n  run V(s[p], A[t + 1][4 * c + p])\n"));
  EXPECT_FALSE(InPlace("  run V(A[t][4 * c + p], A)\n"));  // data decide
}

TEST(UpdatedInPlace, NotWhatIsNotReadFirstOrNotWritten) {
  EXPECT_FALSE(InPlace("  run W(A[t][4 * c + p], x[p])\n"));
  EXPECT_FALSE(InPlace("  run W(A[t][4 * c + p], x[p])\n  run V(A[t][4 * c + p], x[p])\n"));
  EXPECT_FALSE(InPlace("  run V(s[p], A[t][4 * c + p])\n"));
  EXPECT_FALSE(InPlace("  run V(s[p], x[p])\n"));
}

TEST(UpdatedInPlace, NotWhereIterationsHaveTheSameElement) {
  EXPECT_FALSE(InPlace("  run V(A[t][c], x[p])\n", "A[t][c]"));
  EXPECT_FALSE(InPlace("  run V(A[p][c], x[p])\n", "A[p][c]"));  // of several rows
}

TEST(UpdatedInPlace, NotUnderConditionsByCopiesOrAtOnceWithOthers) {
  EXPECT_FALSE(InPlace("  if c\n    run V(A[t][4 * c + p], x[p])\n"));
  EXPECT_FALSE(InPlace("  run V(A[t][4 * c + p], x[p])\n  transfer s = x[p]\n"));
  EXPECT_FALSE(InPlace("  run V(A[t][4 * c + p], x[p]), atomic\n"));
}

}  // namespace
}  // namespace tune
