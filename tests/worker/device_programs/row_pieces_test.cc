// Recurrences along rows, of which loads and stores have several elements, interpreted and proven; wrong ones
// are found.
#include <gtest/gtest.h>

#include "common/program/row_access.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/device_programs/mutation.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

constexpr uint64_t kPieceConfigurations = 400;
constexpr uint64_t kPieceMutants = 8;      // of each
constexpr uint64_t kDefaultMutants = 100;  // of the default

// Forward into p, then back into x.
v1::Scop RowSweeps() {
  using testing::Multiply;
  using testing::Read;
  return testing::ScopBuilder("sweeps", {"n", "m"}, "n >= 1 and m >= 3")
      .Array("A", {"n", "m"})
      .Array("p", {"n", "m"})
      .Array("x", {"n", "m"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "2 <= j < m")
      .Assign({"p", "i, j"}, {{"p", "i, j - 1"}, {"p", "i, j - 2"}, {"A", "i, j"}},
              Multiply(Multiply(Read(0), Read(1)), Read(2)))
      .End()
      .Begin("k", "2 <= k < m")
      .Assign({"x", "i, m - 1 - k"}, {{"x", "i, m - k"}, {"A", "i, m - 1 - k"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

// The widest piece of loops that load, or that store.
int64_t Widest(const DeviceProgram& program, std::vector<KeptElement> Loop::*elements) {
  int64_t widest = 1;
  for (const DeviceKernel& kernel : program.kernels) {
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop == nullptr) return;
      for (const KeptElement& kept : loop->*elements) widest = std::max(widest, kept.width);
    });
  }
  return widest;
}

TEST(RowPieces, AreRightAndWhatIsWrongIsFound) {
  const v1::Scop scop = RowSweeps();
  const std::map<std::string, int64_t> values = {{"n", 5}, {"m", 84}};
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto expected = testing::ExpectedResidues(scop, reference, values);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options(), LittleWork());
  ASSERT_TRUE(space.ok()) << space.status();
  int loads = 0, stores = 0, found = 0;
  for (uint64_t seed = 0; seed < kPieceConfigurations; ++seed) {
    const auto small = testing::MakeSmallProgram(**space, reference, seed);
    if (!small.ok()) continue;
    const bool loaded = Widest(small->device, &Loop::fetched) > 1;
    const bool stored = Widest(small->device, &Loop::collected) > 1;
    if (!loaded && !stored) continue;
    loads += loaded;
    stores += stored;
    ASSERT_EQ(testing::Difference(*small, small->device, *expected), "") << small->configuration;
    EXPECT_EQ(testing::Check(*small, small->device), absl::OkStatus()) << small->configuration;
    for (uint64_t number = 0; number < (seed == 0 ? kDefaultMutants : kPieceMutants); ++number) {
      const auto mutant = testing::Mutate(small->device, 1000 * seed + number);
      if (!mutant) continue;
      const absl::Status check = testing::Check(*small, mutant->program);
      found += absl::IsFailedPrecondition(check);
      if (check.ok()) {
        EXPECT_EQ(testing::Difference(*small, mutant->program, *expected), "") << mutant->change << "\n"
                                                                               << small->configuration;
      }
    }
  }
  EXPECT_GT(loads, 3);
  EXPECT_GT(stores, 3);
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace tune
