#include "common/kernel/reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/kernel/kernel.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;

// The kernels of the scop under the schedule of these options, or `tree`, all parameters 100.
std::vector<Kernel> KernelsOf(const v1::Scop& scop, const ScheduleOptions& options = {},
                              const std::string& tree = {}) {
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters()) values[parameter.name()] = 100;
  IslContext context;
  const auto parsed = ParseScop(context, WithParameterFacts(scop, values)).value();
  const Dependences dependences = ComputeDependences(context, *parsed).value();
  const isl::schedule schedule = tree.empty()
                                     ? ComputeSchedule(context, *parsed, dependences, options).value()
                                     : isl::schedule(context.ctx(), tree);
  return SelectKernels(context, schedule, *parsed, dependences, values).value()->kernels;
}

const Kernel* KernelWith(const std::vector<Kernel>& kernels, const std::string& statement) {
  for (const Kernel& kernel : kernels) {
    if (std::count(kernel.statements.begin(), kernel.statements.end(), statement) > 0) return &kernel;
  }
  return nullptr;
}

ScheduleOptions ParallelReductions() {
  ScheduleOptions options;
  options.parallel_reductions = true;
  return options;
}

TEST(KernelReduction, InnerProductsWithTheirInitialisation) {
  const std::vector<Kernel> kernels = KernelsOf(testing::GemmScop());
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_TRUE(kernels[0].reduction);
  EXPECT_EQ(kernels[0].bands[0].coincident[kernels[0].reduction->member], false);
  EXPECT_THAT(kernels[0].reduction->before, ElementsAre("S0"));
  EXPECT_THAT(kernels[0].reduction->reduced, ElementsAre("S1"));
  EXPECT_THAT(kernels[0].reduction->after, IsEmpty());
}

TEST(KernelReduction, KnowsWhichWayMemoryRuns) {
  const std::vector<Kernel> kernels = KernelsOf(testing::ImperfectScop());
  const Kernel* const rows = KernelWith(kernels, "S2");
  const Kernel* const columns = KernelWith(kernels, "S3");
  ASSERT_TRUE(rows != nullptr && columns != nullptr);
  ASSERT_TRUE(rows->reduction && columns->reduction);
  EXPECT_TRUE(rows->reduction->contiguous);      // tmp[i] += A[i][j] x[j] along j
  EXPECT_FALSE(columns->reduction->contiguous);  // y[j] += A[i][j] tmp[i] along i
}

