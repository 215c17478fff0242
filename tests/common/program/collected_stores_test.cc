#include "common/program/collected_stores.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// S writes its first access and reads the others, U updates its first.
v1::Scop Statements() {
  v1::Scop scop;
  for (const char* name : {"S", "U"}) {
    v1::Statement* const statement = scop.add_statements();
    statement->set_name(name);
    for (int i = 0; i < 3; ++i) statement->add_accesses()->set_kind(v1::Access::READ);
    statement->mutable_accesses(0)->set_kind(statement->name() == "S" ? v1::Access::WRITE
                                                                      : v1::Access::UPDATE);
  }
  return scop;
}

// Of the loop over i that holds these nodes.
bool CanCollect(const std::string& body, const std::string& element = "p[t][i]", int64_t iterations = 4) {
  const Block block = ReadBlock("for i = 1; i < n; i += 1\n" + body).value();
  const Block access = ReadBlock("run S(" + element + ")\n").value();
  return tune::CanCollect(*block[0].As<Loop>(), access[0].As<Instance>()->accesses[0], iterations,
                          Statements());
}

TEST(CollectedStores, OfElementsThatLaterIterationsRead) {
  EXPECT_TRUE(CanCollect("  run S(p[t][i], p[t][i - 1], x[i])\n"));
  EXPECT_TRUE(CanCollect("  run S(p[t][i], p[t][i - 3], x[i])\n"));
  EXPECT_TRUE(CanCollect("  run S(p[t][i], x[i], x[i])\n  run S(y[t], p[t][i], p[t][i - 1])\n"));
  EXPECT_TRUE(CanCollect("  run S(p[t][i], x[i], x[i])\n  run U(p[t][i], x[i], x[i])\n"));
  EXPECT_TRUE(CanCollect("  run S(p[t][-i + 8], p[t][-i + 9], x[i])\n", "p[t][-i + 8]"));
  EXPECT_TRUE(CanCollect("  transfer p[t][i] = s\n  transfer s = p[t][i - 1]\n"));
}

TEST(CollectedStores, NotWhereOthersAreTouched) {
  EXPECT_FALSE(CanCollect("  run S(p[t][i], p[t][i - 4], x[i])\n"));  // of the chunk before the last one
  EXPECT_FALSE(CanCollect("  run S(p[t][i], p[t][i + 1], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(p[t][i], p[t - 1][i], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(p[t][i], p[t][0], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(p[t][i], p, x[i])\n"));  // data decide
  EXPECT_FALSE(CanCollect("  run S(p[t][i], x[i], x[i])\n  run S(p[t][i - 1], x[i], x[i])\n"));
}

TEST(CollectedStores, NotOfWhatWasThereBefore) {
  EXPECT_FALSE(CanCollect("  run U(p[t][i], x[i], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(p[t][i], p[t][i], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(y[t], p[t][i], x[i])\n  run S(p[t][i], x[i], x[i])\n"));
  EXPECT_FALSE(CanCollect("  transfer p[t][i] += s\n"));
}

TEST(CollectedStores, NotWhereNotEachIterationWritesIt) {
  EXPECT_FALSE(CanCollect("  if i > 3\n    run S(p[t][i], x[i], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(p[t][i], x[i], x[i])\n  if i > 3\n    run S(y[t], p[t][i - 1], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(y[t], x[i], x[i])\n"));
  EXPECT_FALSE(CanCollect("  run S(p[i][t], x[i], x[i])\n", "p[i][t]"));  // no row
  EXPECT_FALSE(CanCollect("  run S(p[t][i], x[i], x[i]), atomic\n"));
  EXPECT_FALSE(CanCollect("  run T(p[t][i], x[i], x[i])\n"));
}

}  // namespace
}  // namespace tune
