// Regions that CPU and GPU share (`tunectl generate --target cpu+cuda`), over simulated GPUs: however the
// outermost loop is divided, they compute what the original does, and nothing else is copied or written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/random.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kRegions[] = TUNE_SOURCE_DIR "/tests/tuned_builds/shared/regions.c";

class Parts : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  static std::string Call(const std::vector<std::string>& command) {
    const auto result = RunSubprocess(command, {});
    EXPECT_TRUE(result.ok() && result->ok())
        << (result.ok() ? result->standard_output + result->standard_error : result.status().ToString());
    return result.ok() ? result->standard_output : "";
  }

  // out.c and its CUDA files of the program, and both programs.
  void Generate(const std::string& source, const std::vector<std::string>& options = {}) {
    std::vector<std::string> generate = {
        TUNE_BINARY_DIR "/bin/tunectl", "generate", source, "--target", "cpu+cuda", "-o", Path("out.c")};
    generate.insert(generate.end(), options.begin(), options.end());
    Call(generate);
    Call({"cc", "-O1", "-Wno-unknown-pragmas", source, "-o", Path("original")});
    Call({"cc", "-O1", "-Wall", "-Werror", "-fopenmp", Path("out.c"), "-fPIC", "-shared", "-o",
          Path("out.so")});
  }

  struct Outcome {
    std::string out, err, counts;
  };

  // One run for each value of the option of run_on_simulated_device; `splits` are the program's input.
  std::vector<Outcome> Run(const std::vector<std::string>& splits, const std::vector<std::string>& values,
                           const std::string& option = "--fail-from") const {
    std::vector<std::string> command = {"env", "TUNE_PARTS_OF_TEST=" + absl::StrJoin(splits, " "),
                                        TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device"};
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".cu") command.push_back(entry.path());
    }
    for (size_t i = 0; i < values.size(); ++i)
      command.insert(command.end(), {option, values[i], "--output", Path(absl::StrCat(i)), Path("out.so")});
    Call(command);
    std::vector<Outcome> outcomes;
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string name = Path(absl::StrCat(i));
      outcomes.push_back({ReadFile(name + ".out").value_or(""), ReadFile(name + ".err").value_or(""),
                          ReadFile(name + ".counts").value_or("")});
    }
    return outcomes;
  }

  static int64_t CountOf(const Outcome& outcome, const std::string& name) {
    for (const absl::string_view line : absl::StrSplit(outcome.counts, '\n')) {
      const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
      int64_t count = 0;
      if (words.size() == 2 && words[0] == name && absl::SimpleAtoi(words[1], &count)) return count;
    }
    return -1;
  }

  // What the original prints.
  std::string Right(const std::vector<std::string>& splits) const {
    return Call({"env", "TUNE_PARTS_OF_TEST=" + absl::StrJoin(splits, " "), Path("original")});
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

// 1 to 4 parts with shares of which some are 0, the platforms at random.
std::string RandomSplit(Random& random) {
  const int parts = 1 + static_cast<int>(random.Below(4));
  std::vector<std::string> texts;
  for (int i = 0; i < parts; ++i)
    texts.push_back(absl::StrCat(random.Below(2) == 0 ? "cpu" : "gpu", ":", i == 0 ? 1 : random.Below(6)));
  return absl::StrJoin(texts, ",");
}

TEST_F(Parts, ComputeWhatTheOriginalDoesHoweverTheyAreCut) {
  Generate(kRegions);
  std::vector<std::string> splits = {"original", "cpu", "gpu", "cpu:1,gpu:0", "gpu:0,cpu:1", "gpu:1,cpu:0"};
  Random random(24);
  for (int i = 0; i < 14; ++i) splits.push_back(RandomSplit(random));
  for (const char* const none : {"cpu:1,gpu:x", "tpu", "cpu:0", "cpu,cpu,cpu,cpu,cpu", "cpu:-1,gpu:2"})
    splits.push_back(none);
  const Outcome outcome = Run(splits, {"0"})[0];
  const std::vector<std::string> found = absl::StrSplit(outcome.out, '\n');
  const std::vector<std::string> expected = absl::StrSplit(Right(splits), '\n');
  ASSERT_EQ(found.size(), splits.size() + 1);
  for (size_t i = 0; i < splits.size(); ++i) EXPECT_EQ(found[i], expected.at(i)) << outcome.err;
  EXPECT_GT(CountOf(outcome, "launches"), 100);
  EXPECT_THAT(outcome.err, HasSubstr("gemm: its original code runs instead of the tuned one: the parts "
                                     "\"cpu:1,gpu:x\" are not 1 to 4 platforms with shares"));
}

constexpr char kTransposition[] = R"(#include <stdio.h>
#include <stdlib.h>
static void transpose(int n, int m, double a[restrict n][m], double b[restrict m], double c[restrict m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j] + b[j];
#pragma endscop
}
int main(void) {
  enum { n = 13, m = 8 };
  static double a[n][m], b[m] = {1, 2, 3, 4, 5}, c[m][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 8 * i + j;
  transpose(n, m, a, b, c);
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) printf("%.0f ", c[j][i]);
  return 0;
}
)";

