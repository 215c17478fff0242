#include "common/work/region_work.h"

#include <gtest/gtest.h>

#include "tests/common/testing/enumeration.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using testing::Divide;
using testing::Interpreter;
using testing::Literal;
using testing::MakeRandomScop;
using testing::Multiply;
using testing::Operation;
using testing::Read;
using testing::SampleScop;
using testing::SampleScops;
using testing::ScopBuilder;

v1::RegionWork Work(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  const absl::StatusOr<v1::RegionWork> work = CountRegionWork(scop, values);
  EXPECT_TRUE(work.ok()) << work.status();
  return work.ok() ? *work : v1::RegionWork();
}

// Elements first read and written, from an execution in the original order; all are doubles.
void ExpectBytesOfExecution(const v1::Scop& proto, const std::map<std::string, int64_t>& values) {
  IslContext context;
  const auto scop = ParseScop(context, proto);
  ASSERT_TRUE(scop.ok()) << scop.status();
  const isl::set fixed = ParameterValues(context, values);
  std::set<testing::Tuple> read, written;
  for (const auto& [instance, element] : Interpreter(**scop, fixed).Run().live_in) read.insert(element);
  for (const auto& [instance, element] : testing::Enumerate((*scop)->writes, fixed)) {
    if (!(*scop)->array(element.first).declared_inside()) written.insert(element);
  }
  const v1::RegionWork work = Work(proto, values);
  EXPECT_EQ(work.read_bytes(), static_cast<int64_t>(8 * read.size()));
  EXPECT_EQ(work.written_bytes(), static_cast<int64_t>(8 * written.size()));
}

TEST(RegionWorkTest, BytesOfSampleScopsAreThoseOfTheirExecution) {
  for (const SampleScop& sample : SampleScops()) {
    SCOPED_TRACE(sample.name);
    ExpectBytesOfExecution(sample.make(), sample.small);
  }
}

TEST(RegionWorkTest, BytesOfRandomScopsAreThoseOfTheirExecution) {
  for (uint64_t seed = 300; seed < 330; ++seed) {
    SCOPED_TRACE(seed);
    ExpectBytesOfExecution(MakeRandomScop(seed), {{"n", 5}});
  }
}

TEST(RegionWorkTest, ProductOfMatrices) {
  const double n = 4000;
  const v1::RegionWork work = Work(testing::GemmScop(), {{"ni", 4000}, {"nj", 4000}, {"nk", 4000}});
  // beta C; alpha A once an element; its product with B, added.
  EXPECT_DOUBLE_EQ(work.double_operations(), n * n + n * n + 2 * n * n * n);
  EXPECT_EQ(work.float_operations(), 0);
  EXPECT_EQ(work.read_bytes(), 8 * (3 * 4000 * 4000 + 2));
  EXPECT_EQ(work.written_bytes(), 8 * 4000 * 4000);
}

TEST(RegionWorkTest, TriangularLoops) {
  const v1::RegionWork work = Work(testing::TriangularScop(), {{"n", 5}});
  // j < i: the sum over k < j; j >= i: over k < i; one product and one difference each, and a quotient where
  // j < i.
  double expected = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < i; ++j) expected += 2 * j + 1;
    for (int j = i; j < 5; ++j) expected += 2 * i;
  }
  EXPECT_DOUBLE_EQ(work.double_operations(), expected);
}

v1::RegionWork WorkOfStatement(const v1::Expression& value, v1::UpdateOperator update = v1::NONE) {
  ScopBuilder builder("one", {"n"}, "n >= 0");
  builder.Array("y", {"n", "n"}).Array("a", {"n"}).Array("b", {"n"});
  builder.Begin("i", "0 <= i < n").Begin("j", "0 <= j < n");
  const std::vector<testing::Element> reads = {{"a", "i"}, {"b", "j"}, {"y", "i, j"}, {"a", "i"}};
  if (update == v1::NONE) {
    builder.Assign({"y", "i, j"}, reads, value);
  } else {
    builder.Update(update, {"y", "i, j"}, reads, value);
  }
  return Work(builder.End().End().Build(), {{"n", 10}});
}

TEST(RegionWorkTest, WhatCanBeDoneLessOftenIsCountedSo) {
  const v1::Expression a = Read(0), b = Read(1), y = Read(2), a_again = Read(3);
  EXPECT_EQ(WorkOfStatement(Multiply(a, b)).double_operations(), 100);
  EXPECT_EQ(WorkOfStatement(Multiply(a, Literal("2.0"))).double_operations(), 10);
  EXPECT_EQ(WorkOfStatement(Multiply(Multiply(a, Literal("2.0")), y)).double_operations(), 110);
  EXPECT_EQ(WorkOfStatement(Multiply(Add(a, y), Add(a_again, y))).double_operations(), 200);
  EXPECT_EQ(WorkOfStatement(testing::Negate(Add(a, y))).double_operations(), 100);
  EXPECT_EQ(WorkOfStatement(a, v1::ADD).double_operations(), 100);
}

TEST(RegionWorkTest, ASumOfManyTermsIsAsManyOperations) {
  EXPECT_EQ(WorkOfStatement(Operation("+", {Read(2), Read(2), Read(2), Read(2)})).double_operations(), 300);
  EXPECT_EQ(WorkOfStatement(Operation("+", {Read(0), Read(0), Read(0), Read(0)})).double_operations(), 30);
  // Those of so many operands are not looked at for equal values.
  const std::vector<v1::Expression> many(20, Read(0));
  EXPECT_EQ(WorkOfStatement(Operation("+", many)).double_operations(), 1900);
}

TEST(RegionWorkTest, OneBranchIsTakenTheShorterOne) {
  const v1::Expression a = Read(0), y = Read(2);
  const v1::Expression two = Multiply(Add(y, a), y), three = Add(Divide(Multiply(y, a), y), y);
  const v1::Expression choice = Operation("?:", {Operation("<", {y, a}), two, three});
  EXPECT_EQ(WorkOfStatement(choice).double_operations(), 100 + 200);
}

TEST(RegionWorkTest, FloatAndDoubleAreApartAndIntegersDoNotCount) {
  v1::Expression sum = Add(Read(2, "float"), Read(2, "float"));
  EXPECT_EQ(WorkOfStatement(sum).float_operations(), 100);
  EXPECT_EQ(WorkOfStatement(sum).double_operations(), 0);
  v1::Expression integers = Add(Read(2, "int"), Read(2, "int"));
  EXPECT_EQ(WorkOfStatement(integers).float_operations() + WorkOfStatement(integers).double_operations(), 0);
  EXPECT_EQ(WorkOfStatement(Operation("<", {Read(2, "float"), Read(2, "float")})).float_operations(), 100);
}

TEST(RegionWorkTest, GivesUpAtItsLimit) {
  const IslContext::Limits limits = {2000, absl::Seconds(10)};
  EXPECT_EQ(CountRegionWork(testing::TriangularScop(), {{"n", 5}}, limits).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace tune
