#include "worker/codegen/openmp_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/tuple_name.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/print/region_function.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string PrintOriginal(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto block = PrintOpenMpBlock(context, parsed->schedule, *parsed, values);
  EXPECT_TRUE(block.ok()) << block.status();
  return block.value_or("");
}

TEST(OpenMpPrinter, PrintsTheOriginalProgramInItsOwnNames) {
  const std::string text = PrintOriginal(testing::GemmScop(), {{"ni", 1000}, {"nj", 1100}, {"nk", 1200}});
  EXPECT_EQ(text, R"({
  for (int tune_c0 = 0; tune_c0 <= 999; tune_c0 += 1) {
    for (int tune_c1 = 0; tune_c1 <= 1099; tune_c1 += 1) {
      C[tune_c0][tune_c1] *= beta;
    }
    for (int tune_c1 = 0; tune_c1 <= 1199; tune_c1 += 1) {
      for (int tune_c2 = 0; tune_c2 <= 1099; tune_c2 += 1) {
        C[tune_c0][tune_c2] += alpha * A[tune_c0][tune_c1] * B[tune_c1][tune_c2];
      }
    }
  }
}
)");
}

TEST(OpenMpPrinter, PrintsNothingForKillsAndDeclaresLocals) {
  const std::string text = PrintOriginal(testing::LocalArrayScop(), {{"n", 3}, {"m", 7}});
  EXPECT_THAT(text, HasSubstr("double row[7];"));
  EXPECT_THAT(text, Not(HasSubstr("S0")));
}

// As C does it: pow(double, float) is ambiguous where the text is compiled as C++.
TEST(OpenMpPrinter, ArgumentsHaveTheTypesOfTheFunction) {
  v1::Scop scop = testing::GemmScop();
  for (v1::Statement& statement : *scop.mutable_statements()) {
    v1::Expression operand = statement.value();
    operand.set_c_type("float");
    statement.mutable_value()->set_c_type("double");
    v1::Call* call = statement.mutable_value()->mutable_call();
    call->set_function("pow");
    v1::Expression* base = call->add_arguments();
    base->set_literal("2.0");
    base->set_c_type("double");
    *call->add_arguments() = operand;
  }
  const std::map<std::string, int64_t> values = {{"ni", 10}, {"nj", 11}, {"nk", 12}};
  EXPECT_THAT(PrintOriginal(scop, values), HasSubstr(" *= pow(2.0, (double)beta);"));
  for (v1::Statement& statement : *scop.mutable_statements())
    statement.mutable_value()->mutable_call()->mutable_arguments(0)->set_c_type("float");
  EXPECT_THAT(PrintOriginal(scop, values), HasSubstr(" *= pow((double)2.0, (double)beta);"));
  for (v1::Statement& statement : *scop.mutable_statements())
    statement.mutable_value()->mutable_call()->set_function("powf");
  EXPECT_THAT(PrintOriginal(scop, values), HasSubstr(" *= powf(2.0, beta);"));
}

// if (c[i]) x[i] += c[i]; in a loop around j, where x is a pointer, or a declared array; and where the region
// sets x[i] before.
std::string GuardedText(bool is_pointer, bool sets) {
  testing::ScopBuilder builder("guarded", {"n"}, "n >= 1");
  builder.Array("x", {"n"}).Array("c", {"n"}).Begin("i", "0 <= i < n");
  if (sets) builder.Assign({"x", "i"}, {}, testing::Literal("1"));
  v1::Scop scop = builder.Begin("j", "0 <= j < 9")
                      .Update(v1::ADD, {"x", "i"}, {{"c", "i"}},
                              testing::Operation("?:", {testing::Read(0), testing::Read(0),
                                                        testing::Negate(testing::Literal("0.0"))}))
                      .End()
                      .End()
                      .Build();
  scop.mutable_arrays(0)->set_is_pointer(is_pointer);
  return PrintOriginal(scop, {{"n", 8}});
}

TEST(OpenMpPrinter, TargetsThatMayNotBeThereAreLeftAlone) {
  const std::string text = GuardedText(/*is_pointer=*/true, /*sets=*/false);
  EXPECT_THAT(text, HasSubstr("if (c[tune_c0]) x[tune_c0] += c[tune_c0];"));
  EXPECT_THAT(text, Not(HasSubstr("= x[")));  // nor kept in a variable
  EXPECT_THAT(GuardedText(/*is_pointer=*/true, /*sets=*/true),
              HasSubstr("+= c[tune_c0] ? c[tune_c0] : -0.0;"));
  EXPECT_THAT(GuardedText(/*is_pointer=*/false, /*sets=*/false), HasSubstr("= x[tune_c0];"));
}

