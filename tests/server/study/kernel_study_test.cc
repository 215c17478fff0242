// Studies of hand-written kernels on the server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/kernel_definition/configuration_reader.h"
#include "server/store/study_key.h"
#include "server/study/study_space.h"
#include "server/study/study_spec.h"
#include "tests/common/testing/matmul_definition.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

v1::StudySpec MatmulSpec() { return testing::KernelSpec(testing::MatmulDefinition(64), "void matmul();\n"); }

TEST(KernelSpec, IsAcceptedAndCompleted) {
  v1::StudySpec spec = MatmulSpec();
  spec.mutable_kernel()->mutable_search()->set_strategy("local_search");
  spec.mutable_kernel()->mutable_search()->set_evaluations(17);
  ASSERT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
  FillDefaults(&spec);
  EXPECT_EQ(spec.name(), "matmul");
  EXPECT_EQ(spec.target(), v1::CPU);
  EXPECT_EQ(spec.search().strategy(), "local_search");
  EXPECT_EQ(spec.search().evaluations(), 17);
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
  const v1::Study study = NewStudy(spec, 0);
  EXPECT_EQ(study.region().file(), "matmul.c");
  EXPECT_EQ(study.region().function(), "matmul");
}

TEST(KernelSpec, WhatTheUserSaysOfTheSearchComesFirst) {
  v1::StudySpec spec = MatmulSpec();
  spec.mutable_kernel()->mutable_search()->set_strategy("local_search");
  spec.mutable_kernel()->mutable_search()->set_evaluations(17);
  spec.mutable_search()->set_strategy("uniform");
  spec.mutable_search()->set_iterations(2);
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().strategy(), "uniform");
  EXPECT_EQ(spec.search().evaluations(), 20);
}

int64_t ConfigurationsOf(const v1::StudySpec& spec) {
  const ConfigurationReader reader = ConfigurationReader::Make(spec.kernel()).value();
  return static_cast<int64_t>(reader.space()->count());
}

TEST(KernelSpec, AFractionIsOfTheValidConfigurations) {
  v1::StudySpec spec = MatmulSpec();
  const int64_t all = ConfigurationsOf(spec);
  v1::KernelSearch& search = *spec.mutable_kernel()->mutable_search();
  search.set_fraction(0.3);
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().evaluations(), static_cast<int32_t>(std::ceil(0.3 * static_cast<double>(all))));

  search.set_evaluations(2);  // is used up first
  spec.clear_search();
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().evaluations(), 2);

  search.clear_evaluations();
  search.set_fraction(1e-9);
  spec.clear_search();
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().evaluations(), 1);
}

TEST(KernelSpec, WithABudgetOfTimeAloneAllConfigurationsMayBeEvaluated) {
  v1::StudySpec spec = MatmulSpec();
  spec.mutable_kernel()->mutable_search()->set_seconds(90);
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().seconds(), 90);
  EXPECT_EQ(spec.search().evaluations(), ConfigurationsOf(spec));

  spec.clear_search();
  spec.mutable_kernel()->mutable_search()->set_evaluations(7);
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().seconds(), 90);
  EXPECT_EQ(spec.search().evaluations(), 7);

  spec.clear_search();
  spec.mutable_search()->set_evaluations(3);  // of the user
  FillDefaults(&spec);
  EXPECT_EQ(spec.search().seconds(), 0);
  EXPECT_EQ(spec.search().evaluations(), 3);
}

struct Refusal {
  const char* name;
  std::function<void(v1::StudySpec*)> change;
  const char* expected;
};

TEST(KernelSpec, NamesWhatItRefuses) {
  const std::vector<Refusal> refusals = {
      {"a region as well", [](auto* s) { s->mutable_scop()->set_name("x"); },
       "leave one of scop and kernel out"},
      {"a definition with faults", [](auto* s) { s->mutable_kernel()->add_constraints("TILE_K > 1"); },
       "spec.kernel: "},
      {"CUDA without blocks", [](auto* s) { s->mutable_kernel()->set_language(v1::KERNEL_LANGUAGE_CUDA); },
       "the block's size is not given"},
      {"CUDA on the host",
       [](auto* s) {
         s->mutable_kernel()->set_language(v1::KERNEL_LANGUAGE_CUDA);
         s->set_target(v1::CPU);
       },
       "spec.target: kernels in CUDA run on a GPU"},
      {"a GPU", [](auto* s) { s->set_target(v1::CUDA); }, "spec.target"},
      {"exact", [](auto* s) { s->set_rounding(v1::ROUNDING_EXACT); }, "spec.rounding"},
      {"tf32x3", [](auto* s) { s->set_rounding(v1::ROUNDING_TF32X3); }, "spec.rounding"},
      {"a generator", [](auto* s) { s->set_generator("ppcg"); }, "spec.generator"},
      {"a level", [](auto* s) { s->mutable_search()->set_level(2); }, "spec.search.level"},
      {"a strategy", [](auto* s) { s->mutable_kernel()->mutable_search()->set_strategy("magic"); }, "magic"},
      {"no source", [](auto* s) { s->mutable_kernel()->set_file("b.c"); },
       "'b.c' is not among program.files"},
      {"no input",
       [](auto* s) {
         s->mutable_kernel()->mutable_arguments(1)->mutable_fill()->mutable_file()->set_path("a.raw");
       },
       "'a.raw' is not among program.files"},
      {"a long name",
       [](auto* s) { s->mutable_kernel()->mutable_kernels(0)->set_name(std::string(300, 'k')); },
       "spec.kernel.kernels"}};
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.name);
    v1::StudySpec spec = MatmulSpec();
    refusal.change(&spec);
    const absl::Status status = CheckSpec(spec);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(refusal.expected));
  }
}

