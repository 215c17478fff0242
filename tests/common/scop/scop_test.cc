#include "common/scop/scop.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <functional>

#include "absl/strings/str_replace.h"
#include "common/isl/dimensions.h"
#include "common/scop/expression_parts.h"
#include "common/scop/parameter_bounds.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::AllOf;
using testing::GemmScop;
using ::testing::HasSubstr;

TEST(ParseScopTest, EverySampleParses) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    IslContext context;
    const auto scop = ParseScop(context, sample.make());
    EXPECT_TRUE(scop.ok()) << sample.name << ": " << scop.status();
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    IslContext context;
    const auto scop = ParseScop(context, testing::MakeRandomScop(seed));
    EXPECT_TRUE(scop.ok()) << "random " << seed << ": " << scop.status();
  }
}

TEST(ParseScopTest, GemmHasItsRelations) {
  IslContext context;
  const auto parsed = ParseScop(context, GemmScop());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const ParsedScop& scop = **parsed;
  ASSERT_EQ(scop.statements.size(), 2u);
  EXPECT_EQ(scop.statement("S1").accesses.size(), 4u);
  EXPECT_EQ(scop.array("A").extents_size(), 2);
  const auto map = [&](const char* text) { return isl::union_map(context.ctx(), text); };
  const isl::set some = ParameterValues(context, {{"ni", 3}, {"nj", 2}, {"nk", 2}});
  EXPECT_TRUE(scop.writes.intersect_params(some).is_equal(
      map("{ S0[i, j] -> C[i, j] : 0 <= i < 3 and 0 <= j < 2; S1[i, k, j] -> C[i, j] : 0 <= i < 3 and 0 <= "
          "k, j < 2 }")
          .intersect_params(some)));
  EXPECT_TRUE(scop.tagged_writes.domain().unwrap().range().universe().is_equal(
      isl::union_set(context.ctx(), "{ S0_ref1[]; S1_ref3[] }")))
      << IslText(scop.tagged_writes);
  EXPECT_TRUE(scop.reads.is_equal(scop.tagged_reads.domain_factor_domain()));
  EXPECT_TRUE(scop.kills.is_empty());
}

// hist[a[i]] += b[a[i]]
v1::Scop ScatterScop() {
  const v1::Expression place = testing::ToInteger(testing::Read(0));
  return testing::ScopBuilder("scatter", {"n"}, "n >= 1")
      .Array("hist", {"9"})
      .Array("a", {"n"})
      .Array("b", {"n"})
      .Begin("i", "0 <= i < n")
      .Update(v1::ADD, {"hist", "o", "0 <= o < 9"}, {{"a", "i"}, {"b", "o", "0 <= o < n"}},
              testing::UpdateOf(testing::ElementOf(1, {place}), {place}))
      .End()
      .Build();
}

TEST(ParseScopTest, AccessesThatDataDecideNameAllElements) {
  IslContext context;
  const auto parsed = ParseScop(context, ScatterScop());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const ParsedStatement& statement = (*parsed)->statement("S0");
  EXPECT_FALSE(statement.accesses[0].of_data);
  EXPECT_TRUE(statement.accesses[1].of_data);
  EXPECT_TRUE(statement.target().of_data);
  EXPECT_FALSE((*parsed)->writes.is_empty());
  EXPECT_TRUE((*parsed)->certain_writes.is_empty());
  EXPECT_THAT(PrintScop(ScatterScop()), HasSubstr("hist#2 += b#1[(int)a#0] at [(int)a#0]"));
}

