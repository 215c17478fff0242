// Programs that split sums at all sizes, on the simulated device: needs tune-extract.
#include "worker/codegen/split_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/random.h"
#include "common/transform/split_sums/part_count.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/symbolic_run.h"

namespace tune {
namespace {

using testing::Sizes;

std::string SplitSourcePath(const std::string& name) {
  return absl::StrCat(TUNE_SOURCE_DIR "/tests/bench/case_sizes/", name, ".c");
}

v1::Scop SplitSource(const std::string& path) {
  const auto extraction = testing::ExtractFile(path);
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  return extraction.ok() ? extraction->scops(0) : v1::Scop();
}

std::optional<SplitPrograms> SplitOf(const v1::Scop& scop, const CudaSpaceOptions& options,
                                     const std::vector<int64_t>& sizes) {
  auto made =
      GenerateSplit(MakeSharedPlans(scop, options), scop, options, MakeSizeGrid(scop, sizes), "split");
  EXPECT_TRUE(made.ok()) << made.status();
  return made.ok() ? *std::move(made) : std::nullopt;
}

int64_t Additions(const SplitPrograms& split, const Sizes& sizes) {
  return Evaluate(split.additions, [&](const std::string& name) { return sizes.at(name); });
}

// The sizes with those of the last of the parts of `size` additions.
Sizes WithParts(const SplitPrograms& split, Sizes sizes, int64_t size) {
  const int64_t additions = Additions(split, sizes), parts = (additions + size - 1) / size;
  const int own = split.scop.parameters_size() - 3;
  sizes[split.scop.parameters(own).name()] = (parts - 1) * size;
  sizes[split.scop.parameters(own + 1).name()] = additions - (parts - 1) * size;
  sizes[split.scop.parameters(own + 2).name()] = parts;
  return sizes;
}

// Numbers of additions below, at and above multiples of a tile, and parts of one tile up to all additions.
class PartsAtAllSizes : public ::testing::TestWithParam<std::string> {};
TEST_P(PartsAtAllSizes, AreRightForAnyNumberOfParts) {
  const v1::Scop scop = SplitSource(SplitSourcePath(GetParam()));
  auto split = SplitOf(scop, testing::H200Options(), {300, 2000});
  ASSERT_TRUE(split.has_value());
  ASSERT_FALSE(split->programs.programs.empty());
  const std::string sum = GetParam() == "gemm" ? "nk" : "m";
  Random random(7);
  for (const SymbolicProgram& program : split->programs.programs) {
    const int64_t divisor = testing::RowDivisor(program);
    SCOPED_TRACE(absl::StrCat(program.launched[0].function, ", rows of ", divisor));
    auto run = testing::SymbolicRun::Make(split->scop, program);
    ASSERT_TRUE(run.ok()) << run.status();
    for (const int64_t additions : {4, 31, 32, 33, 64, 71, 100, 257}) {
      Sizes sizes;
      for (const v1::Parameter& parameter : scop.parameters())
        sizes[parameter.name()] =
            (4 + static_cast<int64_t>(random.Below(90)) + divisor - 1) / divisor * divisor;
      sizes[sum] = (additions + divisor - 1) / divisor * divisor;
      const int64_t least = (sizes[sum] + kMostParts - 1) / kMostParts;
      const int64_t size = (least + static_cast<int64_t>(random.Below(100)) + 31) / 32 * 32;
      run->Check(WithParts(*split, sizes, size), &scop);
      if (HasFailure()) return;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Two, PartsAtAllSizes, ::testing::Values("gemm", "syrk"),
                         [](const auto& info) { return "P" + info.param; });

TEST(SplitProgramsOf, NothingWhereSumsAreNotSplit) {
  const v1::Scop scop = SplitSource(SplitSourcePath("gemm"));
  EXPECT_FALSE(SplitOf(scop, testing::H200Options(), {100}).has_value()) << "threads share so few sums";
  CudaSpaceOptions exact = testing::H200Options();
  exact.exact = true;
  EXPECT_FALSE(SplitOf(scop, exact, {300, 2000}).has_value()) << "sums keep their order";
  EXPECT_FALSE(SplitOf(SplitSource(SplitSourcePath("mvt")), testing::H200Options(), {2000}).has_value());
}

}  // namespace
}  // namespace tune
