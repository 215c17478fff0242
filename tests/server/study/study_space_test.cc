// The search on the real spaces of the targets.
#include "server/study/study_space.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/decision/configuration.h"
#include "common/scop/parameter_values.h"
#include "common/space/ppcg_record.h"
#include "server/search/search_options.h"
#include "server/search/strategy.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

// Every size is 100.
v1::Reference HundredOfEach(const testing::SampleScop& sample) {
  v1::Reference reference;
  for (const auto& [name, value] : sample.small) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(100);
  }
  return reference;
}

// A target's own factory, and how many cores its device has.
struct TargetCase {
  v1::Target target;
  SpaceFactory (*factory)();
  int cores;
};

class StudySpaceTest : public ::testing::TestWithParam<TargetCase> {
 protected:
  static std::unique_ptr<Space> MakeSpace(const testing::SampleScop& sample) {
    v1::StudySpec spec;
    *spec.mutable_scop() = sample.make();
    const v1::Reference reference = HundredOfEach(sample);
    v1::Device device;
    device.set_target(GetParam().target);
    device.set_cores(GetParam().cores);
    auto space = GetParam().factory()(spec, reference, device);
    EXPECT_TRUE(space.ok()) << space.status();
    return space.ok() ? *std::move(space) : nullptr;
  }
};

v1::Candidate Evaluate(const Proposal& proposal) {
  v1::Candidate candidate;
  candidate.set_index(proposal.index);
  *candidate.mutable_configuration() = proposal.configuration;
  candidate.mutable_evaluation()->set_outcome(proposal.failure.ok() ? v1::CORRECT : v1::COMPILE);
  candidate.mutable_evaluation()->mutable_measurement()->set_median(1.0 + (proposal.index * 7) % 11);
  return candidate;
}

std::vector<std::string> TextsOf(const Proposals& proposals) {
  std::vector<std::string> texts;
  for (const Proposal& proposal : proposals.candidates)
    texts.push_back(PrintConfiguration(proposal.configuration));
  return texts;
}

TEST_P(StudySpaceTest, EverySampleIsSearchedAndRebuilt) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    v1::SearchOptions options;
    options.set_seed(5);
    FillDefaults(&options);
    const std::unique_ptr<Space> space = MakeSpace(sample);
    ASSERT_NE(space, nullptr);
    auto strategy = MakeStrategy(options, space.get()).value();
    std::vector<v1::Candidate> history;
    std::set<std::string> seen;
    while (history.size() < 25) {
      const Proposals proposals = strategy->Propose(1);
      if (proposals.candidates.empty()) break;
      history.push_back(Evaluate(proposals.candidates[0]));
      EXPECT_TRUE(seen.insert(PrintConfiguration(history.back().configuration())).second);
      ASSERT_TRUE(strategy->Observe(history.back()).ok());
    }
    EXPECT_GE(history.size(), 2u);
    // A new process, a new space.
    const std::unique_ptr<Space> again = MakeSpace(sample);
    auto rebuilt = MakeStrategy(options, again.get()).value();
    for (const v1::Candidate& candidate : history) ASSERT_TRUE(rebuilt->Observe(candidate).ok());
    EXPECT_EQ(TextsOf(rebuilt->Propose(10)), TextsOf(strategy->Propose(10)));
  }
}

TEST_P(StudySpaceTest, AScopThatDoesNotParseIsAnError) {
  v1::StudySpec spec;
  spec.mutable_scop()->set_schedule("nonsense");
  spec.mutable_scop()->add_statements()->set_name("S0");
  EXPECT_FALSE(GetParam().factory()(spec, {}, {}).ok());
}

INSTANTIATE_TEST_SUITE_P(Targets, StudySpaceTest,
                         ::testing::Values(TargetCase{v1::CPU, &CpuStudySpace, 4},
                                           TargetCase{v1::CUDA, &CudaStudySpace, 132}),
                         [](const auto& info) { return v1::Target_Name(info.param.target); });

// The most threads that a block of some kernel has, in 200 random candidates.
int64_t MostThreads(const v1::Device& device) {
  const testing::SampleScop sample = testing::SampleScops()[0];
  v1::StudySpec spec;
  *spec.mutable_scop() = sample.make();
  const std::unique_ptr<Space> space = CudaStudySpace()(spec, HundredOfEach(sample), device).value();
  v1::SearchOptions options;
  options.set_strategy("random");
  options.set_evaluations(200);
  FillDefaults(&options);
  auto strategy = MakeStrategy(options, space.get()).value();
  int64_t most = 0;
  for (const Proposal& proposal : strategy->Propose(200).candidates) {
    std::map<std::string, int64_t> threads;  // of each kernel
    for (const v1::Decision& decision : proposal.configuration.decisions()) {
      const size_t end = decision.key().find(".block_size_");
      if (end == std::string::npos) continue;
      const auto [kernel, added] = threads.try_emplace(decision.key().substr(0, end), 1);
      kernel->second *= std::stoll(decision.option());
      most = std::max(most, kernel->second);
    }
  }
  return most;
}

