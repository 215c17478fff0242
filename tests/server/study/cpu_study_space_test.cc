// The search on the real space of the cpu target.
#include <gtest/gtest.h>

#include <set>

#include "common/space/configuration.h"
#include "server/search/search_options.h"
#include "server/search/strategy.h"
#include "server/study/study_space.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

std::unique_ptr<Space> MakeSpace(const testing::SampleScop& sample) {
  v1::StudySpec spec;
  *spec.mutable_scop() = sample.make();
  v1::Reference reference;
  for (const auto& [name, value] : sample.small) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(100);
  }
  v1::Device device;
  device.set_cores(4);
  auto space = CpuStudySpace()(spec, reference, device);
  EXPECT_TRUE(space.ok()) << space.status();
  return space.ok() ? *std::move(space) : nullptr;
}

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

TEST(CpuStudySpace, EverySampleIsSearchedAndRebuilt) {
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

TEST(CpuStudySpace, AScopThatDoesNotParseIsAnError) {
  v1::StudySpec spec;
  spec.mutable_scop()->set_schedule("nonsense");
  spec.mutable_scop()->add_statements()->set_name("S0");
  EXPECT_FALSE(CpuStudySpace()(spec, {}, {}).ok());
}

}  // namespace
}  // namespace tune
