// Accesses outside of arrays that data lead to, in the program's own run.
#include "worker/reference/data_accesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/common/testing/scop_builder.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using testing::Literal;
using testing::Read;

constexpr char kProgram[] = R"(#include <stdlib.h>
static double hist[2][8];
static void fill(int n, const int *at, double *a) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (at[i] > 2) a[i + 1] = 1;
    hist[1][at[i]] += 2;
  }
#pragma endscop
}
int main(void) {
  const int n = 100;
  int *at = malloc(n * sizeof *at);
  double *a = calloc(n, sizeof *a);
  for (int i = 0; i < n; i++) at[i] = i % 6;
  at[n - 1] = LAST;
  at[70] = SEVENTIETH;
  fill(n, at, a);
  return 0;
}
)";

v1::Scop FillScop(const std::string& file) {
  const v1::Expression above = testing::Operation(">", {Read(0, "int"), Literal("2", "int")});
  const v1::Expression row = Literal("1", "int");
  v1::Scop scop = testing::ScopBuilder("fill", {"n"}, "n >= 0")
                      .Array("at", {""})
                      .Array("a", {""})
                      .Array("hist", {"2", "8"})
                      .Begin("i", "0 <= i < n")
                      .Assign({"a", "i + 1"}, {{"at", "i"}, {"a", "i + 1"}},
                              testing::Operation("?:", {above, Literal("1"), Read(1)}))
                      .Update(v1::ADD, {"hist", "1, o", "0 <= o < 8"}, {{"at", "i"}},
                              testing::UpdateOf(Literal("2"), {row, Read(0, "int")}))
                      .End()
                      .Build();
  scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_INT);
  for (int i : {0, 1}) {
    scop.mutable_arrays(i)->set_is_pointer(true);
    scop.mutable_arrays(i)->mutable_extents(0)->set_accessed(i == 0 ? "[n] -> { [(n)] }"
                                                                    : "[n] -> { [(n + 1)] }");
  }
  *scop.mutable_region() = ScaleScop(file).region();
  return scop;
}

class DataAccessesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    compiler_ = HostCompiler::Make(folder_->path() + "/cache").value();
    runner_ = ProcessRunner::Make().value();
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  // What the reference run says, "" for a good one.
  std::string Run(int last, int seventieth) {
    const std::string text = absl::StrReplaceAll(
        kProgram, {{"LAST", absl::StrCat(last)}, {"SEVENTIETH", absl::StrCat(seventieth)}});
    v1::StudySetup setup = ScaleSetup(text);
    *setup.mutable_scop() = FillScop(text);
    const auto data =
        RunReference(setup, {compiler_.get(), runner_.get(), nullptr}, folder_->path() + "/reference", &log_);
    return std::string(data.status().message());
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  std::unique_ptr<ProcessRunner> runner_;
  std::string log_;
};

TEST_F(DataAccessesTest, AreInsideInGoodPrograms) {
  EXPECT_EQ(Run(2, 7), "") << log_;
  EXPECT_THAT(log_, ::testing::Not(HasSubstr("were not checked")));
}

TEST_F(DataAccessesTest, SubscriptsAreNamed) {
  EXPECT_THAT(Run(2, 9),
              HasSubstr("leaves an array at these sizes: line 2: hist[1][9] of 2 x 8 elements, "
                        "where i = 70; correct the values that lead there, or the size of the array"))
      << log_;
  EXPECT_THAT(Run(2, -3), HasSubstr("line 2: hist[1][-3] of 2 x 8 elements, where i = 70")) << log_;
}

// The element behind the last one that was allocated.
TEST_F(DataAccessesTest, ConditionsAreLookedAt) {
  EXPECT_THAT(Run(5, 1), HasSubstr("line 1: a[100] of 100 elements, where i = 99")) << log_;
}

// It ends the program, which says nothing but that.
TEST_F(DataAccessesTest, CrashesAreExplained) {
  EXPECT_THAT(Run(2, 1 << 28), HasSubstr("line 2: hist[1][268435456] of 2 x 8 elements, where i = 70"))
      << log_;
}

}  // namespace
}  // namespace tune