TEST(CudaStudySpace, TheDeviceLimitsTheSpace) {
  v1::Device device;
  device.mutable_cuda()->set_max_threads_per_block(1024);
  EXPECT_EQ(MostThreads(device), 1024);
  device.mutable_cuda()->set_max_threads_per_block(512);
  EXPECT_EQ(MostThreads(device), 512);
}

TEST(StudySpaces, FollowsTheTargetOfTheDevice) {
  v1::StudySpec spec;
  *spec.mutable_scop() = testing::SampleScops()[0].make();
  v1::Device device;
  const absl::Status unknown = StudySpaces()(spec, {}, device).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  for (const v1::Target target : {v1::CPU, v1::CUDA}) {
    device.set_target(target);
    const v1::Reference reference = HundredOfEach(testing::SampleScops()[0]);
    const std::unique_ptr<Space> space = StudySpaces()(spec, reference, device).value();
    DefaultChooser defaults;
    RecordingChooser recording(&defaults);
    ASSERT_TRUE(space->Walk(recording).ok());
    const std::string text = PrintConfiguration(recording.configuration());
    EXPECT_EQ(text.find(".block_size_") != std::string::npos, target == v1::CUDA) << text;
  }
}

// What PPCG might have said of every schedule: kernels that differ from one to the next, and one failure.
v1::Reference WithPpcgRecord(const testing::SampleScop& sample) {
  v1::Reference reference = HundredOfEach(sample);
  std::map<std::string, int64_t> values;
  for (const v1::ParameterValue& value : reference.parameters()) values[value.name()] = value.value();
  const auto schedules = ScheduleSpace::Make(WithParameterFacts(sample.make(), values), values, {}).value();
  int number = 0;
  for (const PpcgSchedulePlan& plan : PpcgSchedules(schedules.get())) {
    std::vector<PpcgKernelShape> kernels(1 + number % 2, {3, 2, 2});
    kernels.back().tile += number % 3;
    *reference.add_ppcg() = number == 4
                                ? RecordPpcgSchedule(plan, absl::ResourceExhaustedError("ppcg had not ended"))
                                : RecordPpcgSchedule(plan, kernels);
    ++number;
  }
  return reference;
}

std::unique_ptr<Space> MakePpcgSpace(const testing::SampleScop& sample, const v1::Reference& reference) {
  v1::StudySpec spec;
  *spec.mutable_scop() = sample.make();
  spec.set_generator("ppcg");
  v1::Device device;
  device.set_target(v1::CUDA);
  auto space = StudySpaces()(spec, reference, device);
  EXPECT_TRUE(space.ok()) << space.status();
  return space.ok() ? *std::move(space) : nullptr;
}

TEST(PpcgStudySpace, IsSearchedAndRebuiltFromTheRecord) {
  const testing::SampleScop sample = testing::SampleScops()[0];
  const v1::Reference reference = WithPpcgRecord(sample);
  v1::SearchOptions options;
  options.set_seed(5);
  FillDefaults(&options);
  const std::unique_ptr<Space> space = MakePpcgSpace(sample, reference);
  auto strategy = MakeStrategy(options, space.get()).value();
  std::vector<v1::Candidate> history;
  while (history.size() < 40) {
    const Proposals proposals = strategy->Propose(1);
    ASSERT_EQ(proposals.candidates.size(), 1u);
    history.push_back(Evaluate(proposals.candidates[0]));
    ASSERT_TRUE(strategy->Observe(history.back()).ok());
  }
  EXPECT_EQ(history[0].configuration().decisions(0).key(), "ppcg.schedule");
  const std::unique_ptr<Space> again = MakePpcgSpace(sample, reference);
  auto rebuilt = MakeStrategy(options, again.get()).value();
  for (const v1::Candidate& candidate : history) ASSERT_TRUE(rebuilt->Observe(candidate).ok());
  EXPECT_EQ(TextsOf(rebuilt->Propose(10)), TextsOf(strategy->Propose(10)));
}

TEST(PpcgStudySpace, AFailedScheduleIsTheCandidatesFailure) {
  const testing::SampleScop sample = testing::SampleScops()[0];
  v1::Reference reference = WithPpcgRecord(sample);
  for (v1::PpcgSchedule& schedule : *reference.mutable_ppcg()) schedule.set_failure("ppcg exited with 1");
  const std::unique_ptr<Space> space = MakePpcgSpace(sample, reference);
  DefaultChooser defaults;
  EXPECT_EQ(space->Walk(defaults), absl::InternalError("ppcg exited with 1"));
}

TEST(PpcgStudySpace, NeedsTheRecord) {
  const testing::SampleScop sample = testing::SampleScops()[0];
  v1::StudySpec spec;
  *spec.mutable_scop() = sample.make();
  EXPECT_TRUE(absl::IsInvalidArgument(PpcgStudySpace()(spec, HundredOfEach(sample), {}).status()));
}

}  // namespace
}  // namespace tune
