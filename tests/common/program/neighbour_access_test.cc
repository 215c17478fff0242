#include "common/program/neighbour_access.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// Of the statement that the text runs: whether its first access is to neighbours.
bool AreNeighbours(const std::string& access, std::vector<int64_t> extents, int64_t iterations,
                   v1::ElementType type = v1::ELEMENT_TYPE_FLOAT) {
  DeviceArray array;
  array.name = array.scop_name = "A";
  array.extents = std::move(extents);
  array.type = type;
  const Block block = ReadBlock("run S0(" + access + ")\n").value();
  return tune::AreNeighbours(block[0].As<Instance>()->accesses[0], array, "i", iterations);
}

TEST(NeighbourAccess, InARow) {
  EXPECT_TRUE(AreNeighbours("A[i]", {7}, 4));
  EXPECT_TRUE(AreNeighbours("A[4 * k + i]", {7}, 4));
  EXPECT_TRUE(AreNeighbours("A[8 * k + i + 4]", {7}, 4));
  EXPECT_TRUE(AreNeighbours("A[k][4 * k + i]", {7, 100}, 4));
  EXPECT_FALSE(AreNeighbours("A[i][4 * k]", {7, 100}, 4));
  EXPECT_FALSE(AreNeighbours("A[i][4 * k + i]", {7, 100}, 4));
  EXPECT_FALSE(AreNeighbours("A[4 * k]", {7}, 4));
  EXPECT_FALSE(AreNeighbours("A[2 * i]", {7}, 4));
  EXPECT_FALSE(AreNeighbours("A[i + i]", {7}, 4));
  EXPECT_FALSE(AreNeighbours("A[4 * k - i]", {7}, 4));
}

TEST(NeighbourAccess, FromWhereALoadMayBegin) {
  EXPECT_FALSE(AreNeighbours("A[k + i]", {7}, 4));
  EXPECT_FALSE(AreNeighbours("A[4 * k + i + 1]", {7}, 4));
  EXPECT_FALSE(AreNeighbours("A[2 * k + i]", {7}, 4));
  EXPECT_TRUE(AreNeighbours("A[2 * k + i]", {7}, 2));
  // Rows that are no multiples.
  EXPECT_FALSE(AreNeighbours("A[k][4 * k + i]", {7, 102}, 4));
  EXPECT_TRUE(AreNeighbours("A[k][2 * k + i]", {7, 102}, 2));
  // Elements that data decide about have no subscripts.
  EXPECT_FALSE(AreNeighbours("A", {7}, 4));
}

// Two loads, each of two.
TEST(NeighbourAccess, LoadsHaveAtMost16Bytes) {
  EXPECT_EQ(ElementsOfLoad(v1::ELEMENT_TYPE_FLOAT, 4), 4);
  EXPECT_EQ(ElementsOfLoad(v1::ELEMENT_TYPE_DOUBLE, 4), 2);
  EXPECT_EQ(ElementsOfLoad(v1::ELEMENT_TYPE_FLOAT, 2), 2);
  EXPECT_TRUE(AreNeighbours("A[k][4 * k + i]", {7, 102}, 4, v1::ELEMENT_TYPE_DOUBLE));
  EXPECT_FALSE(AreNeighbours("A[k][4 * k + i]", {7, 101}, 4, v1::ELEMENT_TYPE_DOUBLE));
}

TEST(NeighbourAccess, AtAnIteration) {
  Block block = ReadBlock("run S0(A[i + k][4 * k + i])\n").value();
  ElementAccess& access = block[0].As<Instance>()->accesses[0];
  access = AccessAt(access, "i", 2);
  EXPECT_EQ(PrintBlockText(block), "run S0(A[2 + k][4 * k + 2])\n");
}

}  // namespace
}  // namespace tune