TEST(OpenMpPrinter, OriginalProgramsAgreeWithTheInterpreter) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const v1::Scop scop = sample.make();
    const v1::Reference reference = testing::MakeReference(scop, sample.small);
    const std::string code = PrintOriginal(scop, sample.small);
    SCOPED_TRACE(code);
    const auto function = PrintRegionFunction(scop, reference, code);
    ASSERT_TRUE(function.ok()) << function.status();
    const auto library = testing::RegionLibrary::Compile({*function});
    ASSERT_TRUE(library.ok()) << library.status();
    testing::Memory expected = testing::MakeInputs(scop, reference, 7);
    testing::Memory found = expected;
    ASSERT_EQ(testing::Interpret(scop, reference, expected), absl::OkStatus());
    library->Run(0, scop, found);
    EXPECT_TRUE(found == expected);
    EXPECT_EQ(testing::CheckWithClang({*function}), absl::OkStatus());
  }
}

// One statement A[i] = value over 0 <= i < n, with the given element type.
v1::Scop OneStatement(const v1::Expression& value, v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE) {
  v1::Scop scop = testing::ScopBuilder("one", {"n"}, "n >= 0")
                      .Array("A", {"n"})
                      .Array("x", {"n"})
                      .Begin("i", "0 <= i < n")
                      .Assign({"A", "i"}, {{"x", "i"}}, value)
                      .End()
                      .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(type);
  return scop;
}

v1::Expression Affine(const std::string& text, const std::string& type) {
  v1::Expression expression;
  expression.set_affine(absl::StrCat("[n] -> { S0[i] -> [(", text, ")] }"));
  expression.set_c_type(type);
  return expression;
}

v1::Expression Cast(const std::string& type, const v1::Expression& operand) {
  v1::Expression expression;
  expression.mutable_cast()->set_c_type(type);
  *expression.mutable_cast()->mutable_operand() = operand;
  expression.set_c_type(type);
  return expression;
}

// Statement text of OneStatement(value) at n = 10.
std::string PrintValue(const v1::Expression& value) {
  const std::string text = PrintOriginal(OneStatement(value), {{"n", 10}});
  const size_t begin = text.find("A[tune_c0] = ") + 13;
  return text.substr(begin, text.find(';', begin) - begin);
}

TEST(OpenMpPrinter, KeepsCTypesOfIntegerValues) {
  using testing::Divide, testing::Literal, testing::Multiply, testing::Read;
  EXPECT_EQ(PrintValue(Affine("i + n", "int")), "tune_c0 + 10");
  EXPECT_EQ(PrintValue(Divide(Affine("i", "int"), Literal("2", "int"))), "tune_c0 / 2");
  EXPECT_EQ(PrintValue(Divide(Cast("double", Affine("i", "int")), Affine("n", "int"))),
            "(double)tune_c0 / 10");
  EXPECT_EQ(PrintValue(Affine("n", "unsigned int")), "10U");
  EXPECT_EQ(PrintValue(Affine("i - 1", "long")), "(long)(tune_c0 - 1)");
  EXPECT_EQ(PrintValue(Multiply(Literal("1.0f", "float"), Read(0))), "1.0f * x[tune_c0]");
  EXPECT_EQ(PrintValue(testing::Negate(testing::Negate(Literal("1.5")))), "-(-1.5)");
}

