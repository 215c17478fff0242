#include "worker/reference/original_region.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class OriginalRegionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    compiler_ = *HostCompiler::Make(folder_->path() + "/cache");
    reference_.add_parameters()->set_name("n");
    reference_.mutable_parameters(0)->set_value(kSize);
    for (const char* name : {"s", "A", "B"}) {
      v1::ArrayExtents* array = reference_.add_arrays();
      array->set_name(name);
      if (*name != 's') array->add_extents(kSize);
    }
  }
  void TearDown() override {
    if (library_ != nullptr) dlclose(library_);
  }

  CompileResult Compile(const v1::StudySetup& setup) {
    auto result = CompileOriginalRegion(setup, reference_, compiler_.get(), folder_->path() + "/program", {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : CompileResult();
  }
  // B after the region, which A = 1, 1, ... and s = 3 go into.
  std::vector<double> Run(const v1::StudySetup& setup) {
    const CompileResult result = Compile(setup);
    EXPECT_TRUE(result.ok) << result.log;
    library_ = result.ok ? dlopen(result.binary.c_str(), RTLD_NOW) : nullptr;
    EXPECT_NE(library_, nullptr);
    if (library_ == nullptr) return {};
    const auto region = reinterpret_cast<void (*)(void**)>(dlsym(library_, "tune_region"));
    double s = 3;
    std::vector<double> a(kSize, 1), b(kSize);
    void* arrays[] = {&s, a.data(), b.data()};
    region(arrays);
    return b;
  }

  static constexpr int kSize = 10;
  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  v1::Reference reference_;
  void* library_ = nullptr;
};

v1::StudySetup Changed(const std::string& from, const std::string& to) {
  return ScaleSetup(absl::StrReplaceAll(kScaleProgram, {{from, to}}));
}

TEST_F(OriginalRegionTest, ComputesWhatTheTextSays) { EXPECT_THAT(Run(ScaleSetup()), Each(3)); }

TEST_F(OriginalRegionTest, FlatArraysHaveOneDimension) {
  v1::StudySetup setup = ScaleSetup();
  v1::Array* b = setup.mutable_scop()->mutable_arrays(2);
  b->set_is_flat(true);
  b->add_extents()->set_c_expression("n");
  reference_.mutable_arrays(2)->add_extents(7);
  EXPECT_THAT(Run(setup), Each(3));
}

// Of arrays of structures the original text is compiled with their type.
TEST_F(OriginalRegionTest, StructuresAreWhatTheyAre) {
  v1::StudySetup setup = ScaleSetup(absl::StrReplaceAll(
      kScaleProgram,
      {{"static void scale(int n, double s, const double A[n]",
        "struct item { double value; };\nstatic void scale(int n, double s, const struct item *A"},
       {"= s * A[i]", "= s * A[i].value"},
       {"double *A = malloc(n * sizeof *A), *B", "struct item *A = malloc(n * sizeof *A); double *B"},
       {"A[i] = i", "A[i].value = i"}}));
  v1::Array* a = setup.mutable_scop()->mutable_arrays(1);
  ASSERT_EQ(a->name(), "A");
  a->add_extents()->set_c_expression("1");
  a->mutable_structure()->set_c_type("struct item");
  reference_.mutable_arrays(1)->add_extents(1);
  EXPECT_THAT(Run(setup), Each(3));
  // Members of two types are two arrays, and the text has one object.
  a->set_object("A");
  EXPECT_FALSE(Compile(setup).ok);
  a->clear_object();
  a->mutable_structure()->clear_c_type();
  EXPECT_FALSE(Compile(setup).ok);
}

// The text decides, not what was extracted from it; and it means what the file says.
TEST_F(OriginalRegionTest, UsesMacrosAndFlagsOfTheFile) {
  v1::StudySetup setup = Changed("= s * A[i]", "= TWICE(s * A[i]) + PLUS");
  v1::SourceFile* file = setup.mutable_program()->mutable_files(0);
  const std::string macro = "#define TWICE(x) (2 * (x))\n";
  file->set_content(macro + file->content());
  v1::SourceRegion* region = setup.mutable_scop()->mutable_region();
  region->set_body_begin_offset(region->body_begin_offset() + macro.size());
  region->set_body_end_offset(region->body_end_offset() + macro.size());
  setup.mutable_program()->add_defines("PLUS=100");
  EXPECT_THAT(Run(setup), Each(106));
}

TEST_F(OriginalRegionTest, LoopsMayCountVariablesFromBefore) {
  EXPECT_THAT(Run(Changed("*B) {\n#pragma scop\n  for (int i", "*B) {\n  int i;\n#pragma scop\n  for (i")),
              Each(3));
}

// What the rest of the file calls may be elsewhere.
TEST_F(OriginalRegionTest, NeedsOnlyWhatTheRegionCalls) {
  EXPECT_THAT(Run(Changed("static void scale",
                          "double elsewhere(void);\nextern double there;\n"
                          "double f(void) { return there + elsewhere(); }\n"
                          "static void scale")),
              Each(3));
}

TEST_F(OriginalRegionTest, SaysWhatTheRegionLacks) {
  EXPECT_FALSE(Compile(Changed("= s * A[i]", "= s * A[i] + local")).ok);
  const CompileResult call = Compile(Changed("= s * A[i]", "= s * A[i] + elsewhere(i)"));
  EXPECT_FALSE(call.ok);
  EXPECT_THAT(call.log, HasSubstr("elsewhere"));
}

TEST_F(OriginalRegionTest, ScopsByHandHaveNoText) {
  v1::StudySetup setup = ScaleSetup();
  setup.mutable_scop()->clear_region();
  const CompileResult result = Compile(setup);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.message, HasSubstr("holds no text of the region"));
}

}  // namespace
}  // namespace tune
