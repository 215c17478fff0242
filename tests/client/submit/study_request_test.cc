#include "client/submit/study_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::Extraction TwoRegions(bool has_main) {
  v1::Extraction extraction;
  for (const char* name : {"first", "second"}) {
    v1::Scop* scop = extraction.add_scops();
    scop->set_name(name);
    scop->set_context("[n, m] -> { : n >= 1 and m >= 0 }");
    scop->add_parameters()->set_name("n");
    scop->add_parameters()->set_name("m");
  }
  extraction.mutable_program()->set_has_main(has_main);
  return extraction;
}

TEST(MakeStudySpecsTest, OneARegion) {
  StudyWishes wishes;
  wishes.search.set_evaluations(5);
  wishes.limits.set_memory_bytes(1 << 30);
  wishes.target = v1::CPU;
  const auto specs = MakeStudySpecs(TwoRegions(true), "dir/gemm.c", wishes);
  ASSERT_TRUE(specs.ok()) << specs.status();
  ASSERT_EQ(specs->size(), 2u);
  EXPECT_EQ((*specs)[0].name(), "gemm:first");
  EXPECT_EQ((*specs)[1].name(), "gemm:second");
  EXPECT_EQ((*specs)[1].scop().name(), "second");
  EXPECT_EQ((*specs)[1].search().evaluations(), 5);
  EXPECT_EQ((*specs)[1].limits().memory_bytes(), 1 << 30);
  EXPECT_EQ((*specs)[1].target(), v1::CPU);
  EXPECT_EQ((*specs)[1].generator(), "builtin");
  EXPECT_TRUE((*specs)[1].program().has_main());
}

TEST(MakeStudySpecsTest, ExactProgramsRoundProducts) {
  StudyWishes wishes;
  v1::Extraction extraction = TwoRegions(true);
  EXPECT_THAT(MakeStudySpecs(extraction, "gemm.c", wishes)->at(0).program().compile_flags(), ElementsAre());
  wishes.rounding = v1::ROUNDING_EXACT;
  const v1::StudySpec standard = MakeStudySpecs(extraction, "gemm.c", wishes)->at(0);
  EXPECT_EQ(standard.rounding(), v1::ROUNDING_EXACT);
  EXPECT_THAT(standard.program().compile_flags(), ElementsAre("-O3", "-march=native", "-ffp-contract=off"));
  extraction.mutable_program()->add_compile_flags("-O1");
  EXPECT_THAT(MakeStudySpecs(extraction, "gemm.c", wishes)->at(0).program().compile_flags(),
              ElementsAre("-O1", "-ffp-contract=off"));
  extraction.mutable_program()->add_compile_flags("-ffast-math");
  EXPECT_THAT(std::string(MakeStudySpecs(extraction, "gemm.c", wishes).status().message()),
              HasSubstr("leave -ffast-math out"));
  wishes.rounding = v1::ROUNDING_TF32X3;
  const v1::StudySpec products = MakeStudySpecs(extraction, "gemm.c", wishes)->at(0);
  EXPECT_EQ(products.rounding(), v1::ROUNDING_TF32X3);
  EXPECT_THAT(products.program().compile_flags(), ElementsAre("-O1", "-ffast-math"));
}

TEST(MakeStudySpecsTest, ChosenRegion) {
  StudyWishes wishes;
  wishes.region = 2;
  const auto specs = MakeStudySpecs(TwoRegions(true), "gemm.c", wishes);
  ASSERT_EQ(specs->size(), 1u);
  EXPECT_EQ((*specs)[0].scop().name(), "second");
  wishes.region = 3;
  EXPECT_THAT(std::string(MakeStudySpecs(TwoRegions(true), "gemm.c", wishes).status().message()),
              HasSubstr("gemm.c has 2 regions"));
}

TEST(MakeStudySpecsTest, FileNameAloneWithOneRegion) {
  v1::Extraction extraction = TwoRegions(true);
  extraction.mutable_scops()->RemoveLast();
  EXPECT_EQ(MakeStudySpecs(extraction, "a/b/gemm.c", {})->at(0).name(), "gemm");
  StudyWishes wishes;
  wishes.name = "mine";
  EXPECT_EQ(MakeStudySpecs(extraction, "gemm.c", wishes)->at(0).name(), "mine");
}

TEST(MakeStudySpecsTest, ParametersTravelWithTheProgram) {
  v1::Extraction extraction = TwoRegions(false);
  extraction.mutable_scops(0)->add_arrays()->add_extents()->set_c_expression("lda + 1");
  StudyWishes wishes;
  wishes.parameters = {{"n", 1000}, {"m", 7}, {"lda", 1001}};
  const auto specs = MakeStudySpecs(extraction, "gemm.c", wishes);
  ASSERT_TRUE(specs.ok()) << specs.status();
  const auto& values = specs->at(1).program().parameter_values();
  EXPECT_EQ((std::map<std::string, int64_t>(values.begin(), values.end())), wishes.parameters);
  EXPECT_EQ(specs->at(0).scop().context(), extraction.scops(0).context());
}

TEST(MakeStudySpecsTest, ConstantsAreValuesOfParametersWhereNothingElseSetsThem) {
  StudyWishes wishes;
  wishes.constants = {{"m", 7}};
  EXPECT_TRUE(MakeStudySpecs(TwoRegions(true), "gemm.c", wishes)->at(0).program().parameter_values().empty());
  wishes.parameters = {{"n", 1000}};
  const auto specs = MakeStudySpecs(TwoRegions(false), "gemm.c", wishes);
  ASSERT_TRUE(specs.ok()) << specs.status();
  EXPECT_EQ(specs->at(0).program().parameter_values().at("m"), 7);
}

TEST(MakeStudySpecsTest, ParametersThatCannotBe) {
  auto message = [](bool has_main, std::map<std::string, int64_t> parameters) {
    StudyWishes wishes;
    wishes.parameters = std::move(parameters);
    return std::string(MakeStudySpecs(TwoRegions(has_main), "gemm.c", wishes).status().message());
  };
  EXPECT_THAT(message(false, {{"k", 1}}), HasSubstr("it has n, m"));
  EXPECT_THAT(message(false, {{"n", 0}, {"m", 1}}), HasSubstr("n = 0: the region of"));
  EXPECT_THAT(message(false, {{"n", 1}}), HasSubstr("value of m is not known; give it with --param m=1000"));
  EXPECT_THAT(message(false, {}), HasSubstr("--param n=1000 --param m=1000"));
  EXPECT_THAT(message(true, {{"n", 1}}), HasSubstr("has a main"));
}

TEST(NewRequestIdTest, DiffersEachTime) {
  EXPECT_EQ(NewRequestId().size(), 32u);
  EXPECT_NE(NewRequestId(), NewRequestId());
}

TEST(FileStemTest, WithoutFolderAndEnding) {
  EXPECT_EQ(FileStem("a/b/gemm.c"), "gemm");
  EXPECT_EQ(FileStem("heat-3d.v2.c"), "heat-3d.v2");
}

}  // namespace
}  // namespace tune
