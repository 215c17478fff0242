// Expansion over tests/programs: needs tune-extract.
#include "tests/common/testing/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/transform/index_split/index_split.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Analysis;
using testing::Values;

struct Program {
  std::string name;
  std::vector<std::string> small;  // sizes that the interpreter can run
  std::string expanded;       // arrays, depths and bytes at the sizes of the file, parameters 101, 103...
  std::string before, after;  // coincident members of outermost bands
};

std::ostream& operator<<(std::ostream& out, const Program& program) { return out << program.name; }

const std::vector<Program>& Programs() {
  static const auto* const programs = new std::vector<Program>{
      {"symm", {"M=6", "N=5"}, "sum 2 88000", "0/1 2/3", "2/3"},
      {"doitgen", {"NR=3", "NQ=4", "NP=5"}, "sum 2 168960", "0/1", "3/4 3/3"},
      {"ludcmp", {"N=7"}, "w 2 270408", "0/1 0/1 0/1", "2/2 2/2 0/1 1/1 0/1 1/1 0/1"},
      {"gramschmidt", {}, "norm 1 808", "2/2 0/1", "1/1 2/2 0/1"},
      {"durbin", {}, "sum 1 800", "0/1", "1/1 0/1"},
      {"adi",
       {"TSTEPS=2", "N=6"},
       "v 1 404480; p 1 798848; q 1 798848",
       "0/1",
       "2/2 2/3 2/3 2/2 0/1 2/2 2/2 1/1"},
      {"deriche",
       {"W=4", "H=5"},
       "ym1 1 2560; ym2 1 2560; xm1 1 1536; yp1 1 2560; yp2 1 2560; xp1 1 1536; xp2 1 1536; tm1 1 1024; "
       "tp1 1 1024; tp2 1 1024",
       "0/1 0/1 2/2 0/1 0/1 2/2",
       "1/2 1/2 2/2 1/2 1/2 2/2"},
      {"trmm", {"M=6", "N=5"}, "B 0 96000", "1/3 2/2", "2/2 2/3"},
      {"lu", {}, "", "0/1", "0/1"},
      {"cholesky", {}, "", "0/1", "0/1"},
      {"jacobi-1d", {}, "", "0/1", "0/1"},
      {"gemm", {"NI=3", "NJ=4", "NK=5"}, "", "2/3", "2/3"},
  };
  return *programs;
}

// The interpreter knows few functions: any others will do as well, as long as both scops have the same.
void ReplaceCalls(v1::Expression* expression) {
  if (expression->has_call() && expression->call().function() != "sqrt") {
    const v1::Call call = expression->call();
    v1::Operation* operation = expression->mutable_operation();
    operation->set_op(call.arguments_size() == 1 ? "-" : "*");
    *operation->mutable_operands() = call.arguments();
  }
  if (expression->has_call()) {
    for (v1::Expression& argument : *expression->mutable_call()->mutable_arguments()) ReplaceCalls(&argument);
  }
  if (expression->has_operation()) {
    for (v1::Expression& operand : *expression->mutable_operation()->mutable_operands())
      ReplaceCalls(&operand);
  }
  if (expression->has_cast()) ReplaceCalls(expression->mutable_cast()->mutable_operand());
}

v1::Scop Extract(const std::string& name, const std::vector<std::string>& macros) {
  std::vector<std::string> flags;
  for (const std::string& macro : macros) flags.insert(flags.end(), {"-D", macro});
  const auto extraction = testing::ExtractFile(testing::ProgramPath(name), flags);
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  if (!extraction.ok()) return {};
  EXPECT_EQ(extraction->scops_size(), 1);
  v1::Scop scop = extraction->scops(0);
  for (v1::Statement& statement : *scop.mutable_statements()) ReplaceCalls(statement.mutable_value());
  return scop;
}

class ExpandedProgramsTest : public ::testing::TestWithParam<Program> {};

TEST_P(ExpandedProgramsTest, KeepsResults) {
  const v1::Scop scop = Extract(GetParam().name, GetParam().small);
  testing::ExpectExpansionsKeepResults(scop, testing::ParameterValues(scop, 5));
}

TEST_P(ExpandedProgramsTest, GainsParallelLoops) {
  const v1::Scop scop = Extract(GetParam().name, {});
  const Values values = testing::ParameterValues(scop, 101);
  const auto before = Analysis::Make(WithParameterFacts(scop, values), values);
  ASSERT_TRUE(before.ok()) << before.status();
  const auto found = (*before)->Find();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(testing::Print(*found), GetParam().expanded);
  EXPECT_EQ(testing::ScheduledBands(**before), GetParam().before);
  const auto expanded = (*before)->Expand(*found);
  ASSERT_TRUE(expanded.ok()) << expanded.status();
  const auto after = Analysis::Make(*expanded, values);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(testing::ScheduledBands(**after), GetParam().after);
}

TEST(SplitProgramsTest, OnlyFloydWarshallIsSplit) {
  std::map<std::string, int> split;  // statements
  for (const std::string& name : testing::ProgramNames()) {
    SCOPED_TRACE(name);
    const v1::Scop scop = Extract(name, {});
    const Values values = testing::ParameterValues(scop, 101);
    const auto analysis = Analysis::Make(WithParameterFacts(scop, values), values);
    ASSERT_TRUE(analysis.ok()) << analysis.status();
    const auto pieces = SplitIndexSets((*analysis)->context, *(*analysis)->scop, (*analysis)->dependences);
    ASSERT_TRUE(pieces.ok()) << pieces.status();
    if (*pieces) split[name] = (*pieces)->statements_size();
  }
  EXPECT_EQ(split, (std::map<std::string, int>{{"floyd-warshall", 9}}));
}

INSTANTIATE_TEST_SUITE_P(All, ExpandedProgramsTest, ::testing::ValuesIn(Programs()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace tune
