#include "common/transform/split_extrema/extremum_form.h"

#include <gtest/gtest.h>

#include "common/scop/expression_parts.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Literal;
using testing::Read;

v1::Expression Int(const std::string& op, std::vector<v1::Expression> operands) {
  return MakeOperation("int", op, std::move(operands));
}

// m[] = value, with accesses flag[] (0), a[] (1), m[] (2) and the target m[] (3).
v1::Statement Keeping(const v1::Expression& value) {
  v1::Statement statement;
  statement.set_kind(v1::Statement::ASSIGN);
  for (const char* array : {"flag", "a", "m", "m"}) {
    v1::Access* access = statement.add_accesses();
    access->set_array(array);
    access->set_relation(absl::StrCat("{ S0[] -> ", array, "[] }"));
  }
  statement.set_target(3);
  *statement.mutable_value() = value;
  return statement;
}

v1::Expression Choice(const v1::Expression& condition, int value, int kept) {
  return MakeOperation("double", "?:", {condition, Read(value), Read(kept)});
}

TEST(ExtremumFormTest, KeepsWhatItsTargetHas) {
  const auto form = ReadKeepingForm(Keeping(Choice(Read(0), 1, 2)), "flag");
  ASSERT_TRUE(form.has_value());
  EXPECT_FALSE(form->negated);
  EXPECT_TRUE(form->besides.empty());
  EXPECT_EQ(form->value.access(), 1);
  EXPECT_TRUE(ReadKeepingForm(Keeping(Choice(Int("!", {Read(0)}), 1, 2)), "flag")->negated);
  const v1::Expression both = Int("&&", {Read(1), Int("!=", {Read(0), Literal("0", "int")})});
  EXPECT_EQ(ReadKeepingForm(Keeping(Choice(both, 1, 2)), "flag")->besides.size(), 1u);
}

TEST(ExtremumFormTest, KeepsNothingElse) {
  EXPECT_FALSE(ReadKeepingForm(Keeping(Choice(Read(1), 1, 2)), "flag").has_value()) << "another condition";
  EXPECT_FALSE(ReadKeepingForm(Keeping(Choice(Read(0), 2, 1)), "flag").has_value()) << "the other way round";
  EXPECT_FALSE(ReadKeepingForm(Keeping(Read(1)), "flag").has_value()) << "no choice";
  EXPECT_FALSE(ReadKeepingForm(Keeping(Choice(Int("||", {Read(0), Read(1)}), 1, 2)), "flag").has_value());
  v1::Statement other = Keeping(Choice(Read(0), 1, 2));
  other.mutable_accesses(2)->set_relation("{ S0[] -> m[1] }");
  EXPECT_FALSE(ReadKeepingForm(other, "flag").has_value()) << "another element";
  v1::Statement update = Keeping(Choice(Read(0), 1, 2));
  update.set_update(v1::ADD);
  EXPECT_FALSE(ReadKeepingForm(update, "flag").has_value());
}

TEST(ExtremumFormTest, ComparesAnElementWithTheExtremum) {
  const v1::Statement statement = Keeping(Read(1));
  const auto op = [&](const v1::Expression& condition) {
    const auto comparison = ReadComparison(statement, condition, "m");
    return comparison ? comparison->op : "";
  };
  EXPECT_EQ(op(Int(">", {Read(1), Read(2)})), ">");
  EXPECT_EQ(op(Int("<=", {Read(2), Read(1)})), ">=");
  EXPECT_EQ(op(Int("<", {Read(1), Read(2)})), "<");
  EXPECT_EQ(op(Int("==", {Read(1), Read(2)})), "");
  EXPECT_EQ(op(Int(">", {Read(1), Read(0)})), "");
}

// Of numbers that may be NaN neither a < b nor a >= b may hold.
TEST(ExtremumFormTest, OnlyIntegersAreGreaterWhereTheyAreNotLess) {
  const auto negated = [](const std::string& op) {
    return Negated(ExtremumComparison{op, {}}, v1::ELEMENT_TYPE_INT)->op;
  };
  EXPECT_EQ(negated("<"), ">=");
  EXPECT_EQ(negated("<="), ">");
  EXPECT_EQ(negated(">"), "<=");
  EXPECT_EQ(negated(">="), "<");
  EXPECT_FALSE(Negated(ExtremumComparison{"<", {}}, v1::ELEMENT_TYPE_FLOAT).has_value());
}

TEST(ExtremumFormTest, ValuesOfATypeAreKeptAsTheyAre) {
  EXPECT_TRUE(HasValuesOf(Read(0), v1::ELEMENT_TYPE_DOUBLE));
  EXPECT_FALSE(HasValuesOf(Read(0), v1::ELEMENT_TYPE_FLOAT));
  EXPECT_TRUE(HasValuesOf(testing::Call("fabs", {Read(0, "float")}), v1::ELEMENT_TYPE_FLOAT));
  EXPECT_FALSE(HasValuesOf(testing::Call("sqrt", {Read(0, "float")}), v1::ELEMENT_TYPE_FLOAT));
  EXPECT_FALSE(HasValuesOf(testing::Call("fabs", {Read(0, "int")}), v1::ELEMENT_TYPE_INT));
}

}  // namespace
}  // namespace tune
