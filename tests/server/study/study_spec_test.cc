#include "server/study/study_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/server/study/harness.h"

namespace tune {
namespace {

struct SpecRefusal {
  const char* name;
  std::function<void(v1::StudySpec*)> change;
  const char* field;
};

TEST(CheckSpec, AcceptsAGoodOne) {
  EXPECT_TRUE(CheckSpec(SyntheticSpec()).ok()) << CheckSpec(SyntheticSpec());
}

TEST(CheckSpec, AcceptsEveryTargetAndNone) {
  for (const v1::Target target : {v1::TARGET_UNSPECIFIED, v1::CPU, v1::CUDA}) {
    v1::StudySpec spec = SyntheticSpec();
    spec.set_target(target);
    EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
    FillDefaults(&spec);
    EXPECT_EQ(spec.target(), target);
    EXPECT_EQ(NewStudy(spec, 0).target(), target);
  }
}

TEST(CheckSpec, NamesTheFieldThatItRefuses) {
  const std::vector<SpecRefusal> refusals = {
      {"no scop", [](auto* s) { s->clear_scop(); }, "spec.scop"},
      {"no statements", [](auto* s) { s->mutable_scop()->clear_statements(); }, "no statements"},
      {"only kills", [](auto* s) { s->mutable_scop()->mutable_statements(0)->set_kind(v1::Statement::KILL); },
       "nothing to tune"},
      {"no schedule", [](auto* s) { s->mutable_scop()->clear_schedule(); }, "spec.scop.schedule"},
      {"no program", [](auto* s) { s->clear_program(); }, "spec.program"},
      {"no sources", [](auto* s) { s->mutable_program()->clear_sources(); }, "spec.program.sources"},
      {"unknown source", [](auto* s) { s->mutable_program()->add_sources("b.c"); }, "'b.c'"},
      {"absolute path", [](auto* s) { s->mutable_program()->mutable_files(0)->set_path("/etc/passwd"); },
       "relative"},
      {"path out of the bundle",
       [](auto* s) { s->mutable_program()->mutable_files(0)->set_path("a/../../b"); }, "without '..'"},
      {"a file twice", [](auto* s) { *s->mutable_program()->add_files() = s->program().files(0); }, "twice"},
      {"region of no file", [](auto* s) { s->mutable_scop()->mutable_region()->set_file("b.c"); },
       "spec.scop.region.file"},
      {"region outside the file", [](auto* s) { s->mutable_scop()->mutable_region()->set_end_offset(1000); },
       "spec.scop.region"},
      {"too large",
       [](auto* s) { s->mutable_program()->set_standard_input(std::string(kMaxProgramBytes + 1, 'x')); },
       "at most 67108864"},
      {"target", [](auto* s) { s->set_target(static_cast<v1::Target>(17)); }, "spec.target"},
      {"generator", [](auto* s) { s->set_generator("magic"); }, "spec.generator: 'magic' is not known"},
      {"ppcg for a cpu",
       [](auto* s) {
         s->set_generator("ppcg");
         s->set_target(v1::CPU);
       },
       "spec.generator: ppcg makes code for GPUs alone; use builtin"},
      {"cases for a cpu",
       [](auto* s) {
         s->set_cases(true);
         s->set_target(v1::CPU);
       },
       "spec.cases: they are of GPUs"},
      {"cases of ppcg",
       [](auto* s) {
         s->set_cases(true);
         s->set_generator("ppcg");
       },
       "spec.cases: they are made by the builtin generator"},
      {"rounding that is not known", [](auto* s) { s->set_rounding(static_cast<v1::Rounding>(7)); },
       "spec.rounding: 7 is not known"},
      {"tensor cores of a cpu",
       [](auto* s) {
         s->set_rounding(v1::ROUNDING_TF32X3);
         s->set_target(v1::CPU);
       },
       "spec.rounding: tf32x3 is of tensor cores"},
      {"tensor cores by ppcg",
       [](auto* s) {
         s->set_rounding(v1::ROUNDING_TF32X3);
         s->set_target(v1::CUDA);
         s->set_generator("ppcg");
       },
       "spec.rounding: tf32x3 is of the builtin generator"},
      {"tensor cores of all sizes",
       [](auto* s) {
         s->set_rounding(v1::ROUNDING_TF32X3);
         s->set_target(v1::CUDA);
         s->set_cases(true);
       },
       "spec.rounding: tf32x3 is of code for given sizes"},
      {"level of ppcg",
       [](auto* s) {
         s->set_generator("ppcg");
         s->mutable_search()->set_level(2);
       },
       "no decisions of level 2"},
      {"sharing without a GPU",
       [](auto* s) {
         s->set_generator("cpu+cuda");
         s->mutable_program()->set_has_main(true);
         s->set_target(v1::CPU);
       },
       "spec.generator: cpu+cuda needs a GPU"},
      {"sharing without main",
       [](auto* s) {
         s->set_generator("cpu+cuda");
         s->mutable_program()->set_has_main(false);
       },
       "the file has no main"},
      {"strategy", [](auto* s) { s->mutable_search()->set_strategy("genetic"); }, "knows ants, tree"},
      {"negative budget", [](auto* s) { s->mutable_search()->set_evaluations(-1); }, "search.evaluations"},
      {"negative time", [](auto* s) { s->mutable_limits()->set_reference_seconds(-1); },
       "spec.limits.reference_seconds"},
      {"negative memory", [](auto* s) { s->mutable_limits()->set_memory_bytes(-1); },
       "spec.limits.memory_bytes"},
      {"not a number", [](auto* s) { s->mutable_tolerance()->set_float_relative(std::nan("")); },
       "spec.tolerance.float_relative"}};
  for (const SpecRefusal& refusal : refusals) {
    v1::StudySpec spec = SyntheticSpec();
    refusal.change(&spec);
    const absl::Status status = CheckSpec(spec);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << refusal.name;
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(refusal.field)) << refusal.name;
  }
}

TEST(StudySpec, CasesAreOfGpus) {
  v1::StudySpec spec = SyntheticSpec();
  spec.set_target(v1::TARGET_UNSPECIFIED);
  spec.set_cases(true);
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
  FillDefaults(&spec);
  EXPECT_EQ(spec.target(), v1::CUDA);
}

TEST(StudySpec, AStudyTellsHowItRounds) {
  v1::StudySpec spec = SyntheticSpec();
  for (const v1::Rounding rounding : {v1::ROUNDING_UNSPECIFIED, v1::ROUNDING_EXACT, v1::ROUNDING_TF32X3}) {
    spec.set_rounding(rounding);
    EXPECT_EQ(NewStudy(spec, 1).rounding(), rounding);
  }
}

TEST(StudySpec, TensorCoresAreOfGpus) {
  v1::StudySpec spec = SyntheticSpec();
  spec.set_target(v1::TARGET_UNSPECIFIED);
  spec.set_rounding(v1::ROUNDING_TF32X3);
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
  FillDefaults(&spec);
  EXPECT_EQ(spec.target(), v1::CUDA);
}

TEST(StudySpec, PpcgIsForGpus) {
  v1::StudySpec spec = SyntheticSpec();
  spec.clear_target();
  spec.set_generator("ppcg");
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
  FillDefaults(&spec);
  EXPECT_EQ(spec.target(), v1::CUDA);
  EXPECT_EQ(NewStudy(spec, 1).generator(), "ppcg");
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
}

TEST(StudySpec, RegionsThatCpuAndGpuShareAreForGpus) {
  v1::StudySpec spec = SyntheticSpec();
  spec.clear_target();
  spec.set_generator("cpu+cuda");
  spec.mutable_program()->set_has_main(true);
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
  FillDefaults(&spec);
  EXPECT_EQ(spec.target(), v1::CUDA);
  EXPECT_EQ(NewStudy(spec, 1).generator(), "cpu+cuda");
}

}  // namespace
}  // namespace tune
