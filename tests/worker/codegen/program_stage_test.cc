// The text of stage "program" holds all that the generated code says: printed as C or CUDA, what is read back
// from it is the same code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "common/program/helper_names.h"
#include "common/program/program_reader.h"
#include "common/program/program_text.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "worker/codegen/code_generator.h"
#include "worker/codegen/cuda_generator.h"
#include "worker/lower/value_uses.h"
#include "worker/mapping/at_values.h"
#include "worker/passes/private_elements.h"
#include "worker/print/cuda_program_printer.h"
#include "worker/print/openmp_printer.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr int kRandomStages = 4;

v1::Diagnosis ProgramDiagnosis() {
  v1::Diagnosis diagnosis;
  diagnosis.add_stages("program");
  return diagnosis;
}

// Of one study, at the default configuration and at random ones.
struct Study {
  v1::Scop scop;
  std::map<std::string, int64_t> values;
  v1::Reference reference;
};

void ExpectSameCuda(const Study& study, CudaSpace& space, Chooser& chooser) {
  const auto plan = space.Walk(chooser);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const auto made = GenerateCuda(*plan, space.options(), study.reference);
  const auto findings = DiagnoseCuda(*plan, space.options(), study.reference, ProgramDiagnosis());
  ASSERT_EQ(findings.ok(), made.ok()) << findings.status();
  if (!made.ok()) return;  // the device's limits
  ASSERT_EQ(findings->size(), 1u);
  EXPECT_EQ((*findings)[0].title(), "program");
  const std::string& text = (*findings)[0].text();
  auto read = ReadDeviceProgram(text);
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
  EXPECT_EQ(PrintProgramText(*read), text);
  const ParsedScop& scop = plan->schedules->scop();
  v1::Scop at_values;
  ASSERT_EQ(plan->schedules->context().Run("test",
                                           [&]() -> absl::Status {
                                             at_values = StatementsAtValues(scop, study.values)->proto;
                                             return absl::OkStatus();
                                           }),
            absl::OkStatus());
  const auto uses = FindValueUses(plan->schedules->context(), scop, plan->schedules->dependences());
  ASSERT_TRUE(uses.ok()) << uses.status();
  ContractPrivateElements(at_values, *uses, &*read);
  const CudaProgram printed = PrintCudaProgram(*read, at_values, ChooseHelperNames(scop.proto));
  EXPECT_EQ(printed.kernels, made->kernels) << text;
  EXPECT_EQ(printed.launches, made->launches) << text;
}

void ExpectSameOpenMp(const Study& study, CpuSpace& space, CodeGenerator& generator, Chooser& choices) {
  RecordingChooser chooser(&choices);
  ASSERT_TRUE(space.Walk(chooser).ok());
  const auto made = generator.Generate(chooser.configuration());
  ASSERT_TRUE(made.ok()) << made.status();
  const auto findings = generator.Diagnose(chooser.configuration(), ProgramDiagnosis());
  ASSERT_TRUE(findings.ok()) << findings.status();
  const std::string& text = findings->at(0).text();
  const auto read = ReadOpenMpProgram(text);
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
  EXPECT_EQ(PrintProgramText(*read), text);
  EXPECT_EQ(PrintOpenMp(*read, study.scop, ChooseHelperNames(study.scop)), made->code) << text;
}

void ExpectSameCode(const Study& study) {
  const v1::Scop scop = WithParameterFacts(study.scop, study.values);
  const auto cuda = CudaSpace::Make(scop, study.values, testing::H200Options());
  ASSERT_TRUE(cuda.ok()) << cuda.status();
  const auto cpu = CpuSpace::Make(scop, study.values, CpuSpaceOptions{8});
  ASSERT_TRUE(cpu.ok()) << cpu.status();
  const auto generator = MakeOpenMpGenerator(study.scop, study.reference, 8);
  ASSERT_TRUE(generator.ok()) << generator.status();
  DefaultChooser standard;
  ExpectSameCuda(study, **cuda, standard);
  ExpectSameOpenMp(study, **cpu, **generator, standard);
  for (uint64_t seed = 1; seed <= kRandomStages; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomChooser random(seed);
    ExpectSameCuda(study, **cuda, random);
    ExpectSameOpenMp(study, **cpu, **generator, random);
  }
}

class ProgramStageTest : public ::testing::TestWithParam<testing::SampleScop> {};

TEST_P(ProgramStageTest, ItsTextIsTheCode) {
  Study study{GetParam().make(), {}, {}};
  for (const auto& [name, value] : GetParam().small) study.values[name] = 17 * value + 3;
  study.reference = testing::MakeReference(study.scop, study.values);
  ExpectSameCode(study);
}

INSTANTIATE_TEST_SUITE_P(Samples, ProgramStageTest, ::testing::ValuesIn(testing::SampleScops()),
                         [](const auto& info) { return info.param.name; });

class ProgramStageFilesTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ProgramStageFilesTest, ItsTextIsTheCode) {
  const auto extraction = testing::ExtractProgram(GetParam());
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  Study study{extraction->scops(0), {}, {}};
  study.values = testing::ParameterValues(study.scop, 201);
  study.reference = testing::MakeReference(study.scop, study.values);
  ExpectSameCode(study);
}

// Tiles and fills, reductions, host loops, products.
INSTANTIATE_TEST_SUITE_P(Some, ProgramStageFilesTest, ::testing::Values("2mm", "atax", "correlation", "lu"),
                         [](const auto& info) { return "program_" + info.param; });

TEST(ProgramStage, IsToldBesideTheTreesOfTheHost) {
  const v1::Scop scop = testing::GemmScop();
  const std::map<std::string, int64_t> values = {{"ni", 20}, {"nj", 30}, {"nk", 40}};
  const auto space = CpuSpace::Make(WithParameterFacts(scop, values), values, CpuSpaceOptions{4}).value();
  DefaultChooser standard;
  RecordingChooser chooser(&standard);
  ASSERT_TRUE(space->Walk(chooser).ok());
  const auto generator = MakeOpenMpGenerator(scop, testing::MakeReference(scop, values), 4).value();
  v1::Diagnosis diagnosis;
  for (const char* stage : {"program", "mapped", "schedule"}) diagnosis.add_stages(stage);
  const auto findings = generator->Diagnose(chooser.configuration(), diagnosis).value();
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].title(), "program");
  EXPECT_THAT(findings[0].text(), HasSubstr("host program\nbody\n  for tune_c0 = 0; tune_c0 <= 19;"));
  EXPECT_THAT(findings[1].text(), HasSubstr("schedule: "));
  diagnosis.add_stages("tiles");
  EXPECT_EQ(generator->Diagnose(chooser.configuration(), diagnosis).status(),
            absl::InvalidArgumentError("there is no stage \"tiles\" on cpu: mapped, program, schedule"));
}

}  // namespace
}  // namespace tune
