// Definition 2 (ii) of "Comprehensive Optimization of Parametric Kernels for Graphics Processing Units":
// under the conditions of a leaf its program computes what the original does. All leaves of the paper's
// examples are run on simulated GPUs, with machine, format and data drawn at random.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/random.h"
#include "common/cases/case_tree.h"
#include "tests/tuned_builds/case_files.h"
#include "tests/worker/cases/example_programs.h"
#include "worker/cases/kernel_problem.h"

namespace tune {
namespace {

using testing::AgreesWith;

constexpr int kDrawsOfALeaf = 2;
constexpr int kMostDraws = 200'000;  // until a point is in a leaf
constexpr int kLeastSize = 5;        // of arrays, for each format one more

// Calls the example with arrays a to d, of drawn numbers, and sizes n and m.
constexpr char kPaperCaller[] = R"(
#include <stdio.h>
#include <stdlib.h>
static double *Numbers(int count, unsigned seed) {
  double *numbers = malloc(count * sizeof *numbers);
  for (int i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    numbers[i] = (int)(seed >> 16) % 1000 / 8.0 - 30;
  }
  return numbers;
}
static void Print(int count, double *numbers) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += (i % 113 + 1) * numbers[i];
  printf("%.12e\n", sum);
  free(numbers);
}
int main(void) {
  static const int sizes[][2] = {SIZES};
  for (int s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const int n = sizes[s][0], m = sizes[s][1], most = n > m ? n : m, count = most * most;
    double *a = Numbers(count, 4 * s), *b = Numbers(count, 4 * s + 1);
    double *c = Numbers(count, 4 * s + 2), *d = Numbers(count, 4 * s + 3);
    CALL;
    Print(count, a), Print(count, b), Print(count, c), Print(count, d);
  }
  return 0;
}
)";

struct PaperExample {
  std::string name;                     // of tests/worker/cases/programs
  std::string call;                     // by kPaperCaller
  std::vector<std::string> parameters;  // of which n and m are the values
};

// Prints of the test's wish: what a launch runs, and what comes of the region.
struct Told {
  const char *behind, *text;
};
const Told kTold[] = {
    {"  if (tune_format.leaf < 0) return cudaErrorInvalidValue;\n",
     "  printf(\"leaf %s %lld %lld %lld %lld %lld %lld %lld %lld %d\\n\", __func__, tune_machine.threads,\n"
     "         tune_machine.registers, tune_machine.shared, tune_format.B0, tune_format.B1, tune_format.B2,\n"
     "         tune_format.s, tune_format.K, tune_format.leaf);\n"},
    {" : RunRegion(arrays, sizes, arrays);\n", "  printf(\"done %d\\n\", (int)error);\n"},
};

// The discussion of one of the example's kernels.
struct Discussed {
  explicit Discussed(const ParametricKernel& kernel, const v1::Scop& scop)
      : kernel(kernel), problem(kernel, scop) {
    ConsistencySolver solver;
    cases = OptimizeComprehensively(problem, solver).value();
    tree = MakeCaseTree(problem.Given(), cases, solver);
  }

  const ParametricKernel& kernel;
  const KernelProblem problem;
  std::vector<ProgramCase> cases;
  CaseTree tree;
};

// 1 to `most`, small numbers as often as large ones.
int64_t DrawSize(Random& random, int64_t most) {
  return static_cast<int64_t>(std::exp(random.Uniform() * std::log(static_cast<double>(most + 1))));
}

Point DrawPoint(Random& random) {
  Point point = {{kThreadsLimit, DrawSize(random, 1024)},
                 {kRegistersLimit, DrawSize(random, 65536)},
                 {kSharedLimit, DrawSize(random, 49152) - 1},
                 {kPoints, DrawSize(random, 8)},
                 {kStripLength, DrawSize(random, 64)}};
  for (int axis = 0; axis < 3; ++axis) point[BlockExtent(axis)] = DrawSize(random, 64);
  return point;
}

