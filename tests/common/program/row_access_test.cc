#include "common/program/row_access.h"

#include <gtest/gtest.h>

#include "common/program/expression_text.h"
#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

ElementAccess AccessOf(const std::string& access) {
  return ReadBlock("run S0(" + access + ")\n").value()[0].As<Instance>()->accesses[0];
}

std::optional<int64_t> Phase(const std::string& access, std::vector<int64_t> extents, int64_t piece = 4) {
  DeviceArray array;
  array.extents = std::move(extents);
  return PhaseInRow(AccessOf(access), array, "i", piece);
}

std::optional<int64_t> Behind(const std::string& access, const std::string& element) {
  return IterationsBehind(AccessOf(access), AccessOf(element), "i");
}

TEST(RowAccess, PiecesHave16Bytes) {
  EXPECT_EQ(ElementsOfPiece(v1::ELEMENT_TYPE_FLOAT), 4);
  EXPECT_EQ(ElementsOfPiece(v1::ELEMENT_TYPE_INT), 4);
  EXPECT_EQ(ElementsOfPiece(v1::ELEMENT_TYPE_DOUBLE), 2);
  EXPECT_EQ(ElementsOfPiece(v1::ELEMENT_TYPE_UNSIGNED_CHAR), 1);
}

TEST(RowAccess, Directions) {
  EXPECT_EQ(DirectionInRow(AccessOf("A[t][i]"), "i"), 1);
  EXPECT_EQ(DirectionInRow(AccessOf("A[t][t + i - 3]"), "i"), 1);
  EXPECT_EQ(DirectionInRow(AccessOf("A[t][-i + 9]"), "i"), -1);
  EXPECT_EQ(DirectionInRow(AccessOf("A[t][9 - (i - t)]"), "i"), -1);
  EXPECT_EQ(DirectionInRow(AccessOf("A[i][t]"), "i"), 0);
  EXPECT_EQ(DirectionInRow(AccessOf("A[i][i]"), "i"), 0);
  EXPECT_EQ(DirectionInRow(AccessOf("A[t][2 * i]"), "i"), 0);
  EXPECT_EQ(DirectionInRow(AccessOf("A[t][i + i]"), "i"), 0);
  EXPECT_EQ(DirectionInRow(AccessOf("A"), "i"), 0);
}

TEST(RowAccess, PhasesForward) {
  EXPECT_EQ(Phase("A[t][i]", {7, 100}), 0);
  EXPECT_EQ(Phase("A[t][i + 1]", {7, 100}), 3);
  EXPECT_EQ(Phase("A[t][i - 5]", {7, 100}), 1);
  EXPECT_EQ(Phase("A[t][8 * t + i - 1]", {7, 100}), 1);
  EXPECT_EQ(Phase("A[i + 1]", {7}), 3);
  EXPECT_EQ(Phase("A[t][i + 1]", {7, 102}, 2), 1);
}

// Iterations 3 to 6 have elements 1995 to 1992.
TEST(RowAccess, PhasesBack) {
  EXPECT_EQ(Phase("A[t][-i + 1998]", {7, 2000}), 3);
  EXPECT_EQ(Phase("A[t][-i + 4319]", {7, 4320}), 0);
  EXPECT_EQ(Phase("A[t][-i]", {7, 2000}), 1);
}

TEST(RowAccess, NoPhases) {
  EXPECT_EQ(Phase("A[t][t + i]", {7, 100}), std::nullopt);
  EXPECT_EQ(Phase("A[t][2 * t + i]", {7, 100}), std::nullopt);
  EXPECT_EQ(Phase("A[t][i]", {7, 102}), std::nullopt);
  EXPECT_EQ(Phase("A[i][t]", {7, 100}), std::nullopt);
  EXPECT_EQ(Phase("A[i]", {7, 100}), std::nullopt);
}

TEST(RowAccess, IterationsBehind) {
  EXPECT_EQ(Behind("A[t][i]", "A[t][i]"), 0);
  EXPECT_EQ(Behind("A[t][i - 1]", "A[t][i]"), 1);
  EXPECT_EQ(Behind("A[t][i + 2]", "A[t][i]"), -2);
  EXPECT_EQ(Behind("A[t][-i + 9]", "A[t][-i + 8]"), 1);
  EXPECT_EQ(Behind("A[t][b + i + t]", "A[t][1 + t + b + i]"), 1);
  EXPECT_EQ(Behind("A[t][i + b]", "A[t][i]"), std::nullopt);
  EXPECT_EQ(Behind("A[t + 1][i]", "A[t][i]"), std::nullopt);
  EXPECT_EQ(Behind("A[t][-i]", "A[t][i]"), std::nullopt);
  EXPECT_EQ(Behind("B[t][i]", "A[t][i]"), std::nullopt);
  EXPECT_EQ(Behind("A", "A[t][i]"), std::nullopt);
  EXPECT_EQ(Behind("A[t][3]", "A[t][i]"), std::nullopt);
}

// Of a loop of pieces of four.
std::string First(const std::string& first, int64_t phase) {
  Loop loop;
  loop.first = AccessOf("A[" + first + "]").subscripts[0];
  loop.phase = phase;
  loop.fetched = {{AccessOf("A[i]"), v1::ELEMENT_TYPE_DOUBLE, 2},
                  {AccessOf("x[i]"), v1::ELEMENT_TYPE_FLOAT, 4}};
  EXPECT_EQ(WidestPiece(loop), 4);
  return PrintIndexExpression(FirstOfPieces(loop));
}

TEST(RowAccess, FirstOfPieces) {
  EXPECT_EQ(First("1", 0), "4");
  EXPECT_EQ(First("0", 3), "3");
  EXPECT_EQ(First("7", 3), "7");
  EXPECT_EQ(First("-5", 0), "-4");
  Loop plain;
  plain.first = AccessOf("A[n]").subscripts[0];
  EXPECT_EQ(FirstOfPieces(plain), plain.first);
  EXPECT_EQ(WidestPiece(plain), 1);
  const auto at = [&](int64_t n) {
    plain.phase = 1;
    plain.collected = {{AccessOf("x[i]"), v1::ELEMENT_TYPE_FLOAT, 4}};
    return Evaluate(FirstOfPieces(plain), [&](const std::string&) { return n; });
  };
  EXPECT_EQ(at(1), 1);
  EXPECT_EQ(at(2), 5);
  EXPECT_EQ(at(5), 5);
  EXPECT_EQ(at(0), 1);
  EXPECT_EQ(at(-1), 1);
  EXPECT_EQ(at(-3), -3);
}

}  // namespace
}  // namespace tune
