#include "common/transform/coalesced_loops/coalesce_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Analysis;
using ::testing::ElementsAre;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;
using testing::Values;

std::optional<v1::Scop> Coalesced(const v1::Scop& scop, const Values& values) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto coalesced = CoalesceLoops(context, *parsed, values);
  EXPECT_TRUE(coalesced.ok()) << coalesced.status();
  return coalesced.value_or(std::nullopt);
}

std::vector<std::string> Extents(const v1::Scop& scop, const std::string& name) {
  std::vector<std::string> extents;
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() != name) continue;
    for (const v1::Extent& extent : array.extents()) extents.push_back(extent.c_expression());
  }
  return extents;
}

// Interprets both on the same inputs, whose elements stand where they are in arrays of either form.
void ExpectSameResults(const v1::Scop& original, const v1::Scop& coalesced, const Values& values) {
  const v1::Reference reference = testing::MakeReference(original, values);
  testing::Memory expected = testing::MakeInputs(original, reference, 3), found = expected;
  ASSERT_TRUE(testing::Interpret(original, reference, expected).ok());
  const v1::Reference own = testing::MakeReference(coalesced, values);
  for (const v1::ArrayExtents& extents : own.arrays())
    found.at(extents.name()).extents.assign(extents.extents().begin(), extents.extents().end());
  const absl::Status status = testing::Interpret(coalesced, own, found);
  ASSERT_TRUE(status.ok()) << status;
  for (const auto& [name, memory] : expected) EXPECT_TRUE(found.at(name).bytes == memory.bytes) << name;
}

const Values kSizes = {{"r", 3}, {"q", 5}, {"n", 6}};

// For all i and j: C[i][j] = A[i][j] B, a row times a matrix, with other things beside it.
class Batch : public ScopBuilder {
 public:
  explicit Batch(const std::string& rows = "0 <= j < q")
      : ScopBuilder("batch", {"r", "q", "n"}, "r >= 1 and q >= 1 and n >= 1"), rows_(rows) {
    Array("A", {"r", "q", "n"}).Array("B", {"n", "n"}).Array("C", {"r", "q", "n"});
    Array("d", {"q"}).Array("e", {"n"});
  }

  Batch& Rows() {
    Begin("i", "0 <= i < r").Begin("j", rows_);
    return *this;
  }
  Batch& Product(const std::string& of_matrix = "k, p") {
    Begin("p", "0 <= p < n").Assign({"C", "i, j, p"}, {}, Literal("0.0")).Begin("k", "0 <= k < n");
    Update(v1::ADD, {"C", "i, j, p"}, {{"A", "i, j, k"}, {"B", of_matrix}}, Multiply(Read(0), Read(1)));
    End().End();
    return *this;
  }
  Batch& EndRows() {
    End().End();
    return *this;
  }

 private:
  const std::string rows_;
};

v1::Scop PlainBatch(const std::string& rows = "0 <= j < q", const std::string& of_matrix = "k, p") {
  return Batch(rows).Rows().Product(of_matrix).EndRows().Build();
}

TEST(CoalesceLoopsTest, RowsOfABatchAreThoseOfOneMatrix) {
  const v1::Scop scop = PlainBatch();
  const auto coalesced = Coalesced(scop, kSizes);
  ASSERT_TRUE(coalesced.has_value());
  EXPECT_THAT(coalesced->statements(1).iterators(), ElementsAre("i_j", "p", "k"));
  EXPECT_THAT(Extents(*coalesced, "A"), ElementsAre("15", "6"));
  EXPECT_THAT(Extents(*coalesced, "B"), ElementsAre("n", "n"));
  EXPECT_THAT(Extents(*coalesced, "C"), ElementsAre("15", "6"));
  ExpectSameResults(scop, *coalesced, kSizes);
}

