// Stencils made at random, in tiles of time that stream along rows, on a simulated device.
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/tuned_builds/tuned_program.h"

namespace tune {
namespace {

// Two or three arrays, each of which a step computes from its own element and what is near it in the others,
// some of them with a statement for a row at the boundary. In two or three dimensions.
class StencilText {
 public:
  StencilText(int dimensions, uint64_t seed) : dimensions_(dimensions), random_(seed) {}

  std::string Make() {
    const int arrays = Number(2, 3);
    const std::string type = Number(0, 1) == 0 ? "float" : "double";
    std::string extents, all, here, declared, filled, steps, sums;
    for (int d = 0; d < dimensions_; ++d) {
      const int extent = d + 2 < dimensions_ ? Number(20, 26) : Extent(d);
      absl::StrAppend(&extents, "#define N", d, " ", extent, "\n");
      absl::StrAppend(&all, "for (int i", d, " = 0; i", d, " < N", d, "; i", d, "++)\n");
      absl::StrAppend(&here, "[i", d, "]");
    }
    const std::string place = dimensions_ == 2 ? "i0 * 3 + i1 * 7" : "i0 * 3 + i1 * 7 + i2 * 5";
    for (int a = 0; a < arrays; ++a) {
      const std::string name = Name(a);
      absl::StrAppend(&declared, a == 0 ? "" : ", ", name, dimensions_ == 2 ? "[N0][N1]" : "[N0][N1][N2]");
      absl::StrAppend(&filled, name, here, " = (", type, ")((", place, " + i0 * ", a, ") % 19) / 19;\n");
      absl::StrAppend(&steps, Step(a, arrays));
      absl::StrAppend(&sums, "sum += ((", place, ") % 13 + ", a + 1, ") * (double)", name, here, ";\n");
    }
    return absl::StrReplaceAll(R"(#include <stdio.h>
$extents
static $type $declared;
int main(void) {
  $all {
$filled    }
#pragma scop
  for (int t = 0; t < $steps; t++) {
$body  }
#pragma endscop
  double sum = 0;
  $all {
$sums    }
  printf("%.17g\n", sum);
  return 0;
}
)",
                               {{"$extents", extents},
                                {"$all", all},
                                {"$type", type},
                                {"$declared", declared},
                                {"$filled", filled},
                                {"$steps", absl::StrCat(dimensions_ == 2 ? Number(4, 9) : Number(2, 5))},
                                {"$body", steps},
                                {"$sums", sums}});
  }

 private:
  int Number(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
  int Extent(int dimension) {
    if (dimensions_ == 3) return Number(38, 46);
    return dimension == 0 ? Number(150, 170) : Number(265, 300);
  }
  static std::string Name(int array) { return std::string(1, static_cast<char>('a' + array)); }

  // "[i0 + 1][i1 - 1]"
  std::string Near(bool own = false) {
    std::string subscripts;
    for (int d = 0; d < dimensions_; ++d)
      absl::StrAppend(&subscripts, "[i", d, " + ", own ? 0 : Number(-1, 1), "]");
    return subscripts;
  }
  std::string ReadOfOthers(int array, int arrays) {
    const int other = (array + Number(1, arrays - 1)) % arrays;
    return absl::StrCat("0.", Number(1, 3), "f * ", Name(other), Near());
  }

  // Loops over the dimensions from `first` on.
  std::string Loops(int first) {
    std::string loops;
    for (int d = first; d < dimensions_; ++d)
      absl::StrAppend(&loops, "for (int i", d, " = ", Number(1, 2), "; i", d, " < N", d, " - ", Number(1, 3),
                      "; i", d, "++)\n");
    return loops;
  }

  std::string Step(int array, int arrays) {
    std::string text;
    const int first = Number(1, 3);
    const std::string inner = Loops(1);
    if (Number(0, 2) == 0) {
      const std::string row = dimensions_ == 2 ? "[i1]" : "[i1][i2]";
      absl::StrAppend(&text, inner, Name(array), "[", first - 1, "]", row, " = 0.5f * ",
                      Name((array + 1) % arrays), "[", first, "]", row, ";\n");
    }
    absl::StrAppend(&text, "for (int i0 = ", first, "; i0 < N0 - ", Number(1, 3), "; i0++)\n", inner,
                    Name(array), Near(/*own=*/true), Number(0, 2) == 0 ? " += " : " = ");
    if (Number(0, 1) == 0) absl::StrAppend(&text, "0.3f * ", Name(array), Near(/*own=*/true), " + ");
    absl::StrAppend(&text, ReadOfOthers(array, arrays));
    for (int more = Number(1, 3); more > 0; --more)
      absl::StrAppend(&text, " + ", ReadOfOthers(array, arrays));
    return text + ";\n";
  }

  const int dimensions_;
  std::mt19937_64 random_;
};

void CheckStreamed(int dimensions, uint64_t seed) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  testing::TunedProgram program = {"stencil", folder.path() + "/stencil.c", {{}}, {}};
  program.device = {"--set", "streamed_tiles=on", "--analysis-limit", "20"};
  ASSERT_TRUE(WriteFile(program.path, StencilText(dimensions, seed).Make()).ok());
  testing::TunedBuilds builds(program);
  builds.RunOriginal();
  builds.CheckDevice();
}

// Of each seed the text of which is streamed.
class StreamedStencils : public ::testing::TestWithParam<uint64_t> {};
TEST_P(StreamedStencils, PrintWhatTheOriginalPrints) { CheckStreamed(2, GetParam()); }
INSTANTIATE_TEST_SUITE_P(Seeds, StreamedStencils, ::testing::Range<uint64_t>(1, 4));

class StencilsInSpace : public ::testing::TestWithParam<uint64_t> {};
TEST_P(StencilsInSpace, PrintWhatTheOriginalPrints) { CheckStreamed(3, GetParam()); }
INSTANTIATE_TEST_SUITE_P(Seeds, StencilsInSpace, ::testing::Values<uint64_t>(1, 11));

}  // namespace
}  // namespace tune
