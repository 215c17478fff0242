#include "common/kernel/product.h"

#include <gtest/gtest.h>

#include "common/kernel/trip_count.h"
#include "common/schedule/original_schedule.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using testing::Element;
using testing::Literal;
using testing::Multiply;
using testing::Negate;
using testing::Read;
using testing::Subtract;

// "row 0, column 2, sum 1" of the only statement, whose loops are all of one band.
std::string Product(const v1::Scop& program) {
  const std::map<std::string, int64_t> values = {{"n", 20}};
  IslContext context;
  const auto scop = ParseScop(context, WithParameterFacts(program, values)).value();
  const Dependences dependences = ComputeDependences(context, *scop).value();
  const isl::schedule schedule = OriginalSchedule(context, *scop, dependences);
  const auto band = schedule.root().child(0).as<isl::schedule_node_band>();
  const isl::set known = ParameterValues(context, values);
  std::vector<bool> parallel;
  for (unsigned i = 0; i < band.n_member(); ++i)
    parallel.push_back(band.member_get_coincident(static_cast<int>(i)));
  const auto product =
      FindProduct(band, scop->statements[0], *scop, known, TripCounts(band, known), parallel);
  if (!product) return "none";
  return absl::StrCat("row ", product->row_member, ", column ", product->column_member, ", sum ",
                      product->sum_member);
}

testing::ScopBuilder Builder() {
  testing::ScopBuilder builder("f", {"n"}, "n >= 0");
  for (const char* name : {"A", "B", "C", "D"}) builder.Array(name, {"n", "n"});
  builder.Array("x", {}).Array("T", {"n", "n", "n"});
  return builder;
}

v1::Scop Nest(const std::string& rows, const std::string& columns, const std::string& sum,
              const Element& target, const std::vector<Element>& reads, const v1::Expression& value) {
  return Builder()
      .Begin("i", rows)
      .Begin("j", columns)
      .Begin("k", sum)
      .Update(v1::ADD, target, reads, value)
      .End()
      .End()
      .End()
      .Build();
}

v1::Scop Square(const std::vector<Element>& reads, const v1::Expression& value) {
  return Nest("0 <= i < n", "0 <= j < n", "0 <= k < n", {"C", "i, j"}, reads, value);
}

TEST(Product, ScaledAndSubtracted) {
  const std::vector<Element> reads = {{"x", ""}, {"A", "i, k"}, {"B", "k, j"}};
  const v1::Expression scaled = Multiply(Multiply(Read(0), Read(1)), Read(2));
  EXPECT_EQ(Product(Square(reads, scaled)), "row 0, column 1, sum 2");
  EXPECT_EQ(Product(Square(reads, Negate(scaled))), "row 0, column 1, sum 2");
}

TEST(Product, Triangles) {
  const v1::Expression product = Multiply(Read(0), Read(1));
  EXPECT_EQ(Product(Nest("0 <= i < n", "0 <= j <= i", "0 <= k < n", {"C", "i, j"},
                         {{"A", "i, k"}, {"A", "j, k"}}, product)),
            "row 0, column 1, sum 2");
  // The sum's bounds depend on the row, as in a product with a triangular matrix.
  EXPECT_EQ(Product(Nest("0 <= i < n", "0 <= j < n", "0 <= k < i", {"C", "i, j"},
                         {{"A", "i, k"}, {"B", "k, j"}}, product)),
            "none");
}

TEST(Product, TwoTermsOfEachKind) {
  EXPECT_EQ(Product(Nest("0 <= i < n", "0 <= j <= i", "0 <= k < n", {"C", "i, j"},
                         {{"A", "j, k"}, {"B", "i, k"}, {"B", "j, k"}, {"A", "i, k"}},
                         Add(Multiply(Read(0), Read(1)), Multiply(Read(2), Read(3))))),
            "row 0, column 1, sum 2");
}

// Squares of distances; each term stands there twice.
TEST(Product, Distances) {
  const v1::Expression square = Multiply(Subtract(Read(0), Read(1)), Subtract(Read(2), Read(3)));
  EXPECT_EQ(Product(Square({{"A", "i, k"}, {"B", "j, k"}, {"A", "i, k"}, {"B", "j, k"}}, square)),
            "row 0, column 1, sum 2");
}

TEST(Product, BatchesAreLoopsAround) {
  const v1::Scop program =
      Builder()
          .Array("R", {"n", "n", "n"})
          .Begin("b", "0 <= b < n")
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Begin("k", "0 <= k < n")
          .Update(v1::ADD, {"R", "b, i, j"}, {{"T", "b, i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .End()
          .End()
          .Build();
  EXPECT_EQ(Product(program), "row 1, column 2, sum 3");
}

TEST(Product, OthersAreNone) {
  const v1::Expression product = Multiply(Read(0), Read(1));
  // A term reads what is written.
  EXPECT_EQ(Product(Square({{"A", "i, k"}, {"C", "k, j"}}, product)), "none");
  // Columns are apart in memory.
  EXPECT_EQ(Product(Nest("0 <= i < n", "0 <= j < n", "0 <= k < n", {"T", "i, j, 0"},
                         {{"A", "i, k"}, {"B", "k, j"}}, product)),
            "none");
  // A term depends on row and column.
  EXPECT_EQ(Product(Square({{"T", "i, j, k"}, {"B", "k, j"}}, product)), "none");
  // No column term changes along the sum.
  EXPECT_EQ(Product(Square({{"A", "i, k"}, {"B", "0, j"}}, product)), "none");
  // A function between the terms.
  EXPECT_EQ(Product(Square({{"A", "i, k"}, {"B", "k, j"}}, testing::Call("fmax", {Read(0), Read(1)}))),
            "none");
  // Four row terms.
  EXPECT_EQ(
      Product(Square({{"A", "i, k"}, {"B", "k, j"}, {"B", "i, k"}, {"D", "i, k"}, {"D", "i, 0"}},
                     Subtract(Subtract(Subtract(Multiply(Read(0), Read(1)), Read(2)), Read(3)), Read(4)))),
      "none");
}

TEST(Product, ComputesInTheTypeOfItsTarget) {
  v1::Scop program = Square({{"A", "i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)));
  for (v1::Array& array : *program.mutable_arrays()) {
    if (array.name() == "C") array.set_element_type(v1::ELEMENT_TYPE_FLOAT);
  }
  EXPECT_EQ(Product(program), "none");
  // An integer that becomes a double in the product.
  v1::Scop mixed = Square({{"A", "i, k"}, {"B", "k, j"}}, Multiply(Read(0, "int"), Read(1)));
  for (v1::Array& array : *mixed.mutable_arrays()) {
    if (array.name() == "A") array.set_element_type(v1::ELEMENT_TYPE_INT);
  }
  EXPECT_EQ(Product(mixed), "row 0, column 1, sum 2");
}

}  // namespace
}  // namespace tune