// Whether each kernel has a case on the point's machine, with blocks of one thread.
bool AllRun(const std::vector<Discussed>& kernels, const Point& point) {
  for (const Discussed& one : kernels) {
    Point least;
    for (const auto& [name, value] : point) least[name] = 1;
    for (const char* const limit : {kThreadsLimit, kRegistersLimit, kSharedLimit})
      least[limit] = point.at(limit);
    if (one.tree.Find(least).value() < 0) return false;
  }
  return true;
}

std::optional<Point> DrawPointOf(const Discussed& one, int leaf, const std::vector<Discussed>& kernels,
                                 Random& random) {
  for (int i = 0; i < kMostDraws; ++i) {
    const Point point = DrawPoint(random);
    if (one.tree.Find(point).value() == leaf && AllRun(kernels, point)) return point;
  }
  return std::nullopt;
}

// As run_on_simulated_device has it, any number of blocks being enough.
std::string MachineOf(const Point& point) {
  return absl::StrCat(point.at(kThreadsLimit), ",", point.at(kRegistersLimit), ",", point.at(kSharedLimit),
                      ",0");
}

// Of a file for `tunectl generate --formats`.
std::string FormatOf(const Point& point, const ParametricKernel& kernel, const PaperExample& example, int n,
                     int m) {
  std::vector<int64_t> block;
  for (int i = 0; i < kernel.FormatDimensions(); ++i) block.push_back(point.at(BlockExtent(i)));
  std::vector<std::string> parameters;
  for (const std::string& name : example.parameters)
    parameters.push_back(absl::StrCat("\"", name, "\": ", name == "n" ? n : m));
  return absl::StrCat(R"({"kernel": ")", kernel.name, R"(", "device": "simulated GPU", "parameters": {)",
                      absl::StrJoin(parameters, ", "), R"(}, "block": [)", absl::StrJoin(block, ", "),
                      R"(], "points": )", point.at(kPoints), R"(, "strip": )", point.at(kStripLength),
                      R"(, "source": "test"})");
}

class LeavesOfExamples : public testing::CaseFiles, public ::testing::WithParamInterface<PaperExample> {
 protected:
  // Draws points of all leaves: machines_, and the formats and sizes of the program.
  void Draw() {
    Random random(31);
    std::vector<std::string> formats, sizes;
    for (const Discussed& one : kernels_) {
      for (size_t leaf = 0; leaf < one.cases.size(); ++leaf) {
        for (int i = 0; i < kDrawsOfALeaf; ++i) {
          const std::optional<Point> point = DrawPointOf(one, static_cast<int>(leaf), kernels_, random);
          EXPECT_TRUE(point || one.cases[leaf].unknown) << one.kernel.name << " case " << leaf + 1;
          if (!point) continue;
          const int n = kLeastSize + static_cast<int>(sizes.size());
          const int m = 4 + static_cast<int>(random.Below(20));
          formats.push_back(FormatOf(*point, one.kernel, GetParam(), n, m));
          sizes.push_back(absl::StrCat("{", n, ", ", m, "}"));
          machines_.insert(MachineOf(*point));
        }
      }
    }
    const std::string file =
        absl::StrCat(R"({"tuned": {"case_formats": 1}, "formats": [)", absl::StrJoin(formats, ",\n"), "]}");
    ASSERT_TRUE(WriteFile(Path("drawn.formats"), file).ok());
    const std::string program =
        ReadFile(absl::StrCat(TUNE_SOURCE_DIR "/tests/worker/cases/programs/", GetParam().name, ".c"))
            .value();
    const std::string caller =
        absl::StrReplaceAll(kPaperCaller, {{"SIZES", absl::StrJoin(sizes, ", ")}, {"CALL", GetParam().call}});
    ASSERT_TRUE(WriteFile(Path("example.c"), program + caller).ok());
  }

  // Makes launches and the region tell what they do.
  void Instrument() {
    const std::vector<std::string> files = DeviceFiles();
    ASSERT_EQ(files.size(), 1);
    std::string text = ReadFile(files[0]).value();
    for (const Told& told : kTold) {
      ASSERT_THAT(text, ::testing::HasSubstr(told.behind));
      text = absl::StrReplaceAll(text, {{told.behind, absl::StrCat(told.behind, told.text)}});
    }
    ASSERT_TRUE(WriteFile(files[0], text).ok());
  }