TEST(ParseScopTest, SubscriptsOfDataFitTheirArrays) {
  using Damage = std::function<void(v1::Statement*)>;
  const std::vector<std::pair<Damage, std::string>> damages = {
      {[](v1::Statement* s) {
         const v1::Expression element = s->value().operation().operands(0);
         *s->mutable_value() = element;
       },
       "names several elements"},
      {[](v1::Statement* s) { *s->mutable_value()->mutable_operation()->add_operands() = testing::Read(0); },
       "access 2 has 1 subscripts"},
      {[](v1::Statement* s) {
         v1::Expression* value = s->mutable_value()->mutable_operation()->mutable_operands(0);
         *value = testing::Add(*value, testing::Read(1));
       },
       "stands with subscripts here"},
      {[](v1::Statement* s) {
         v1::Expression* element = s->mutable_value()->mutable_operation()->mutable_operands(0);
         element->mutable_operation()->mutable_operands(1)->set_c_type("double");
       },
       "no integer"},
      {[](v1::Statement* s) {
         v1::Expression* element = s->mutable_value()->mutable_operation()->mutable_operands(0);
         *element->mutable_operation()->mutable_operands(0) = testing::Literal("1");
       },
       "names several elements"},
      {[](v1::Statement* s) {
         v1::Expression inner = s->value();
         *s->mutable_value()->mutable_operation()->mutable_operands(0) = inner;
       },
       "no statement's target"}};
  for (const auto& [damage, message] : damages) {
    IslContext context;
    v1::Scop scop = ScatterScop();
    damage(scop.mutable_statements(0));
    const auto parsed = ParseScop(context, scop);
    ASSERT_FALSE(parsed.ok()) << message;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(message));
  }
}

TEST(ParseScopTest, SumsAloneHaveManyOperands) {
  for (const char* op : {"+", "*"}) {
    IslContext context;
    v1::Scop scop = testing::TriangularScop();
    v1::Expression value = testing::Literal("1.0");
    value = MakeOperation("double", op, {value, value, value, value});
    *scop.mutable_statements(0)->mutable_value() = value;
    const auto parsed = ParseScop(context, scop);
    EXPECT_EQ(parsed.ok(), *op == '+') << parsed.status();
    EXPECT_THAT(PrintScop(scop), HasSubstr(absl::StrCat("(1.0 ", op, " 1.0 ", op, " 1.0 ", op, " 1.0)")));
  }
}

TEST(ParseScopTest, KillsCoverWhatIsAccessed) {
  IslContext context;
  const auto parsed = ParseScop(context, testing::LocalArrayScop());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const isl::set some = ParameterValues(context, {{"n", 2}, {"m", 3}});
  EXPECT_TRUE((*parsed)->kills.intersect_params(some).is_equal(
      isl::union_map(context.ctx(), "{ S0[i] -> row[j] : 0 <= i < 2 and 0 <= j < 3 }")
          .intersect_params(some)))
      << IslText((*parsed)->kills);
}

struct BadScop {
  std::string name;
  std::function<void(v1::Scop&)> damage;
  std::vector<std::string> message;  // parts of it
};