TEST(KernelSpace, BeginsWithTheDefaultConfiguration) {
  const auto space = StudySpaces()(MatmulSpec(), {}, {});
  ASSERT_TRUE(space.ok()) << space.status();
  DefaultChooser standard;
  RecordingChooser recording(&standard);
  ASSERT_TRUE((*space)->Walk(recording).ok());
  EXPECT_EQ(PrintConfiguration(recording.configuration()),
            "TILE_I = 16\nTILE_J = 16\nUNROLL = 1\nTRANSPOSED = 0\n");
}

class KernelStudy : public ::testing::Test {
 protected:
  void TearDown() override { thread_.join(); }

  // Of a worker that measures as the sizes of tiles say.
  v1::Study Run(const v1::StudySpec& spec) {
    CoordinatorOptions options = TestOptions();
    options.generate = [](const v1::GenerationRequest&) -> absl::StatusOr<v1::GenerationAnswer> {
      return absl::InternalError("there is no region to generate code of");
    };
    coordinator_ = Coordinator::Start(options, store_.get(), &clock_, StudySpaces()).value();
    const std::string id = coordinator_->Submit(spec, "").value().id();
    const ConfigurationReader reader = ConfigurationReader::Make(spec.kernel()).value();
    thread_ = std::thread([this, reader] {
      FakeWorker worker("w", [this](const v1::SynchronizeRequest& request) {
        return SynchronizeNow(*coordinator_, request, [this] { return stop_.load(); });
      });
      worker.evaluate = [&](const v1::EvaluateTask& task) {
        v1::Evaluation evaluation;
        evaluation.set_outcome(v1::CORRECT);
        evaluation.set_code(PrintConfigurationHeader(reader.Read(task.configuration()).value()));
        evaluation.set_code_fingerprint(Fingerprint(evaluation.code()));
        double seconds = 1;
        for (const v1::Decision& decision : task.configuration().decisions())
          seconds += 1.0 / (1 + std::stoi(decision.option()));
        *evaluation.mutable_measurement() = Samples(seconds);
        return evaluation;
      };
      worker.Run(stop_);
    });
    const v1::Study study = WaitUntilFinished(*coordinator_, id);
    stop_ = true;
    return study;
  }

  ManualClock clock_;
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST_F(KernelStudy, IsSearchedConfirmedAndKnownToBeWhatTheConfigurationSays) {
  v1::StudySpec spec = MatmulSpec();
  spec.mutable_search()->set_evaluations(20);
  const v1::Study study = Run(spec);
  EXPECT_EQ(study.state(), v1::DONE) << study.failure();
  EXPECT_EQ(study.evaluated(), 20);
  EXPECT_THAT(study.warnings(), IsEmpty());
  ASSERT_GT(study.confirmation().candidates_size(), 0);
  for (const v1::ConfirmedCandidate& confirmed : study.confirmation().candidates()) {
    const v1::Candidate candidate = coordinator_->GetCandidate(study.id(), confirmed.index()).value();
    EXPECT_TRUE(candidate.evaluation().comparison().same()) << candidate.DebugString();
  }
}

TEST(KernelKey, IsNoRegions) {
  v1::StudySpec spec = MatmulSpec();
  const auto never = [](const v1::Scop&) -> absl::StatusOr<ScopIdentity> {
    return absl::InternalError("there is no scop");
  };
  const StudyKey key = KeyOfSpec(spec, never).value();
  EXPECT_NE(key.scop, "");
  EXPECT_NE(key.scop, IdentifyScop(spec.scop()).fingerprint);
  spec.mutable_kernel()->mutable_search()->set_evaluations(3);
  EXPECT_EQ(KeyOfSpec(spec, never).value().scop, key.scop);
  v1::StudySpec other = spec;
  other.mutable_kernel()->mutable_problem(0)->set_size("128");
  EXPECT_NE(KeyOfSpec(other, never).value().scop, key.scop);
  other = spec;
  other.mutable_program()->mutable_files(0)->set_content("void matmul(void);\n");
  EXPECT_NE(KeyOfSpec(other, never).value().scop, key.scop);
}

}  // namespace
}  // namespace tune
