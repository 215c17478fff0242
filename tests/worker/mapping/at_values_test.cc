#include "worker/mapping/at_values.h"

#include <gtest/gtest.h>

#include "common/isl/dimensions.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

class AtValuesTest : public ::testing::Test {
 protected:
  // Whether the object is what the text says.
  template <typename T>
  bool Same(const T& object, const std::string& text) {
    return object.is_equal(T(context_.ctx(), text));
  }
  bool Same(const isl::pw_aff& function, const std::string& text) {
    return function.as_map().is_equal(isl::pw_aff(context_.ctx(), text).as_map());
  }

  IslContext context_;
  const ParameterValueOf values_ = {{"n", 100}, {"m", 7}};
};

TEST_F(AtValuesTest, SetsAndMapsLoseTheirParameters) {
  const isl::set set(context_.ctx(), "[n, m, b] -> { S[i] : m <= i < n and i mod 2 = b }");
  EXPECT_TRUE(Same(AtValues(set, values_), "[b] -> { S[i] : 7 <= i < 100 and i mod 2 = b }"));
  EXPECT_EQ(Dimensions(AtValues(set, values_), isl_dim_param), 1);
  const isl::map map(context_.ctx(), "[n] -> { S[i] -> A[n - i, floor(n/8)] }");
  EXPECT_TRUE(Same(AtValues(map, values_), "{ S[i] -> A[100 - i, 12] }"));
  EXPECT_EQ(Dimensions(AtValues(map, values_), isl_dim_param), 0);
}

TEST_F(AtValuesTest, FunctionsStayFunctions) {
  const isl::pw_aff function(context_.ctx(), "[n, m] -> { S[i] -> [(m - i + floor((n + i)/7))] }");
  const isl::pw_aff changed = AtValues(function, values_);
  EXPECT_TRUE(Same(changed, "{ S[i] -> [(7 - i + floor((100 + i)/7))] }"));
  EXPECT_EQ(Dimensions(changed, isl_dim_param), 0);
}

TEST_F(AtValuesTest, TreesKeepTheirMarksAndFlags) {
  const isl::schedule schedule(context_.ctx(), R"({
    domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }",
    child: { schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i] -> [(n - i)] }]", permutable: 1, coincident: [ 1 ],
      child: { mark: "kernel", child: { sequence: [
        { filter: "[n] -> { S[i, j] }", child: { schedule: "[n] -> [{ S[i, j] -> [(j)] }]" } },
        { filter: "[n] -> { T[i] }" } ] } } } })");
  const isl::schedule changed = AtValues(schedule, values_);
  const isl::schedule expected(context_.ctx(), R"({
    domain: "{ S[i, j] : 0 <= i <= 99 and 0 <= j <= 99; T[i] : 0 <= i <= 99 }",
    child: { schedule: "[{ S[i, j] -> [(i)]; T[i] -> [(100 - i)] }]", permutable: 1, coincident: [ 1 ],
      child: { mark: "kernel", child: { sequence: [
        { filter: "{ S[i, j] }", child: { schedule: "[{ S[i, j] -> [(j)] }]" } },
        { filter: "{ T[i] }" } ] } } } })");
  EXPECT_EQ(isl_schedule_plain_is_equal(changed.get(), expected.get()), isl_bool_true)
      << IndentedText(changed);
}

TEST_F(AtValuesTest, OtherNodesAreRefused) {
  const isl::schedule schedule(
      context_.ctx(), R"({ domain: "[n] -> { S[i] }", child: { context: "[n] -> { [] : n > 0 }" } })");
  EXPECT_THROW(AtValues(schedule, values_), isl::exception);
}

TEST_F(AtValuesTest, StatementsLoseTheirParameters) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    const auto scop = ParseScop(context_, sample.make()).value();
    const auto changed = StatementsAtValues(*scop, sample.small);
    const isl::set known = ParameterValues(context_, sample.small);
    ASSERT_EQ(changed->statements.size(), scop->statements.size());
    for (size_t i = 0; i < scop->statements.size(); ++i) {
      const ParsedStatement& before = scop->statements[i];
      const ParsedStatement& after = changed->statements[i];
      EXPECT_EQ(after.proto, &changed->proto.statements(static_cast<int>(i)));
      EXPECT_EQ(Dimensions(after.domain, isl_dim_param), 0);
      EXPECT_TRUE(before.domain.intersect_params(known).is_equal(after.domain.intersect_params(known)));
      for (size_t a = 0; a < before.accesses.size(); ++a)
        EXPECT_EQ(Dimensions(after.accesses[a].relation, isl_dim_param), 0);
    }
  }
}

// Where some have no value they stay, and what is known of them.
TEST_F(AtValuesTest, ParametersWithoutAValueStayWithTheirContext) {
  v1::Scop proto = testing::GemmScop();
  proto.set_context("[ni, nj, nk] -> { : ni >= 4 and 4 <= nj <= 100 and nk >= 4 }");
  const auto scop = ParseScop(context_, proto).value();
  const auto changed = StatementsAtValues(*scop, {{"ni", 9}, {"nk", 5}});
  ASSERT_EQ(changed->proto.parameters_size(), 1);
  EXPECT_EQ(changed->proto.parameters(0).name(), "nj");
  const isl::set known(context_.ctx(), "[nj] -> { : 4 <= nj <= 100 }");
  EXPECT_TRUE(changed->context.is_equal(known));
  for (const ParsedStatement& statement : changed->statements)
    EXPECT_TRUE(statement.domain.params().is_subset(known));
}

TEST_F(AtValuesTest, AffineValuesLoseTheirParameters) {
  v1::Scop proto = testing::GemmScop();
  v1::Expression* const value = proto.mutable_statements(0)->mutable_value();
  value->Clear();
  v1::Operation* const sum = value->mutable_operation();
  sum->set_op("+");
  sum->add_operands()->set_affine("[ni] -> { S0[i, j] -> [(ni - i)] }");
  v1::Cast* const cast = sum->add_operands()->mutable_cast();
  cast->set_c_type("double");
  cast->mutable_operand()->set_affine("[ni] -> { S0[i, j] -> [(2ni)] }");
  const auto scop = ParseScop(context_, proto).value();
  const auto changed = StatementsAtValues(*scop, {{"ni", 9}});
  const std::vector<isl::pw_aff>& after = changed->statements[0].affine;
  ASSERT_EQ(after.size(), 2u);
  EXPECT_TRUE(Same(after[0], "{ S0[i, j] -> [(9 - i)] }"));
  EXPECT_TRUE(Same(after[1], "{ S0[i, j] -> [(18)] }"));
}

}  // namespace
}  // namespace tune