TEST(OpenMpPrinter, TypedStatementsAgreeWithTheInterpreter) {
  using testing::Add, testing::Divide, testing::Literal, testing::Multiply, testing::Negate,
      testing::Operation, testing::Read, testing::Subtract;
  const v1::Expression i = Affine("i", "int"), x = Read(0), two = Literal("2.0"), three = Literal("3", "int");
  const std::vector<std::pair<v1::Expression, v1::ElementType>> cases = {
      {Subtract(x, Subtract(two, Divide(x, two))), v1::ELEMENT_TYPE_DOUBLE},
      {Add(Divide(i, three), Multiply(Negate(x), Cast("double", Divide(i, three)))), v1::ELEMENT_TYPE_DOUBLE},
      {Cast("float", Multiply(Literal("0.1"), x)), v1::ELEMENT_TYPE_FLOAT},
      {Multiply(Literal("0.1f", "float"), Read(0, "float")), v1::ELEMENT_TYPE_FLOAT},
      {Operation("%", {Add(Read(0, "int"), Multiply(i, i)), Literal("7", "int")}), v1::ELEMENT_TYPE_INT},
      {Operation("|", {Operation("<<", {Read(0, "int"), Add(i, three)}), Operation("&", {i, three})}),
       v1::ELEMENT_TYPE_INT},
      {Operation("^", {Add(i, i), Operation("~", {Read(0, "int")})}), v1::ELEMENT_TYPE_LONG},
      {Operation("?:", {Operation("&&", {Operation("<", {i, three}),
                                         Operation("!", {Operation("==", {i, three})})}),
                        x, Operation("?:", {Operation(">", {x, two}), two, Negate(x)})}),
       v1::ELEMENT_TYPE_DOUBLE},
      {Add(Multiply(Literal("100", "int"), Read(0, "int")), i), v1::ELEMENT_TYPE_UNSIGNED_CHAR},
      {Subtract(Read(0, "int"), Affine("3 * n - i", "int")), v1::ELEMENT_TYPE_SHORT},
      {testing::Call("sqrt", {testing::Call("fabs", {Negate(x)})}), v1::ELEMENT_TYPE_DOUBLE},
  };
  for (const auto& [value, type] : cases) {
    for (const v1::UpdateOperator update : {v1::NONE, v1::ADD, v1::MULTIPLY, v1::MIN, v1::MAX}) {
      v1::Scop scop = OneStatement(value, type);
      scop.mutable_statements(0)->set_update(update);
      if (update != v1::NONE) scop.mutable_statements(0)->mutable_accesses(1)->set_kind(v1::Access::UPDATE);
      const v1::Reference reference = testing::MakeReference(scop, {{"n", 10}});
      const std::string function =
          PrintRegionFunction(scop, reference, PrintOriginal(scop, {{"n", 10}})).value();
      SCOPED_TRACE(function);
      const auto library = testing::RegionLibrary::Compile({function});
      ASSERT_TRUE(library.ok()) << library.status();
      testing::Memory expected = testing::MakeInputs(scop, reference, 3);
      testing::Memory found = expected;
      ASSERT_EQ(testing::Interpret(scop, reference, expected), absl::OkStatus());
      library->Run(0, scop, found);
      EXPECT_TRUE(found == expected);
    }
  }
}

