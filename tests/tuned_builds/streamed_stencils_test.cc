// Stencils made at random, in tiles of time that stream along rows, on a simulated device.
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/tuned_builds/tuned_program.h"

namespace tune {
namespace {

// Two or three arrays, each of which a step computes from its own element and what is near it in the others,
// some of them with a statement for a row at the boundary.
class StencilText {
 public:
  explicit StencilText(uint64_t seed) : random_(seed) {}

  std::string Make() {
    const int arrays = Number(2, 3);
    const std::string type = Number(0, 1) == 0 ? "float" : "double";
    std::string declared, filled, steps, sums;
    for (int a = 0; a < arrays; ++a) {
      const std::string name = Name(a);
      absl::StrAppend(&declared, a == 0 ? "" : ", ", name, "[ROWS][COLUMNS]");
      absl::StrAppend(&filled, name, "[i][j] = (", type, ")((i * ", a + 3, " + j * 7) % 19) / 19;\n");
      absl::StrAppend(&steps, Step(a, arrays));
      absl::StrAppend(&sums, "sum += (i % 13 + j % 7 + ", a + 1, ") * (double)", name, "[i][j];\n");
    }
    return absl::StrReplaceAll(R"(#include <stdio.h>
#define ROWS $rows
#define COLUMNS $columns
static $type $declared;
int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
$filled    }
#pragma scop
  for (int t = 0; t < $steps; t++) {
$body  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
$sums    }
  printf("%.17g\n", sum);
  return 0;
}
)",
                               {{"$rows", absl::StrCat(Number(150, 170))},
                                {"$columns", absl::StrCat(Number(265, 300))},
                                {"$type", type},
                                {"$declared", declared},
                                {"$filled", filled},
                                {"$steps", absl::StrCat(Number(4, 9))},
                                {"$body", steps},
                                {"$sums", sums}});
  }

 private:
  int Number(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
  static std::string Name(int array) { return std::string(1, static_cast<char>('a' + array)); }

  // "[i + 1][j - 1]"
  static std::string Near(int row, int column) { return absl::StrCat("[i + ", row, "][j + ", column, "]"); }
  std::string ReadOfOthers(int array, int arrays) {
    const int other = (array + Number(1, arrays - 1)) % arrays;
    return absl::StrCat("0.", Number(1, 3), "f * ", Name(other), Near(Number(-1, 1), Number(-1, 1)));
  }

  std::string Step(int array, int arrays) {
    std::string text;
    const int first = Number(1, 3);
    const std::string columns =
        absl::StrCat("for (int j = ", Number(1, 2), "; j < COLUMNS - ", Number(1, 3), "; j++)\n");
    if (Number(0, 2) == 0)
      absl::StrAppend(&text, columns, Name(array), "[", first - 1, "][j] = 0.5f * ",
                      Name((array + 1) % arrays), "[", first, "][j];\n");
    absl::StrAppend(&text, "for (int i = ", first, "; i < ROWS - ", Number(1, 3), "; i++)\n", columns,
                    Name(array), Near(0, 0), Number(0, 2) == 0 ? " += " : " = ");
    if (Number(0, 1) == 0) absl::StrAppend(&text, "0.3f * ", Name(array), Near(0, 0), " + ");
    absl::StrAppend(&text, ReadOfOthers(array, arrays));
    for (int more = Number(1, 3); more > 0; --more)
      absl::StrAppend(&text, " + ", ReadOfOthers(array, arrays));
    return text + ";\n";
  }

  std::mt19937_64 random_;
};

// Of each seed the text of which is streamed.
class StreamedStencils : public ::testing::TestWithParam<uint64_t> {};

TEST_P(StreamedStencils, PrintWhatTheOriginalPrints) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  testing::TunedProgram program = {"stencil", folder.path() + "/stencil.c", {{}}, {}};
  program.device = {"--set", "time_tiles=off", "--set", "streamed_tiles=on", "--analysis-limit", "8"};
  ASSERT_TRUE(WriteFile(program.path, StencilText(GetParam()).Make()).ok());
  testing::TunedBuilds builds(program);
  builds.RunOriginal();
  builds.CheckDevice();
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamedStencils, ::testing::Range<uint64_t>(1, 4));

}  // namespace
}  // namespace tune