TEST(ParseScopTest, DamageIsRefusedWithStatementAndField) {
  const std::vector<BadScop> damages = {
      {"no statements", [](v1::Scop& s) { s.clear_statements(); }, {"statements"}},
      {"context syntax",
       [](v1::Scop& s) { s.set_context("[ni] -> { : ni >"); },
       {"context", "isl's notation"}},
      {"context missing", [](v1::Scop& s) { s.clear_context(); }, {"context", "missing"}},
      {"context not parameters",
       [](v1::Scop& s) { s.set_context("{ A[i] }"); },
       {"context", "parameters only"}},
      {"context empty", [](v1::Scop& s) { s.set_context("[ni] -> { : 1 = 0 }"); }, {"context"}},
      {"unknown parameter", [](v1::Scop& s) { s.set_context("[q] -> { : q > 0 }"); }, {"context", "\"q\""}},
      {"parameter twice",
       [](v1::Scop& s) { *s.add_parameters() = s.parameters(0); },
       {"parameter \"ni\"", "twice"}},
      {"parameter name", [](v1::Scop& s) { s.mutable_parameters(0)->set_name("a b"); }, {"identifier"}},
      {"parameter type",
       [](v1::Scop& s) { s.mutable_parameters(0)->set_c_type("int x; int"); },
       {"parameter \"ni\"", "type"}},
      {"extent with a call",
       [](v1::Scop& s) { s.mutable_arrays(2)->mutable_extents(0)->set_c_expression("system(0)"); },
       {"array \"C\", extent 0", "a call"}},
      {"function of the region",
       [](v1::Scop& s) { s.mutable_region()->set_function("f(){} int g"); },
       {"region", "identifier"}},
      {"meaning",
       [](v1::Scop& s) {
         v1::Meaning* const meaning = s.add_meanings();
         meaning->set_kind(v1::Meaning::CONSTANT);
         meaning->set_text("n");
         meaning->set_value("1; exit(1)");
       },
       {"meanings", "no constant"}},
      {"literal",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_value()->set_literal("1; system(\"x\")"); },
       {"S1, value", "no C constant"}},
      {"function",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_value()->mutable_call()->set_function("system"); },
       {"S1, value", "no function"}},
      {"type of a cast",
       [](v1::Scop& s) {
         s.mutable_statements(1)->mutable_value()->mutable_cast()->set_c_type("int)system(");
       },
       {"S1, value", "no type"}},
      {"array name taken", [](v1::Scop& s) { s.mutable_arrays(2)->set_name("A"); }, {"array \"A\""}},
      {"array type", [](v1::Scop& s) { s.mutable_arrays(2)->clear_element_type(); }, {"array \"C\"", "type"}},
      {"extent",
       [](v1::Scop& s) { s.mutable_arrays(2)->mutable_extents(1)->Clear(); },
       {"array \"C\", extent 1"}},
      {"extent text",
       [](v1::Scop& s) { s.mutable_arrays(2)->mutable_extents(0)->set_accessed("n +"); },
       {"array \"C\", extent 0"}},
      {"extent depends on iterator",
       [](v1::Scop& s) { s.mutable_arrays(2)->mutable_extents(0)->set_accessed("{ S0[i] -> [(i)] }"); },
       {"array \"C\", extent 0", "parameters only"}},
      {"statement name", [](v1::Scop& s) { s.mutable_statements(1)->set_name("T"); }, {"statement 1", "S1"}},
      {"statement kind", [](v1::Scop& s) { s.mutable_statements(1)->clear_kind(); }, {"statement S1, kind"}},
      {"domain syntax",
       [](v1::Scop& s) { s.mutable_statements(1)->set_domain("{ S1[i, j }"); },
       {"S1, domain"}},
      {"domain tuple",
       [](v1::Scop& s) { s.mutable_statements(1)->set_domain("{ S0[i, k, j] }"); },
       {"S1, domain"}},
      {"iterators",
       [](v1::Scop& s) { s.mutable_statements(1)->add_iterators("q"); },
       {"S1, domain", "4 dimensions"}},
      {"unknown array",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_accesses(1)->set_array("Q"); },
       {"S1, access 1", "\"Q\""}},
      {"other array in relation",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_accesses(1)->set_array("B"); },
       {"S1, access 1", "must map to B"}},
      {"relation syntax",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_accesses(2)->set_relation("nonsense"); },
       {"S1, access 2"}},
      {"subscripts",
       [](v1::Scop& s) {
         s.mutable_statements(1)->mutable_accesses(1)->set_relation("{ S1[i, k, j] -> A[i] }");
       },
       {"S1, access 1", "2 subscripts"}},
      {"several elements",
       [](v1::Scop& s) {
         s.mutable_statements(1)->mutable_accesses(1)->set_relation(
             "{ S1[i, k, j] -> A[i, x] : 0 <= x <= k }");
       },
       {"S1, access 1", "several elements"}},
      {"partial",
       [](v1::Scop& s) {
         s.mutable_statements(1)->mutable_accesses(1)->set_relation("{ S1[i, k, j] -> A[i, k] : i > 0 }");
       },
       {"S1, access 1", "every instance"}},
      {"access kind",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_accesses(1)->set_kind(v1::Access::WRITE); },
       {"S1, access 1", "read-only"}},
      {"target kind",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_accesses(3)->set_kind(v1::Access::WRITE); },
       {"S1, access 3", "UPDATE"}},
      {"target", [](v1::Scop& s) { s.mutable_statements(0)->set_target(7); }, {"S0, target"}},
      {"value", [](v1::Scop& s) { s.mutable_statements(0)->clear_value(); }, {"S0, value"}},
      {"value access",
       [](v1::Scop& s) { s.mutable_statements(0)->mutable_value()->set_access(9); },
       {"S0, value", "9"}},
      {"value reads target",
       [](v1::Scop& s) { s.mutable_statements(0)->mutable_value()->set_access(1); },
       {"S0, value", "not a read"}},
      {"operator",
       [](v1::Scop& s) { s.mutable_statements(1)->mutable_value()->mutable_operation()->set_op("="); },
       {"S1, value", "operator"}},
      {"operands",
       [](v1::Scop& s) {
         s.mutable_statements(1)->mutable_value()->mutable_operation()->mutable_operands()->RemoveLast();
       },
       {"S1, value", "1 operands"}},
      {"affine",
       [](v1::Scop& s) { s.mutable_statements(0)->mutable_value()->set_affine("{ S0[i] -> [(i)] }"); },
       {"S0, value"}},
      {"deep value",
       [](v1::Scop& s) {
         v1::Expression value = testing::Read(0);
         for (int i = 0; i < 300; ++i) value = testing::Negate(value);
         *s.mutable_statements(0)->mutable_value() = value;
       },
       {"S0, value", "deeper"}},
      {"deep text",
       [](v1::Scop& s) { s.set_context("[ni] -> { : " + std::string(1000, '(') + "ni > 0"); },
       {"context", "brackets within each other"}},
      {"long text", [](v1::Scop& s) { s.set_context(std::string(2 << 20, ' ')); }, {"context", "longer"}},
      {"schedule missing", [](v1::Scop& s) { s.clear_schedule(); }, {"schedule", "missing"}},
      {"schedule syntax", [](v1::Scop& s) { s.set_schedule("{ domain: \"{ S0[i] "); }, {"schedule"}},
      {"schedule domain",
       [](v1::Scop& s) { s.set_schedule("{ domain: \"{ S0[i, j] }\" }"); },
       {"schedule", "domain"}},
      {"schedule not total",
       [](v1::Scop& s) {
         s.set_schedule(absl::StrReplaceAll(s.schedule(), {{"[(k)]", "[(0)]"}}));
       },
       {"schedule", "same time"}}};
  for (const BadScop& bad : damages) {
    SCOPED_TRACE(bad.name);
    v1::Scop proto = GemmScop();
    bad.damage(proto);
    IslContext context;
    const auto scop = ParseScop(context, proto);
    ASSERT_TRUE(absl::IsInvalidArgument(scop.status())) << scop.status();
    for (const std::string& part : bad.message) {
      EXPECT_THAT(std::string(scop.status().message()), HasSubstr(part));
    }
  }
}

