#include "worker/codegen/given_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "worker/codegen/cuda_generator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// A product of matrices through shared memory, whose program a person edits.
class GivenProgram : public ::testing::Test {
 protected:
  GivenProgram()
      : values_({{"ni", 70}, {"nj", 66}, {"nk", 40}}),
        reference_(testing::MakeReference(testing::GemmScop(), values_)),
        space_(
            CudaSpace::Make(WithParameterFacts(testing::GemmScop(), values_), values_, testing::H200Options())
                .value()) {
    const std::map<std::string, std::string> settings = {{"k[S0,S1].shared", "on"}};
    testing::SettingChooser chooser(settings);
    plan_ = space_->Walk(chooser).value();
    v1::Diagnosis diagnosis;
    diagnosis.add_stages(kProgramStage);
    text_ = DiagnoseCuda(plan_, space_->options(), reference_, diagnosis).value().at(0).text();
  }

  absl::StatusOr<CudaProgram> Generate(const TreeTexts& trees) const {
    return GenerateCuda(plan_, space_->options(), reference_, trees);
  }
  // Of the program with each of these replaced once.
  absl::Status Edited(const std::string& from, const std::string& to) const {
    const size_t place = text_.find(from);
    EXPECT_NE(place, std::string::npos) << from << " is not in\n" << text_;
    std::string edited = text_;
    edited.replace(place, from.size(), to);
    return Generate({{kProgramStage, edited}}).status();
  }

  const std::map<std::string, int64_t> values_;
  const v1::Reference reference_;
  const std::unique_ptr<CudaSpace> space_;
  CudaPlan plan_;
  std::string text_;
};

TEST_F(GivenProgram, WhatWasPrintedIsTheProgram) {
  const auto made = Generate({}), given = Generate({{kProgramStage, text_}});
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_EQ(given->kernels, made->kernels);
  EXPECT_EQ(given->launches, made->launches);
}

TEST_F(GivenProgram, WhatIsRightMayBeOtherwise) {
  EXPECT_TRUE(Edited(", unroll 16", ", unroll 4").ok());
  const auto twice = Edited("barrier block\n", "barrier block\n    barrier block\n");
  EXPECT_TRUE(twice.ok()) << twice;
}

TEST_F(GivenProgram, WhatIsWrongIsRefused) {
  const absl::Status barrier = Edited("    barrier block\n", "");
  EXPECT_TRUE(absl::IsFailedPrecondition(barrier)) << barrier;
  EXPECT_THAT(std::string(barrier.message()), HasSubstr("no barrier stands between"));
  const absl::Status statement = Edited("run S1(", "run S7(");
  EXPECT_TRUE(absl::IsFailedPrecondition(statement)) << statement;
  EXPECT_THAT(std::string(statement.message()), HasSubstr("there is no statement S7"));
}

TEST_F(GivenProgram, OthersArraysAndParametersAreRefused) {
  for (const auto& [from, to] :
       std::map<std::string, std::string>{{"array 0 double C[70]", "array 0 double C[71]"},
                                          {"index int", "index \"long long\""},
                                          {"= threadIdx.x", "= threadIdx.y"}}) {
    if (text_.find(from) == std::string::npos) continue;
    const absl::Status status = Edited(from, to);
    EXPECT_FALSE(status.ok()) << from;
  }
  const absl::Status text = Edited("device program", "program of a device");
  EXPECT_TRUE(absl::IsInvalidArgument(text));
  EXPECT_THAT(std::string(text.message()), HasSubstr("program: line 1"));
}

}  // namespace
}  // namespace tune
