// What the files of regions that CPU and GPU share are made of; that they compute what they should is for
// tests/tuned_builds/parts_test.cc.
#include "worker/parts/parts_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/parts/divided_programs.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

v1::CaseDiscussion Discuss(const PartWishes& wishes) {
  static const v1::Extraction extraction = ExtractText(kDividedPrograms);
  std::vector<std::string> notes;
  const auto discussion = DiscussParts(extraction.scops(0), wishes, &notes);
  EXPECT_TRUE(discussion.ok()) << discussion.status();
  return discussion.value_or(v1::CaseDiscussion());
}

TEST(PartsFile, TheHostRunsTheRegionsOwnLoopsInParallel) {
  const v1::CaseDiscussion gemm = Discuss({"", "cpu:1,gpu:2"});
  EXPECT_EQ(gemm.requirement(), "k >= 4 && m >= 4 && n >= 4");
  EXPECT_THAT(gemm.code(), AllOf(HasSubstr("#pragma omp parallel for"),
                                 HasSubstr("C[tune_c0][tune_c1] *= 0.5;"), HasSubstr("tune_part_gemm(")));
  EXPECT_THAT(gemm.device_file(), HasSubstr("#define gemm_PARTS \"cpu:1,gpu:2\""));
  EXPECT_THAT(gemm.device_file(), Not(HasSubstr("tune.h")));
  EXPECT_EQ(gemm.after_original(), "");
}

TEST(PartsFile, LibtunePicksDivisionsAndRulesRejectThem) {
  const v1::CaseDiscussion gemm = Discuss({"", "", true});
  EXPECT_THAT(gemm.device_file(), AllOf(HasSubstr("#include <tune.h>"), HasSubstr("\"cpu+gpu+cpu+gpu\""),
                                        HasSubstr("Rule(TUNE_MIN_COMPUTE, choice, i, ")));
  EXPECT_THAT(gemm.after_original(), HasSubstr("tune_original_gemm("));
}

// A study knows the program's sizes, and nothing of parts.
TEST(PartsFile, FormatsOfStudiesAreTakenAtTheProgramsSizes) {
  PartWishes wishes = {"", "gpu"};
  v1::CaseFormat& format = *wishes.formats.add_formats();
  format.set_kernel("k[S0,S1]");
  format.set_device("some GPU");
  for (const int64_t threads : {4, 64}) format.add_block(threads);
  format.set_points(2);
  for (const char* const size : {"n", "m", "k"}) {
    v1::ParameterValue& value = *format.add_parameters();
    value.set_name(size);
    value.set_value(500);
  }
  EXPECT_THAT(Discuss(wishes).device_file(),
              AllOf(HasSubstr("{\"some GPU\", {4, 64, 1}, 2, 1}"), HasSubstr("{500, 500, 500},")));
}

TEST(PartsFile, PartsThatAreNoneAreRefused) {
  const v1::Extraction extraction = ExtractText(kDividedPrograms);
  std::vector<std::string> notes;
  for (const char* const parts :
       {"", "cpu:", "cpu:0,gpu:0", "gpu:-1", "gpu,", "cpu,gpu,cpu,gpu,cpu", "\"", "gpu:nan", "cpu:1\n"})
    EXPECT_TRUE(absl::IsInvalidArgument(DiscussParts(extraction.scops(0), {"", parts}, &notes).status()))
        << parts;
}

}  // namespace
}  // namespace tune