TEST(ParameterFactsTest, AddsLowerBoundsAndKeepsTheRest) {
  IslContext context;
  const v1::Scop scop = WithParameterFacts(GemmScop(), {{"ni", 100}, {"nj", 2}, {"nk", 0}});
  const isl::set expected(context.ctx(), "[ni, nj, nk] -> { : ni >= 4 and nj >= 2 and nk = 0 }");
  EXPECT_TRUE(isl::set(context.ctx(), scop.context()).is_equal(expected)) << scop.context();
  v1::Scop rest = scop;
  rest.set_context(GemmScop().context());
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(rest, GemmScop()));
}

TEST(ParameterFactsTest, UnknownParametersStayFreeAndOthersAreIgnored) {
  IslContext context;
  const v1::Scop scop = WithParameterFacts(GemmScop(), {{"ni", 100}, {"other", 5}});
  const isl::set expected(context.ctx(), "[ni, nj, nk] -> { : ni >= 4 and nj >= 0 and nk >= 0 }");
  EXPECT_TRUE(isl::set(context.ctx(), scop.context()).is_equal(expected)) << scop.context();
}

TEST(ParameterFactsTest, UnknownParametersAreLargeUnlessTheContextDemandsAValue) {
  IslContext context;
  v1::Scop scop = GemmScop();
  scop.set_context("[ni, nj, nk] -> { : ni = 2 and nj >= 0 and nk >= 0 }");
  const v1::Scop large = WithLargeParameters(scop, /*count=*/2);
  EXPECT_TRUE(isl::set(context.ctx(), large.context())
                  .is_equal(isl::set(context.ctx(), "[ni, nj, nk] -> { : ni = 2 and nj >= 4 and nk >= 0 }")))
      << large.context();
  const v1::Scop bounded = WithParametersUpTo(large, 100);
  const isl::set expected(context.ctx(),
                          "[ni, nj, nk] -> { : ni = 2 and 4 <= nj <= 100 and 0 <= nk <= 100 }");
  EXPECT_TRUE(isl::set(context.ctx(), bounded.context()).is_equal(expected)) << bounded.context();
}