// m[i] = min of A[i][first .. end - 1].
int64_t WholePieces(const std::string& first, const std::string& end) {
  const v1::Scop scop = ScopBuilder("rows", {"n"}, "n >= 0")
                            .Array("m", {"n"})
                            .Array("A", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", first + " <= j < " + end)
                            .Update(v1::MIN, {"m", "i"}, {{"A", "i, j"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  return KernelsOf(scop).at(0).reduction.value().whole_pieces;
}

TEST(KernelReduction, KnowsWhetherPiecesAreWhole) {
  EXPECT_EQ(WholePieces("0", "64"), 4);
  EXPECT_EQ(WholePieces("8", "n"), 4);
  EXPECT_EQ(WholePieces("0", "66"), 2);
  EXPECT_EQ(WholePieces("2", "64"), 2);
  EXPECT_EQ(WholePieces("0", "65"), 1);
  EXPECT_EQ(WholePieces("1", "64"), 1);
  EXPECT_EQ(WholePieces("i", "n"), 1);
}

v1::Scop MinimumScop(v1::ElementType type) {
  v1::Scop scop = ScopBuilder("least", {"n"}, "n >= 0")
                      .Array("m", {})
                      .Array("x", {"n"})
                      .Begin("i", "0 <= i < n")
                      .Update(v1::MIN, {"m", ""}, {{"x", "i"}}, Read(0))
                      .End()
                      .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(type);
  return scop;
}

TEST(KernelReduction, OfAMinimumWithoutCoincidentLoop) {
  const std::vector<Kernel> kernels = KernelsOf(MinimumScop(v1::ELEMENT_TYPE_DOUBLE));
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_TRUE(kernels[0].reduction);
  EXPECT_THAT(kernels[0].reduction->reduced, ElementsAre("S0"));
}

TEST(KernelReduction, KnowsWhatAtomicOperationsCanDo) {
  const auto is_atomic = [](const v1::Scop& scop, const std::string& statement) {
    return KernelWith(KernelsOf(scop), statement)->reduction->atomic;
  };
  EXPECT_TRUE(is_atomic(testing::ZeroDimScop(), "S1"));
  EXPECT_FALSE(is_atomic(testing::GemmScop(), "S1"));  // after the multiplication by beta
  EXPECT_FALSE(is_atomic(MinimumScop(v1::ELEMENT_TYPE_DOUBLE), "S0"));
  EXPECT_TRUE(is_atomic(MinimumScop(v1::ELEMENT_TYPE_INT), "S0"));
}

TEST(KernelReduction, KnowsWhetherDoublesAreAdded) {
  const auto adds_doubles = [](v1::UpdateOperator update, v1::ElementType type) {
    v1::Scop scop = MinimumScop(type);
    scop.mutable_statements(0)->set_update(update);
    return KernelsOf(scop)[0].reduction->adds_doubles;
  };
  EXPECT_TRUE(adds_doubles(v1::ADD, v1::ELEMENT_TYPE_DOUBLE));
  EXPECT_FALSE(adds_doubles(v1::ADD, v1::ELEMENT_TYPE_FLOAT));
  EXPECT_FALSE(adds_doubles(v1::MIN, v1::ELEMENT_TYPE_DOUBLE));
}

TEST(KernelReduction, NoneWhereAnIterationReadsWhatAnotherAddedUp) {
  // A running sum that each iteration also stores.
  const v1::Scop scop = ScopBuilder("scan", {"n"}, "n >= 0")
                            .Array("s", {})
                            .Array("x", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Update(v1::ADD, {"s", ""}, {{"x", "i"}}, Read(0))
                            .Assign({"x", "i"}, {{"s", ""}}, Read(0))
                            .End()
                            .Build();
  for (const Kernel& kernel : KernelsOf(scop)) EXPECT_FALSE(kernel.reduction);
}

TEST(KernelReduction, NoneWhereTheUpdateUsesItsOwnElement) {
  // s += s * x[i] is no sum of independent terms.
  const v1::Scop scop = ScopBuilder("growth", {"n"}, "n >= 0")
                            .Array("s", {})
                            .Array("x", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Update(v1::ADD, {"s", ""}, {{"s", ""}, {"x", "i"}}, Multiply(Read(0), Read(1)))
                            .End()
                            .Build();
  for (const Kernel& kernel : KernelsOf(scop)) EXPECT_FALSE(kernel.reduction);
}

TEST(KernelReduction, NoneWhereTheTermsUseWhatIsMadeBefore) {
  // One thread would make x[i], and the others not wait for it.
  const v1::Scop scop =
      ScopBuilder("scaled", {"n"}, "n >= 0")
          .Array("s", {"n"})
          .Array("x", {"n"})
          .Array("A", {"n", "n"})
          .Begin("i", "0 <= i < n")
          .Update(v1::MULTIPLY, {"x", "i"}, {}, Literal("0.5"))
          .Begin("j", "0 <= j < n")
          .Update(v1::ADD, {"s", "i"}, {{"A", "i, j"}, {"x", "i"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .Build();
  const std::vector<Kernel> kernels = KernelsOf(scop);
  const Kernel* const kernel = KernelWith(kernels, "S1");
  ASSERT_TRUE(kernel != nullptr);
  ASSERT_EQ(kernel->statements.size(), 2u) << "this test needs both in one kernel";
  EXPECT_FALSE(kernel->reduction);
}

TEST(KernelReduction, NoneWhereAnIterationWritesTheElement) {
  // Only the first update depends on an iteration of S0, S0[n - 1 - k]; others run on other threads.
  const v1::Scop scop = ScopBuilder("within", {"n"}, "n >= 10")
                            .Array("A", {"n"})
                            .Array("x", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"A", "i"}, {{"x", "i"}}, Read(0))
                            .End()
                            .Begin("k", "0 <= k < n")
                            .Update(v1::MULTIPLY, {"A", "3"}, {}, Literal("0.9"))
                            .End()
                            .Build();
  const std::vector<Kernel> kernels = KernelsOf(scop, ParallelReductions());
  const Kernel* const kernel = KernelWith(kernels, "S1");
  ASSERT_TRUE(kernel != nullptr);
  ASSERT_EQ(kernel->statements.size(), 2u) << "this test needs both in one kernel";
  EXPECT_FALSE(kernel->reduction);
}

TEST(KernelReduction, NoneWhereTheTermsUseWhatIsMadeAfter) {
  // One thread would write b, which others still read, or have not loaded.
  const v1::Scop scop =
      ScopBuilder("stepped", {"n"}, "n >= 0")
          .Array("s", {"n"})
          .Array("b", {})
          .Array("A", {"n", "n"})
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < n")
          .Update(v1::ADD, {"s", "i"}, {{"A", "i, j"}, {"b", ""}}, Multiply(Read(0), Read(1)))
          .End()
          .Assign({"b", ""}, {{"s", "i"}}, Read(0))
          .End()
          .Build();
  const std::vector<Kernel> kernels = KernelsOf(scop);
  const Kernel* const kernel = KernelWith(kernels, "S0");
  ASSERT_TRUE(kernel != nullptr);
  ASSERT_EQ(kernel->statements.size(), 2u) << "this test needs both in one kernel";
  EXPECT_FALSE(kernel->reduction);
}

TEST(KernelReduction, NoneWhereOperatorsMix) {
  const v1::Scop scop = ScopBuilder("mixed", {"n"}, "n >= 0")
                            .Array("s", {})
                            .Array("x", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Update(v1::ADD, {"s", ""}, {{"x", "i"}}, Read(0))
                            .Update(v1::MULTIPLY, {"s", ""}, {}, Literal("0.5"))
                            .End()
                            .Build();
  for (const Kernel& kernel : KernelsOf(scop)) EXPECT_FALSE(kernel.reduction);
}

TEST(KernelReduction, MakesItsTermsAlong) {
  EXPECT_EQ(KernelsOf(testing::UpdateAndProductScop()).size(), 2u);
  const std::vector<Kernel> kernels = KernelsOf(testing::UpdateAndProductScop(), ParallelReductions());
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_TRUE(kernels[0].reduction);
  EXPECT_THAT(kernels[0].reduction->along, ElementsAre("S0"));
  EXPECT_THAT(kernels[0].reduction->reduced, ElementsAre("S1"));
  EXPECT_THAT(kernels[0].reduction->before, IsEmpty());
  EXPECT_FALSE(kernels[0].bands[0].coincident[kernels[0].reduction->member]);
  EXPECT_FALSE(kernels[0].reduction->contiguous);  // down the columns of A
  EXPECT_TRUE(kernels[0].reduction->atomic);
}

constexpr char kFused[] =
    "{ domain: \"[n] -> { S0[i, j] : 0 <= i, j < n; S1[i, j] : 0 <= i, j < n }\", child: { schedule: \"[n] "
    "-> "
    "[{ S0[i, j] -> [(j)]; S1[i, j] -> [(i)] }, { S0[i, j] -> [(i)]; S1[i, j] -> [(j)] }]\", permutable: 1, "
    "coincident: [ 1, 0 ], child: { sequence: [ { filter: \"{ S0[i, j] }\" }, { filter: \"{ S1[i, j] }\" } ] "
    "} } }";

TEST(KernelReduction, NoneWhereTermsAreMadeInOtherIterations) {
  EXPECT_TRUE(KernelsOf(testing::UpdateAndProductScop(), {}, kFused)[0].reduction);
  EXPECT_FALSE(KernelsOf(testing::UpdateAndProductScop(/*next_row=*/true), {}, kFused)[0].reduction);
}

TEST(KernelReduction, NoneWhereWhatIsAlongNeedsWhatIsBefore) {
  // One thread would make t[i], and those that store it not wait for it.
  const v1::Scop scop = ScopBuilder("stored", {"n"}, "n >= 1")
                            .Array("s", {"n"})
                            .Array("t", {"n"})
                            .Array("A", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"t", "i"}, {}, Literal("1"))
                            .Begin("j", "0 <= j < n")
                            .Assign({"A", "i, j"}, {{"t", "i"}}, Read(0))
                            .Update(v1::ADD, {"s", "i"}, {{"A", "i, j"}}, Read(0))
                            .End()
                            .End()
                            .Build();
  const auto kernels =
      KernelsOf(scop, {},
                "{ domain: \"[n] -> { S0[i] : 0 <= i < n; S1[i, j] : 0 <= i, j < n; S2[i, j] : 0 <= i, j < n "
                "}\", child: { "
                "schedule: \"[n] -> [{ S0[i] -> [(i)]; S1[i, j] -> [(i)]; S2[i, j] -> [(i)] }, { S0[i] -> "
                "[(0)]; S1[i, j] -> "
                "[(j)]; S2[i, j] -> [(j)] }]\", permutable: 1, coincident: [ 1, 0 ], child: { sequence: [ { "
                "filter: \"{ "
                "S0[i] }\" }, { filter: \"{ S1[i, j] }\" }, { filter: \"{ S2[i, j] }\" } ] } } }");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_FALSE(kernels[0].reduction);
}

TEST(KernelReduction, NoneInRecurrencesOfAStencil) {
  for (const Kernel& kernel : KernelsOf(testing::SeidelScop())) EXPECT_FALSE(kernel.reduction);
}

}  // namespace
}  // namespace tune
