// Sums of rows of which a load has several elements, interpreted and proven; wrong ones are found.
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/device_programs/mutation.h"
#include "tests/worker/device_programs/small_program.h"

namespace tune {
namespace {

constexpr uint64_t kWideConfigurations = 60;
constexpr uint64_t kWideMutants = 6;  // of each

v1::Scop RowSums() {
  using testing::Multiply;
  using testing::Read;
  return testing::ScopBuilder("rows", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("y", {"n"})
      .Array("A", {"n", "m"})
      .Array("x", {"m"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < m")
      .Update(v1::ADD, {"y", "i"}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

// Sums of columns of what is updated on the way.
v1::Scop UpdatesOfRows() {
  using testing::Multiply;
  using testing::Read;
  return testing::ScopBuilder("updates", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("s", {"m"})
      .Array("A", {"n", "m"})
      .Array("u", {"n"})
      .Array("v", {"m"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < m")
      .Update(v1::ADD, {"A", "i, j"}, {{"u", "i"}, {"v", "j"}}, Multiply(Read(0), Read(1)))
      .Update(v1::ADD, {"s", "j"}, {{"A", "i, j"}, {"u", "i"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

bool LoadsAtOnce(const Loop& loop) { return loop.wide; }
bool StoresAtOnce(const Loop& loop) { return loop.wide && !loop.collected.empty(); }

bool HasLoop(const DeviceProgram& program, bool (*is_such)(const Loop&)) {
  bool found = false;
  ForEachNode(program.kernels[0].body, [&](const Node& node) {
    const auto* const loop = node.As<Loop>();
    found = found || (loop != nullptr && is_such(*loop));
  });
  return found;
}

// Of configurations whose programs have such loops.
void ExpectRightAndWrongFound(const v1::Scop& scop, const std::map<std::string, int64_t>& values,
                              bool (*is_such)(const Loop&)) {
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto expected = testing::ExpectedResidues(scop, reference, values);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options(), LittleWork());
  ASSERT_TRUE(space.ok()) << space.status();
  int wide = 0, found = 0;
  for (uint64_t seed = 0; seed < kWideConfigurations; ++seed) {
    const auto small = testing::MakeSmallProgram(**space, reference, seed);
    if (!small.ok() || !HasLoop(small->device, is_such)) continue;
    ++wide;
    ASSERT_EQ(testing::Difference(*small, small->device, *expected), "") << small->configuration;
    EXPECT_EQ(testing::Check(*small, small->device), absl::OkStatus()) << small->configuration;
    for (uint64_t number = 0; number < kWideMutants; ++number) {
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
  EXPECT_GT(wide, 3);
  EXPECT_GT(found, 5);
}

TEST(WideLoads, AreRightAndWhatIsWrongIsFound) {
  ExpectRightAndWrongFound(RowSums(), {{"n", 9}, {"m", 96}}, LoadsAtOnce);
}

TEST(WideLoads, OfWhatIsUpdatedToo) {
  ExpectRightAndWrongFound(UpdatesOfRows(), {{"n", 9}, {"m", 96}}, StoresAtOnce);
}

}  // namespace
}  // namespace tune