TEST(ParameterFactsTest, ParametersThatAreMultiples) {
  IslContext context;
  const v1::Scop scop = WithMultiples(GemmScop(), {{"nj", 4}, {"nk", 2}});
  const isl::set expected(context.ctx(),
                          "[ni, nj, nk] -> { : ni, nj, nk >= 0 and nj mod 4 = 0 and nk mod 2 = 0 }");
  EXPECT_TRUE(isl::set(context.ctx(), scop.context()).is_equal(expected)) << scop.context();
}

TEST(ParameterFactsTest, ValuesAsASet) {
  IslContext context;
  EXPECT_TRUE(ParameterValues(context, {{"n", 100}, {"m", -7}})
                  .is_equal(isl::set(context.ctx(), "[n, m] -> { : n = 100 and m = -7 }")));
  EXPECT_TRUE(ParameterValues(context, {}).is_equal(isl::set(context.ctx(), "{ : }")));
}

TEST(ParameterFactsTest, NamesAreNoNotation) {
  constexpr char kName[] = "n] -> { : n = 1; : 2 > 1 }";
  IslContext context;
  const isl::set values = ParameterValues(context, {{kName, 5}});
  EXPECT_EQ(Dimensions(values, isl_dim_param), 1);
  EXPECT_EQ(DimensionName(values, isl_dim_param, 0), kName);
  v1::Scop scop = GemmScop();
  scop.mutable_parameters(0)->set_name(kName);
  const v1::Scop with_facts = WithParameterFacts(scop, {{kName, 5}});
  EXPECT_TRUE(absl::IsInvalidArgument(ParseScop(context, with_facts).status()));
}

TEST(ParameterFactsTest, ContextAllowsValues) {
  EXPECT_TRUE(ContextAllows(GemmScop(), {{"ni", 3}}).value());
  EXPECT_FALSE(ContextAllows(GemmScop(), {{"ni", 3}, {"nj", -1}}).value());
  v1::Scop scop = GemmScop();
  scop.set_context("{ : 1 ^ 2 }");
  EXPECT_TRUE(absl::IsInvalidArgument(ContextAllows(scop, {}).status()));
}

// Gemm with everything renamed that a user may rename.
v1::Scop RenamedGemm() {
  const v1::Expression product =
      testing::Multiply(testing::Multiply(testing::Read(0), testing::Read(1)), testing::Read(2));
  v1::Scop scop =
      testing::ScopBuilder("other", {"rows", "columns", "depth"}, "rows >= 0 and columns >= 0 and depth >= 0")
          .Array("f", {})
          .Array("g", {})
          .Array("Z", {"rows", "columns"})
          .Array("X", {"rows", "depth"})
          .Array("Y", {" depth", "columns "})
          .Begin("a", "0 <= a < rows")
          .Begin("c", "0 <= c < columns")
          .Update(v1::MULTIPLY, {"Z", "a, c"}, {{"g", ""}}, testing::Read(0))
          .End()
          .Begin("b", "0 <= b < depth")
          .Begin("c", "0 <= c < columns")
          .Update(v1::ADD, {"Z", "a, c"}, {{"f", ""}, {"X", "a, b"}, {"Y", "b, c"}}, product)
          .End()
          .End()
          .End()
          .Build();
  scop.mutable_region()->set_file("elsewhere.c");
  for (v1::Statement& statement : *scop.mutable_statements()) statement.set_line(statement.line() + 40);
  return scop;
}

// Each of them rounds, so that none has any order.
TEST(ParseScopTest, RefusesUpdatesOfFloat16) {
  for (const std::string name : {"A", "C"}) {
    v1::Scop scop = GemmScop();
    for (v1::Array& array : *scop.mutable_arrays()) {
      if (array.name() == name) array.set_element_type(v1::ELEMENT_TYPE_FLOAT16);
    }
    IslContext context;
    const absl::Status status = ParseScop(context, scop).status();
    EXPECT_EQ(status.ok(), name == "A") << status;
    EXPECT_THAT(status.ok() ? "of _Float16" : std::string(status.message()), HasSubstr("of _Float16"));
  }
}