TEST(OpenMpPrinter, WidensIteratorsThatDoNotFit) {
  const std::string text = PrintOriginal(OneStatement(testing::Read(0)), {{"n", 5'000'000'000}});
  EXPECT_THAT(text, HasSubstr("for (long tune_c0 = 0; tune_c0 <= 4999999999; tune_c0 += 1)"));
  EXPECT_THAT(PrintOriginal(OneStatement(Affine("1000000000 * i", "long")), {{"n", 10}}),
              HasSubstr("= 1000000000 * tune_c0;"));
  // The quotient fits, what is divided does not.
  EXPECT_THAT(PrintOriginal(OneStatement(Affine("floor((300000000 * i) / 7)", "int")), {{"n", 10}}),
              HasSubstr("for (long tune_c0"));
}

TEST(OpenMpPrinter, AvoidsTheUsersNames) {
  const v1::Scop scop = testing::ScopBuilder("one", {"tune_n"}, "tune_n >= 0")
                            .Array("A", {"tune_n"})
                            .Begin("i", "0 <= i < tune_n")
                            .Assign({"A", "i"}, {}, testing::Literal("1.0"))
                            .End()
                            .Build();
  EXPECT_THAT(PrintOriginal(scop, {{"tune_n", 9}}), HasSubstr("A[tune__c0] = 1.0;"));
}

TEST(OpenMpPrinter, PrintsLoopMarks) {
  IslContext context;
  const auto parsed = ParseScop(context, OneStatement(testing::Read(0))).value();
  const auto print = [&](const std::string& mark) {
    const auto id = [&](const char* name) { return NamedId(context.ctx(), name); };
    isl::schedule_node node = parsed->schedule.root().child(0);
    node = node.child(0).insert_mark(id("loop end")).parent().insert_mark(id(mark.c_str()));
    return PrintOpenMpBlock(context, node.schedule(), *parsed, {{"n", 10}}).value();
  };
  EXPECT_THAT(print("loop: parallel"),
              StartsWith("{\n#ifdef _OPENMP\n#pragma omp parallel for schedule(static)\n#endif\n  for"));
  EXPECT_THAT(
      print("loop: parallel 4"),
      StartsWith(
          "{\n#ifdef _OPENMP\n  extern int tune_threads_max(void) __asm__(\"omp_get_max_threads\");\n"
          "  const int tune_threads = tune_threads_max();\n#endif\n"
          "#ifdef _OPENMP\n"
          "#pragma omp parallel for num_threads(tune_threads < 4 ? tune_threads : 4) schedule(static)\n"
          "#endif\n  for"));
  EXPECT_THAT(print("loop: parallel 4, simd"), HasSubstr("#pragma omp parallel for simd num_threads(tune_"));
  EXPECT_THAT(print("loop: simd"), HasSubstr("#ifdef _OPENMP\n#pragma omp simd\n#endif\n  for"));
  EXPECT_THAT(print("loop: unroll 4"), HasSubstr("{\n#pragma GCC unroll 4\n  for"));
  EXPECT_THAT(print("loop: simd, unroll 2"),
              HasSubstr("#pragma GCC ivdep\n#pragma GCC unroll 2\n#endif\n  for"));
}

// The user's file may include omp.h or not, and be read with warnings that name redundant declarations.
TEST(OpenMpPrinter, ThreadsAreCountedBesideOmpHeader) {
  const v1::Scop scop = OneStatement(testing::Read(0));
  const v1::Reference reference = testing::MakeReference(scop, {{"n", 10}});
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  isl::schedule_node node = parsed->schedule.root().child(0).child(0);
  const auto id = [&](const char* name) { return NamedId(context.ctx(), name); };
  node = node.insert_mark(id("loop end")).parent().insert_mark(id("loop: parallel 4"));
  const std::string code = PrintOpenMpBlock(context, node.schedule(), *parsed, {{"n", 10}}).value();
  const std::string function = PrintRegionFunction(scop, reference, code).value();
  for (const char* flags : {"-fopenmp -Wextra -Wpedantic -Wredundant-decls",
                            "-fopenmp -Wredundant-decls -include omp.h", "-Wextra"}) {
    const auto library = testing::RegionLibrary::Compile({function}, flags);
    EXPECT_TRUE(library.ok()) << library.status();
  }
  EXPECT_EQ(testing::CheckWithClang({function}), absl::OkStatus());
  EXPECT_EQ(testing::CheckWithClang({"#include <omp.h>\n" + function}), absl::OkStatus());
}

// An iterator of one value has no loop; that of the next loop has the same name.
TEST(OpenMpPrinter, IteratorsOfOneNameAreNotMixedUp) {
  const v1::Scop scop = testing::ScopBuilder("f", {"n"}, "n >= 0")
                            .Array("A", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"A", "i"}, {}, testing::Literal("1"))
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Assign({"A", "i"}, {}, testing::Literal("2"))
                            .End()
                            .Build();
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const isl::schedule schedule(
      context.ctx(),
      "{ domain: \"[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }\", child: { sequence: [ "
      "{ filter: \"{ S0[i] }\", child: { schedule: \"[{ S0[i] -> [(i)] }]\", child: "
      "{ schedule: \"[{ S0[i] -> [(1 + i)] }]\" } } }, "
      "{ filter: \"{ S1[i] }\", child: { schedule: \"[{ S1[i] -> [(4*floor((i)/4))] }]\", child: "
      "{ schedule: \"[{ S1[i] -> [(i)] }]\" } } } ] } }");
  const std::string code = PrintOpenMpBlock(context, schedule, *parsed, {{"n", 10}}).value();
  EXPECT_THAT(code, HasSubstr("A[tune_c0] = 1;"));
  EXPECT_THAT(code, HasSubstr("A[tune_c1] = 2;"));
}

TEST(OpenMpPrinter, PrintsAnEmptyBlockForNoInstances) {
  EXPECT_EQ(PrintOriginal(OneStatement(testing::Read(0)), {{"n", 0}}), "{\n}\n");
}

}  // namespace
}  // namespace tune