// The loops are members of one band, parallel but for the sum, and no subscript is a quotient.
TEST(CoalesceLoopsTest, IsAProductOfOneMatrix) {
  const auto coalesced = Coalesced(PlainBatch(), kSizes);
  ASSERT_TRUE(coalesced.has_value());
  EXPECT_THAT(coalesced->schedule(), ::testing::Not(::testing::HasSubstr("floor")));
  for (const v1::Statement& statement : coalesced->statements()) {
    for (const v1::Access& access : statement.accesses())
      EXPECT_THAT(access.relation(), ::testing::Not(::testing::HasSubstr("floor")));
  }
  const auto analysis = Analysis::Make(*coalesced, kSizes).value();
  EXPECT_EQ(testing::ScheduledBands(*analysis), "2/3");
}

// doitgen: a row is overwritten behind its product, and its last value stays in another array.
TEST(CoalesceLoopsTest, WithWhatComesBehindTheProduct) {
  Batch builder;
  builder.Rows()
      .Product()
      .Begin("p", "0 <= p < n")
      .Assign({"A", "i, j, p"}, {{"C", "i, j, p"}}, Read(0))
      .End();
  builder.EndRows();
  builder.Begin("p", "0 <= p < n").Assign({"e", "p"}, {{"C", "r - 1, q - 1, p"}}, Read(0)).End();
  const v1::Scop scop = builder.Build();
  const auto coalesced = Coalesced(scop, kSizes);
  ASSERT_TRUE(coalesced.has_value());
  EXPECT_THAT(coalesced->statements(3).iterators(), ElementsAre("p"));
  ExpectSameResults(scop, *coalesced, kSizes);
}

// Other loops about the same arrays become one, too.
TEST(CoalesceLoopsTest, LoopsBesideTheProduct) {
  Batch builder;
  builder.Rows().Begin("p", "0 <= p < n");
  builder.Assign({"A", "i, j, p"}, {{"A", "i, j, p"}}, Multiply(Read(0), Literal("0.5"))).End();
  const v1::Scop scop = builder.EndRows().Rows().Product().EndRows().Build();
  const auto coalesced = Coalesced(scop, kSizes);
  ASSERT_TRUE(coalesced.has_value());
  EXPECT_THAT(coalesced->statements(0).iterators(), ElementsAre("i_j", "p"));
  ExpectSameResults(scop, *coalesced, kSizes);
}

TEST(CoalesceLoopsTest, NotWhereIteratorsAreToldApart) {
  EXPECT_FALSE(Coalesced(PlainBatch("0 <= j < q", "j, p"), {{"r", 3}, {"q", 6}, {"n", 6}}).has_value())
      << "a row of B for each j";
  EXPECT_FALSE(Coalesced(PlainBatch("0 <= j <= i and j < q"), kSizes).has_value()) << "a triangle";
  EXPECT_FALSE(Coalesced(PlainBatch("1 <= j < q"), kSizes).has_value()) << "from the second row on";
  EXPECT_FALSE(Coalesced(PlainBatch("0 <= j < q - 1"), kSizes).has_value()) << "rows that are left out";
  Batch builder;
  builder.Rows().Assign({"d", "j"}, {{"A", "i, j, 0"}}, Read(0));
  EXPECT_FALSE(Coalesced(builder.Product().EndRows().Build(), kSizes).has_value()) << "an element for each j";
}

// The values of iterators are no numbers of the one that stands for them.
TEST(CoalesceLoopsTest, NotWhereValuesAreOfIterators) {
  v1::Expression number;
  number.set_affine("[r, q, n] -> { S0[i, j] -> [(j)] }");
  number.set_c_type("int");
  Batch builder;
  builder.Rows().Assign({"C", "i, j, 0"}, {}, number);
  EXPECT_FALSE(Coalesced(builder.Product().EndRows().Build(), kSizes).has_value());
}

TEST(CoalesceLoopsTest, NotWhereTilesAreFullAnyway) {
  EXPECT_FALSE(Coalesced(PlainBatch(), {{"r", 3}, {"q", 256}, {"n", 4}}).has_value());
  EXPECT_FALSE(Coalesced(PlainBatch(), {{"r", 1}, {"q", 5}, {"n", 4}}).has_value());
  EXPECT_TRUE(Coalesced(PlainBatch(), {{"r", 5}, {"q", 220}, {"n", 4}}).has_value());
}

}  // namespace
}  // namespace tune