TEST(ParseScopTest, RefusesExtremaOfComplexNumbers) {
  for (const v1::UpdateOperator update : {v1::ADD, v1::MULTIPLY, v1::MIN, v1::MAX}) {
    v1::Scop scop = GemmScop();
    for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_COMPLEX_FLOAT);
    for (v1::Statement& statement : *scop.mutable_statements())
      if (statement.update() != v1::NONE) statement.set_update(update);
    IslContext context;
    const absl::Status status = ParseScop(context, scop).status();
    EXPECT_EQ(status.ok(), update == v1::ADD || update == v1::MULTIPLY) << status;
    EXPECT_THAT(status.ok() ? "complex numbers" : std::string(status.message()),
                HasSubstr("complex numbers"));
  }
}

TEST(ScopFingerprintTest, IgnoresNamesAndPlace) {
  EXPECT_EQ(ScopFingerprint(RenamedGemm()), ScopFingerprint(GemmScop()));
}

TEST(ScopFingerprintTest, DiffersForDifferentComputations) {
  std::map<std::string, std::string> seen;
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    const std::string fingerprint = ScopFingerprint(sample.make());
    EXPECT_EQ(fingerprint, ScopFingerprint(sample.make()));
    EXPECT_TRUE(seen.emplace(fingerprint, sample.name).second) << sample.name << " = " << seen[fingerprint];
  }
  const std::string gemm = ScopFingerprint(GemmScop());
  const std::vector<std::function<void(v1::Scop&)>> changes = {
      [](v1::Scop& s) { s.set_context("[ni, nj, nk] -> { : ni >= 0 and nj >= 0 and nk >= 1 }"); },
      [](v1::Scop& s) { s.mutable_parameters(0)->set_c_type("long"); },
      [](v1::Scop& s) { s.mutable_arrays(2)->set_element_type(v1::ELEMENT_TYPE_FLOAT); },
      [](v1::Scop& s) { s.mutable_arrays(2)->mutable_extents(0)->set_c_expression("ni + 1"); },
      [](v1::Scop& s) { s.mutable_statements(0)->set_update(v1::ADD); },
      [](v1::Scop& s) { *s.mutable_statements(0)->mutable_value() = testing::Literal("2.0"); },
      [](v1::Scop& s) {
        s.mutable_statements(1)->mutable_accesses(1)->set_relation(
            "[ni, nj, nk] -> { S1[i, k, j] -> A[k, i] }");
      },
      [](v1::Scop& s) { s.mutable_statements(1)->mutable_value()->mutable_operation()->set_op("/"); },
      [](v1::Scop& s) {
        s.set_schedule(absl::StrReplaceAll(
            s.schedule(), {{"[(k)]", "[(j)]"}, {"S1[i, k, j] -> [(j)]", "S1[i, k, j] -> [(k)]"}}));
      }};
  for (size_t i = 0; i < changes.size(); ++i) {
    v1::Scop changed = GemmScop();
    changes[i](changed);
    EXPECT_NE(ScopFingerprint(changed), gemm) << "change " << i;
  }
}

TEST(ScopFingerprintTest, AcceptsWhatDoesNotParse) {
  v1::Scop broken = GemmScop();
  broken.set_context("nonsense");
  const std::string fingerprint = ScopFingerprint(broken);
  EXPECT_EQ(fingerprint.size(), 32u);
  broken.mutable_region()->set_begin_line(5);
  EXPECT_EQ(ScopFingerprint(broken), fingerprint);
}

TEST(PrintScopTest, ShowsEverything) {
  EXPECT_THAT(PrintScop(GemmScop()),
              AllOf(HasSubstr("scop gemm"), HasSubstr("  int ni\n"), HasSubstr("  double C[ni][nj]\n"),
                    HasSubstr("double A[ni][nk], read-only"), HasSubstr("S0 (line 1): C#1 *= beta#0"),
                    HasSubstr("S1 (line 2): C#3 += ((alpha#0 * A#1) * B#2)"), HasSubstr("update #3"),
                    HasSubstr("- filter:")));
  EXPECT_THAT(PrintScop(testing::LocalKillScop()),
              AllOf(HasSubstr("double t, local"), HasSubstr("declares t")));
}

}  // namespace
}  // namespace tune