  // What "leaf FUNCTION_launch T R Z B0 B1 B2 s K LEAF" tells is so; counts it.
  void CheckLeaf(const std::vector<std::string>& words, std::map<std::string, std::set<int>>* ran) const {
    ASSERT_EQ(words.size(), 11);
    static const char* const names[] = {kThreadsLimit, kRegistersLimit, kSharedLimit, "B0", "B1",
                                        "B2",          kPoints,         kStripLength};
    Point point;
    for (int i = 0; i < 8; ++i) point[names[i]] = std::stoll(words[2 + i]);
    const int leaf = std::stoi(words[10]);
    for (const Discussed& one : kernels_) {
      if (one.kernel.function + "_launch" != words[1]) continue;
      EXPECT_TRUE(Holds(one.cases.at(leaf).constraints, point).value()) << absl::StrJoin(words, " ");
      (*ran)[one.kernel.function].insert(leaf);
    }
  }

  // Of a run: results, and leaves of executions that did not fail are in ran_.
  void CheckRun(const std::string& machine) {
    std::string results;
    std::map<std::string, std::set<int>> ran;  // in one execution
    int failed = 0;
    for (const absl::string_view line : absl::StrSplit(Output(machine), '\n')) {
      const std::vector<std::string> words = absl::StrSplit(line, ' ');
      if (words[0] == "leaf") {
        CheckLeaf(words, &ran);
      } else if (words[0] == "done") {
        failed += words[1] != "0" ? 1 : 0;
        if (words[1] == "0")
          for (const auto& [function, leaves] : ran) ran_[function].insert(leaves.begin(), leaves.end());
        ran.clear();
      } else {
        absl::StrAppend(&results, line, "\n");
      }
    }
    EXPECT_TRUE(AgreesWith(expected_, results)) << results << expected_ << Error(machine);
    EXPECT_EQ(failed, 0) << Error(machine);
  }

  const ParametricRegion region_ = ExampleRegion(GetParam().name);
  std::vector<Discussed> kernels_;
  std::set<std::string> machines_;
  std::map<std::string, std::set<int>> ran_;  // leaves, by FUNCTION
};

TEST_P(LeavesOfExamples, ComputeWhatTheOriginalDoes) {
  for (const ParametricKernel& kernel : region_.kernels) kernels_.emplace_back(kernel, region_.scop);
  Draw();
  further_ = {"--formats", Path("drawn.formats")};
  if (!HasFatalFailure()) Build(Path("example.c"), {});
  if (!HasFatalFailure()) Instrument();
  if (HasFatalFailure()) return;
  RunEach("--machine", {machines_.begin(), machines_.end()});
  for (const std::string& machine : machines_) {
    SCOPED_TRACE(machine);
    CheckRun(machine);
  }
  for (const Discussed& one : kernels_) {
    for (size_t leaf = 0; leaf < one.cases.size(); ++leaf)
      EXPECT_TRUE(one.cases[leaf].unknown || ran_[one.kernel.function].count(static_cast<int>(leaf)) > 0)
          << one.kernel.name << " case " << leaf + 1 << " never ran";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Paper, LeavesOfExamples,
    ::testing::Values(PaperExample{"matrix_addition", "add(n, (void *)a, (void *)b, (void *)c)", {"n"}},
                      PaperExample{"jacobi_1d", "jacobi(m, n, a, b)", {"steps", "n"}},
                      PaperExample{"transposition", "transpose(n, m, (void *)a, (void *)c)", {"n", "m"}},
                      PaperExample{"product", "product(n, (void *)a, (void *)b, (void *)c)", {"n"}},
                      PaperExample{"matrix_vector", "matrix_vector(n, (void *)a, b, c, d)", {"n"}}),
    [](const ::testing::TestParamInfo<PaperExample>& info) { return info.param.name; });

}  // namespace
}  // namespace tune
