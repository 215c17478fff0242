// The text that tells in a call how many parts sums have: needs tune-extract and a compiler.
#include "worker/cases/split_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "common/base/file.h"
#include "common/base/random.h"
#include "common/base/subprocess.h"
#include "common/transform/kernel_site.h"
#include "common/transform/split_sums/part_count.h"
#include "tests/common/testing/device_models.h"
#include "tests/worker/cases/example_programs.h"

namespace tune {
namespace {

constexpr char kBefore[] = R"(#include <cmath>
#include <cstdio>
struct Machine { int processors; };
long long Blocks(long long count, long long width) { return count <= width ? 1 : (count + width - 1) / width; }
)";
constexpr char kAfter[] = R"(
int main() {
  long long rows, columns, terms, processors;
  while (std::scanf("%lld %lld %lld %lld", &rows, &columns, &terms, &processors) == 4)
    std::printf("%lld\n", RangesOfSums(Machine{(int)processors}, rows, columns, terms));
}
)";

// Rows, columns, terms and multiprocessors: from few sums to more than are ever split, around multiples of
// tiles.
std::vector<std::array<int64_t, 4>> DrawSums() {
  std::vector<std::array<int64_t, 4>> all;
  Random random(5);
  const auto draw = [&] {
    return (int64_t{1} << (5 + random.Below(9))) + static_cast<int64_t>(random.Below(130)) - 65;
  };
  for (int i = 0; i < 3000; ++i)
    all.push_back({std::max<int64_t>(1, draw()), std::max<int64_t>(1, draw()), std::max<int64_t>(1, draw()),
                   1 + static_cast<int64_t>(random.Below(160))});
  return all;
}

// A product's split without programs.
SplitPrograms SplitWith(const ParametricRegion& region, const SumNest& nest, v1::ElementType type,
                        const DeviceFacts& device) {
  SplitPrograms split;
  split.scop = region.scop;
  for (const char* const name : {"part_first", "part_count", "parts"})
    split.scop.add_parameters()->set_name(name);
  split.like = "C";
  split.scop.add_arrays()->set_element_type(type);
  split.rows = IndexExpression::Name("ni");
  split.columns = IndexExpression::Name("nj");
  split.additions = IndexExpression::Name("nk");
  split.model = ModelOfParts(nest, /*terms_apart=*/false, type, device);
  split.filled = nest.filled;
  split.least_places = EnoughInstances(device);
  split.many_blocks_too = nest.begins_apart;
  return split;
}

// What the rule of sizes that are known says of the same sums: whole or triangles, with a factor, beside what
// is done before them.
TEST(RangesText, TellsWhatTheRuleTells) {
  const ParametricRegion region = ExampleRegion("product");
  const DeviceFacts h200 = testing::H200Options().device;
  for (const auto& [filled, factor, begins_apart, type] :
       {std::tuple(1., false, false, v1::ELEMENT_TYPE_FLOAT),
        std::tuple(0.5, true, false, v1::ELEMENT_TYPE_FLOAT),
        std::tuple(0.5, false, true, v1::ELEMENT_TYPE_DOUBLE)}) {
    SumNest nest;
    nest.filled = filled;
    nest.has_factor = factor;
    nest.begins_apart = begins_apart;
    const SplitPrograms split = SplitWith(region, nest, type, h200);
    const std::string text = SplitFunctions(split, region);
    const size_t begin = text.find("long long RangesOfSums("), end = text.find("\n}\n", begin);
    ASSERT_NE(end, std::string::npos);
    const auto folder = TemporaryFolder::Make().value();
    const std::string source = folder.path() + "/ranges.cc", program = folder.path() + "/ranges";
    ASSERT_TRUE(WriteFile(source, absl::StrCat(kBefore, text.substr(begin, end + 3 - begin), kAfter)).ok());
    const auto built =
        RunSubprocess({"c++", "-std=c++17", "-O1", "-ffp-contract=off", source, "-o", program}, {});
    ASSERT_TRUE(built.ok() && built->ok())
        << (built.ok() ? built->standard_error : built.status().ToString());
    std::string expected;
    SubprocessOptions run;
    int split_sums = 0;
    for (const auto& [rows, columns, terms, processors] : DrawSums()) {
      absl::StrAppend(&run.standard_input, rows, " ", columns, " ", terms, " ", processors, "\n");
      nest.row_count = rows;
      nest.column_count = columns;
      nest.count = terms;
      DeviceFacts device = h200;
      device.multiprocessors = static_cast<int>(processors);
      const int ranges = ChooseParts(nest, type, device).ranges;
      // The threads that fill the device are those of the architecture's.
      const bool few = static_cast<double>(rows) * static_cast<double>(columns) * filled < split.least_places;
      absl::StrAppend(&expected, few ? 0 : ranges, "\n");
      split_sums += !few && ranges > 1 ? 1 : 0;
    }
    EXPECT_GT(split_sums, 50);
    const auto told = RunSubprocess({program}, run);
    ASSERT_TRUE(told.ok() && told->ok());
    EXPECT_EQ(told->standard_output, expected);
  }
}

}  // namespace
}  // namespace tune
