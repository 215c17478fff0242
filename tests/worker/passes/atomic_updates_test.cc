#include "worker/passes/atomic_updates.h"

#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"
#include "worker/print/openmp_printer.h"

namespace tune {
namespace {

using testing::Literal;
using testing::Read;

// hist[a[i]] `update`= 3, all integers; `guarded`: if (a[i]).
v1::Scop HistogramScop(v1::UpdateOperator update, bool guarded) {
  const v1::Expression three = Literal("3", "int");
  const v1::Expression value =
      guarded ? testing::Operation("?:", {Read(0, "int"), three, Literal("0", "int")}) : three;
  v1::Scop scop = testing::ScopBuilder("histogram", {"n"}, "n >= 1")
                      .Array("hist", {"9"})
                      .Array("a", {"n"})
                      .Begin("i", "0 <= i < n")
                      .Update(update, {"hist", "o", "0 <= o < 9"}, {{"a", "i"}},
                              testing::UpdateOf(value, {Read(0, "int")}))
                      .End()
                      .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_INT);
  return scop;
}

// The text of its loop over 8 iterations.
std::string LoopText(v1::UpdateOperator update, bool parallel, bool guarded = false) {
  using Op = IndexExpression::Op;
  const v1::Scop scop = HistogramScop(update, guarded);
  const IndexExpression i = IndexExpression::Name("i");
  Loop loop;
  loop.iterator = "i";
  loop.first = IndexExpression::Constant(0);
  loop.condition = IndexExpression::Of(Op::kLess, {i, IndexExpression::Constant(8)});
  loop.step = IndexExpression::Constant(1);
  loop.parallel = parallel;
  Instance instance = {"S0", {{"a", {i}}, {"hist", {}}}, {}};
  instance.guarded = guarded;
  loop.body = {{std::move(instance)}};
  OpenMpProgram program;
  program.body = {{std::move(loop)}};
  MarkAtomicUpdates(scop, &program);
  return PrintOpenMp(program, scop, ChooseHelperNames(scop));
}

TEST(AtomicUpdates, AreAtomicInParallelLoops) {
  EXPECT_EQ(LoopText(v1::ADD, /*parallel=*/true),
            "{\n"
            "#ifdef _OPENMP\n"
            "#pragma omp parallel for schedule(static)\n"
            "#endif\n"
            "  for (int i = 0; i < 8; i += 1) {\n"
            "#ifdef _OPENMP\n"
            "#pragma omp atomic\n"
            "#endif\n"
            "    hist[a[i]] += 3;\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(LoopText(v1::MAX, /*parallel=*/true),
            "{\n"
            "#ifdef _OPENMP\n"
            "#pragma omp parallel for schedule(static)\n"
            "#endif\n"
            "  for (int i = 0; i < 8; i += 1) {\n"
            "#ifdef _OPENMP\n"
            "#pragma omp critical\n"
            "#endif\n"
            "    hist[a[i]] = 3 > hist[a[i]] ? 3 : hist[a[i]];\n"
            "  }\n"
            "}\n");
}

TEST(AtomicUpdates, AreLeftOutWhereTheirConditionsDoNotHold) {
  EXPECT_EQ(LoopText(v1::ADD, /*parallel=*/true, /*guarded=*/true),
            "{\n"
            "#ifdef _OPENMP\n"
            "#pragma omp parallel for schedule(static)\n"
            "#endif\n"
            "  for (int i = 0; i < 8; i += 1) {\n"
            "    if (a[i])\n"
            "#ifdef _OPENMP\n"
            "#pragma omp atomic\n"
            "#endif\n"
            "      hist[a[i]] += 3;\n"
            "  }\n"
            "}\n");
}

TEST(AtomicUpdates, ArePlainInOthers) {
  EXPECT_EQ(LoopText(v1::ADD, /*parallel=*/false),
            "{\n"
            "  for (int i = 0; i < 8; i += 1) {\n"
            "    hist[a[i]] += 3;\n"
            "  }\n"
            "}\n");
}

// Dependences keep their order: no two iterations of a parallel loop write one element.
TEST(AtomicUpdates, AssignmentsAreNone) {
  const std::string text = LoopText(v1::NONE, /*parallel=*/true);
  EXPECT_NE(text.find("    hist[a[i]] = 3;\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("atomic"), std::string::npos) << text;
  EXPECT_EQ(text.find("critical"), std::string::npos) << text;
}

}  // namespace
}  // namespace tune
