#include "worker/ppcg/ppcg_code_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/ppcg/fake_ppcg.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// A PPCG that makes one kernel, whatever it is given, and says in it what it was called with.
std::string OneKernel() {
  return "echo '{ kernel[0] -> tile[32, 32, 32]; kernel[0] -> grid[256, 256]; kernel[0] -> block[32, 16] }'\n"
         "{ echo '__global__ void kernel0(double *C) {'; echo \"// $*\"; echo ' C[0] = 1; }'; } > "
         "region_kernel.cu\n"
         "cat > region_host.cu <<'END_OF_FILE'\n"
         "/* tune: begin */\n"
         "{ dim3 k0_dimBlock(16, 32); dim3 k0_dimGrid(2, 2); kernel0 <<<k0_dimGrid, k0_dimBlock>>> (dev_C); "
         "}\n"
         "/* tune: end */\n"
         "END_OF_FILE\n";
}

v1::Reference GemmReference() {
  return testing::MakeReference(testing::GemmScop(), {{"ni", 40}, {"nj", 40}, {"nk", 40}});
}

class PpcgCodeGeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::Status recorded = RecordPpcgSchedules(program_, scop_, {}, /*at_once=*/2, &reference_);
    ASSERT_TRUE(recorded.ok()) << recorded;
    generator_ = MakePpcgCodeGenerator(program_, scop_, reference_, {}).value();
  }
  // All defaults.
  v1::Configuration Standard() {
    DefaultChooser chooser;
    RecordingChooser recording(&chooser);
    EXPECT_TRUE(PpcgGenerator::Make(program_, scop_, reference_, {}).value()->Walk(recording).ok());
    return recording.configuration();
  }

  const testing::FakePpcg fake_{OneKernel()};
  const PpcgProgram program_ = fake_.Program();
  const v1::Scop scop_ = testing::GemmScop();
  v1::Reference reference_ = GemmReference();
  std::unique_ptr<CodeGenerator> generator_;
};

TEST_F(PpcgCodeGeneratorTest, MakesWhatAUserGets) {
  const auto program = generator_->Generate(Standard());
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->cuda.facts.size(), 1u);
  EXPECT_EQ(program->cuda.facts[0].name, "ppcg.k0");
  EXPECT_THAT(program->device_file, HasSubstr("--max-shared-memory=8192"));
  EXPECT_THAT(program->device_file, HasSubstr("extern \"C\" int tune_region_gemm(void *const *arrays)"));
  EXPECT_THAT(program->code, HasSubstr("tune_region_gemm(tune_arrays) == 0"));
  v1::Configuration other = Standard();
  for (v1::Decision& decision : *other.mutable_decisions()) {
    if (decision.key() == "ppcg.private_memory") decision.set_option("off");
  }
  EXPECT_NE(generator_->Generate(other)->fingerprint, program->fingerprint);
  EXPECT_EQ(generator_->Generate(Standard())->fingerprint, program->fingerprint);
}

TEST_F(PpcgCodeGeneratorTest, DecisionsOfTheBuiltinGeneratorAreNotItsOwn) {
  v1::Configuration more = Standard();
  v1::Decision* decision = more.add_decisions();
  decision->set_key("k[S0].unroll");
  decision->set_option("4");
  EXPECT_TRUE(absl::IsInvalidArgument(generator_->Generate(more).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(generator_->Generate({}).status()));
}

TEST_F(PpcgCodeGeneratorTest, SaysWhatCannotBeDiagnosed) {
  v1::Diagnosis diagnosis;
  EXPECT_TRUE(generator_->Diagnose(Standard(), diagnosis)->empty());
  diagnosis.add_stages("tiles");
  EXPECT_EQ(generator_->Diagnose(Standard(), diagnosis).status(),
            absl::InvalidArgumentError("there is no stage \"tiles\" of ppcg: instructions"));
  diagnosis.set_check_mapping(true);
  EXPECT_EQ(generator_->Diagnose(Standard(), diagnosis).status(),
            absl::InvalidArgumentError(
                "the mapping is ppcg's own: only that of the builtin generator can be checked"));
}

TEST(RecordPpcgSchedules, TheTimeOfARunIsLimited) {
  const testing::FakePpcg fake("exec sleep 1000");
  PpcgOptions options;
  options.limits.wall = absl::Milliseconds(10);
  v1::Reference reference = GemmReference();
  const absl::Status recorded =
      RecordPpcgSchedules(fake.Program(), testing::GemmScop(), options, 4, &reference);
  EXPECT_TRUE(absl::IsFailedPrecondition(recorded)) << recorded;
  ASSERT_GE(reference.ppcg_size(), 12);
  for (const v1::PpcgSchedule& schedule : reference.ppcg())
    EXPECT_THAT(schedule.failure(), HasSubstr("ppcg had not ended after 0.01 s"));
}

}  // namespace
}  // namespace tune