// Of 13 rows, the first four and the last four; what is written of them are columns, and what all use is
// copied once. The host takes over what the device cannot do, whenever it fails.
TEST_F(Parts, CopyTheirSlicesAloneAndRunWithoutADevice) {
  ASSERT_TRUE(WriteFile(Path("transpose.c"), kTransposition).ok());
  Generate(Path("transpose.c"), {"--parts", "gpu:4,cpu:5,gpu:4"});
  const std::vector<Outcome> outcomes =
      Run({}, {"0", "-1", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.out, Right({}));
  EXPECT_EQ(CountOf(outcomes[0], "launches"), 2);
  EXPECT_EQ(CountOf(outcomes[0], "bytes_in"), (2 * 8 * 8 + 8) * sizeof(double));  // results' places, too
  EXPECT_EQ(CountOf(outcomes[0], "bytes_out"), 8 * 8 * sizeof(double));
  EXPECT_THAT(outcomes[1].err, HasSubstr("the CPU runs the GPU's parts, too"));
  EXPECT_EQ(CountOf(outcomes[1], "launches"), 0);
}

constexpr char kEvenOnes[] = R"(#include <stdio.h>
static void even(int n, double x[restrict 2 * n], double y[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) x[2 * i] = 3 * y[i];
#pragma endscop
}
int main(void) {
  enum { n = 12 };
  static double x[2 * n], y[n];
  for (int i = 0; i < n; i++) y[i] = i, x[2 * i] = x[2 * i + 1] = 7;
  even(n, x, y);
  for (int i = 0; i < 2 * n; i++) printf("%.0f ", x[i]);
  return 0;
}
)";

// Elements between those that the region writes may be another thread's.
TEST_F(Parts, BringBackNothingButWhatTheyWrite) {
  ASSERT_TRUE(WriteFile(Path("even.c"), kEvenOnes).ok());
  Generate(Path("even.c"), {"--parts", "gpu"});
  const Outcome outcome = Run({}, {"0"})[0];
  EXPECT_EQ(outcome.out, Right({}));
  EXPECT_EQ(CountOf(outcome, "bytes_out"), 12 * sizeof(double));
}

TEST_F(Parts, WhatCannotBeSharedIsRefused) {
  ASSERT_TRUE(WriteFile(Path("sum.c"),
                        "void f(int n, double s[1], double x[n]) {\n#pragma scop\n"
                        "for (int i = 0; i < n; i++) s[0] += x[i];\n#pragma endscop\n}\n")
                  .ok());
  const auto refusal = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command = {TUNE_BINARY_DIR "/bin/tunectl",
                                        "generate",
                                        Path("sum.c"),
                                        "--target",
                                        "cpu+cuda",
                                        "-o",
                                        Path("out.c")};
    command.insert(command.end(), options.begin(), options.end());
    const auto result = RunSubprocess(command, {});
    return result.ok() && !result->ok() ? result->standard_error : "";
  };
  EXPECT_THAT(refusal({}),
              HasSubstr("f: it has no outermost parallel loop, whose parts CPU and GPU could run at "
                        "the same time: an iteration writes elements of s (line 3)"));
  EXPECT_THAT(refusal({"--parts", "cpu;gpu"}), HasSubstr("--parts cpu;gpu: write 1 to 4 platforms"));
  EXPECT_THAT(refusal({"--parameter", "n=5"}), HasSubstr("is for all sizes"));
  EXPECT_THAT(refusal({"--cases"}), HasSubstr("has cases by itself"));
}

// Programs that tune themselves would take the members for numbers of the others' type.
TEST_F(Parts, MembersOfOtherTypesAreNotCompared) {
  ASSERT_TRUE(WriteFile(Path("points.c"),
                        "struct point { double x, y; long id; };\n"
                        "void f(int n, struct point *restrict p) {\n#pragma scop\n"
                        "for (int i = 0; i < n; i++) p[i].y += 2 * p[i].x;\n#pragma endscop\n}\n")
                  .ok());
  const auto generate = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command = {TUNE_BINARY_DIR "/bin/tunectl", "generate", Path("points.c"), "-o",
                                        Path("out.c")};
    command.insert(command.end(), options.begin(), options.end());
    const auto result = RunSubprocess(command, {});
    return result.ok() && !result->ok() ? result->standard_error : "";
  };
  EXPECT_EQ(generate({"--target", "cpu+cuda"}), "");
  EXPECT_EQ(generate({"--cases"}), "");
  const std::string reason = "f: it writes `p`, whose structures have members of other types as well";
  EXPECT_THAT(generate({"--target", "cpu+cuda", "--online"}), HasSubstr(reason));
  EXPECT_THAT(generate({"--cases", "--online"}), HasSubstr(reason));
}

}  // namespace
}  // namespace tune
