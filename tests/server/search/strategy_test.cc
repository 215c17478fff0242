#include "server/search/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "common/base/random.h"
#include "common/decision/configuration.h"
#include "server/search/ant_colony.h"
#include "server/search/search_options.h"
#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

std::vector<std::string> TextsOf(const Proposals& proposals) {
  std::vector<std::string> texts;
  for (const Proposal& proposal : proposals.candidates) {
    texts.push_back(absl::StrCat(proposal.index, "\n", PrintConfiguration(proposal.configuration)));
  }
  return texts;
}

class StrategyTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, StrategyTest, ::testing::ValuesIn(StrategyNames()),
                         [](const auto& strategy) { return strategy.param; });

TEST_P(StrategyTest, CandidateZeroIsTheDefault) {
  SyntheticSpace space({3, 3});
  auto strategy = MakeStrategy(Options(GetParam(), 5), &space).value();
  const Proposals proposals = strategy->Propose(1);
  ASSERT_EQ(proposals.candidates.size(), 1u);
  EXPECT_EQ(proposals.candidates[0].index, 0);
  EXPECT_EQ(PrintConfiguration(proposals.candidates[0].configuration), "d0 = 0\nd1 = 0\n");
}

TEST_P(StrategyTest, ProposeChangesNothing) {
  SyntheticSpace space({4, 4, 4});
  auto strategy = MakeStrategy(Options(GetParam(), 5), &space).value();
  const auto one_by_one = TextsOf(strategy->Propose(1));
  const auto all = TextsOf(strategy->Propose(8));
  EXPECT_EQ(one_by_one[0], all[0]);
  EXPECT_EQ(TextsOf(strategy->Propose(8)), all);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(TextsOf(strategy->ProposeAt(static_cast<int64_t>(i))), std::vector<std::string>{all[i]});
  }
  EXPECT_EQ(TextsOf(strategy->Propose(0)).size(), 0u);
  auto fresh = MakeStrategy(Options(GetParam(), 5), &space).value();
  EXPECT_EQ(TextsOf(fresh->Propose(8)), all);
  auto other_seed = MakeStrategy(Options(GetParam(), 6), &space).value();
  EXPECT_NE(TextsOf(other_seed->Propose(8)), all);
}

TEST_P(StrategyTest, CoversASmallSpaceExactlyOnceAndSaysSo) {
  SyntheticSpace space({3, 3, 2});
  space.masked = true;       // d0 d1: (0,0) (1,0) (1,1) (2,0) (2,1) (2,2)
  space.conditional = true;  // three ways below d0 = 1
  auto strategy = MakeStrategy(Options(GetParam(), 9), &space).value();
  const std::vector<v1::Candidate> all = RunSearch(*strategy, 1000);
  std::set<std::string> texts;
  for (const v1::Candidate& candidate : all) texts.insert(PrintConfiguration(candidate.configuration()));
  EXPECT_EQ(texts.size(), all.size());
  EXPECT_EQ(all.size(), (1 + 3 + 2 * 3) * 2u);  // d0 = 0: 1, d0 = 2: 3, d0 = 1: 2 with 3 extras; times d2
  EXPECT_TRUE(strategy->Propose(1).exhausted);
  EXPECT_TRUE(strategy->Propose(1).candidates.empty());
}

TEST_P(StrategyTest, AFailingWalkIsACandidateOnce) {
  SyntheticSpace space({2, 2, 3});
  space.failing = true;
  auto strategy = MakeStrategy(Options(GetParam(), 3), &space).value();
  const std::vector<v1::Candidate> all = RunSearch(*strategy, 1000);
  EXPECT_EQ(all.size(), 3 * 3 + 1u);
  const auto failed = [](const v1::Candidate& c) { return c.evaluation().outcome() == v1::COMPILE; };
  ASSERT_EQ(std::count_if(all.begin(), all.end(), failed), 1);
  const v1::Candidate& failure = *std::find_if(all.begin(), all.end(), failed);
  EXPECT_EQ(PrintConfiguration(failure.configuration()), "d0 = 1\nd1 = 1\n");
}

// The state is a function of what was observed: a strategy rebuilt from any prefix proposes the same.
TEST_P(StrategyTest, RebuiltFromEveryPrefixItProposesTheSame) {
  SyntheticSpace space({4, 4, 4, 4});
  space.conditional = true;
  space.masked = true;
  space.failing = true;
  auto strategy = MakeStrategy(Options(GetParam(), 21), &space).value();
  std::vector<v1::Candidate> history;
  Random order(77);
  for (int step = 0; step < 60; ++step) {
    const Proposals proposals = strategy->Propose(10);
    ASSERT_FALSE(proposals.candidates.empty());
    auto rebuilt = MakeStrategy(Options(GetParam(), 21), &space).value();
    std::vector<v1::Candidate> recorded = history;
    std::sort(recorded.begin(), recorded.end(),
              [](const v1::Candidate& a, const v1::Candidate& b) { return a.index() < b.index(); });
    for (const v1::Candidate& candidate : recorded) ASSERT_TRUE(rebuilt->Observe(candidate).ok());
    ASSERT_EQ(TextsOf(rebuilt->Propose(10)), TextsOf(proposals)) << "after " << step;
    const Proposal& next = proposals.candidates[order.Below(proposals.candidates.size())];
    const v1::Outcome outcome = order.Below(4) == 0 ? v1::RUNTIME : v1::CORRECT;
    history.push_back(Evaluated(next, outcome));
    ASSERT_TRUE(strategy->Observe(history.back()).ok());
    ASSERT_TRUE(strategy->Observe(history.back()).ok());  // a repeat is ignored
  }
}

TEST_P(StrategyTest, OrderOfObservationDoesNotMatter) {
  SyntheticSpace space({5, 5, 5});
  auto in_order = MakeStrategy(Options(GetParam(), 4), &space).value();
  auto shuffled = MakeStrategy(Options(GetParam(), 4), &space).value();
  Random random(8);
  const auto a = RunSearch(*in_order, 60);
  const auto b = RunSearch(*shuffled, 60, &random);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].SerializeAsString(), b[i].SerializeAsString()) << i;
}

TEST_P(StrategyTest, RefusesWhatCannotBeObserved) {
  SyntheticSpace space({2, 2});
  auto strategy = MakeStrategy(Options(GetParam(), 4), &space).value();
  v1::Candidate candidate;
  EXPECT_TRUE(absl::IsInvalidArgument(strategy->Observe(candidate)));
  candidate.mutable_evaluation();
  candidate.set_index(-1);
  EXPECT_TRUE(absl::IsInvalidArgument(strategy->Observe(candidate)));
}

TEST(MakeStrategy, ChecksItsOptions) {
  SyntheticSpace space({2});
  EXPECT_FALSE(MakeStrategy(Options("genetic", 0), &space).ok());
  const auto refused = [&](const std::function<void(v1::SearchOptions*)>& change, const char* field) {
    v1::SearchOptions options = Options("ants", 0);
    change(&options);
    const absl::Status status = MakeStrategy(options, &space).status();
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(field));
  };
  refused([](v1::SearchOptions* o) { o->set_ants(-1); }, "search.ants");
  refused([](v1::SearchOptions* o) { o->set_rho(1.5); }, "search.rho");
  refused([](v1::SearchOptions* o) { o->set_alpha(-1); }, "search.alpha");
  refused([](v1::SearchOptions* o) { o->set_level(4); }, "search.level");
  refused([](v1::SearchOptions* o) { o->set_tau_min(0.96); }, "search.tau_max");
  refused([](v1::SearchOptions* o) { o->set_evaluations(-5); }, "search.evaluations");
  refused([](v1::SearchOptions* o) { o->set_beta(std::nan("")); }, "search.beta");
  refused([](v1::SearchOptions* o) { o->set_sigma(-1); }, "search.sigma");
  refused([](v1::SearchOptions* o) { o->set_seconds(-1); }, "search.seconds");
  refused([](v1::SearchOptions* o) { o->set_base_offset(20'000); }, "search.base_offset");
}

TEST(SearchOptions, DefaultsAreThePapers) {
  v1::SearchOptions options;
  FillDefaults(&options);
  EXPECT_EQ(options.strategy(), "ants");
  EXPECT_EQ(options.evaluations(), 50);
  EXPECT_EQ(options.ants(), 10);
  EXPECT_EQ(options.iterations(), 5);
  EXPECT_EQ(options.alpha(), 1);
  EXPECT_EQ(options.beta(), 1);
  EXPECT_EQ(options.rho(), 0.1);
  EXPECT_EQ(options.level(), 1);
  EXPECT_EQ(options.tau_min(), 0.05);
  EXPECT_EQ(options.tau_max(), 0.95);
  EXPECT_EQ(options.sigma(), 1);
  EXPECT_EQ(options.base_offset(), 5);
  EXPECT_TRUE(CheckSearchOptions(options).ok());
  options.clear_sigma();  // of a study that was stored before there was a tree
  options.clear_base_offset();
  EXPECT_TRUE(CheckSearchOptions(options).ok());
}

TEST_P(StrategyTest, SeedsFollowTheDefaultAndForeignOnesAreLeftOut) {
  SyntheticSpace space({4, 4, 4});
  const std::vector<v1::Configuration> seeds = {*ParseConfiguration("d0 = 3\nd1 = 2\nd2 = 1"),
                                                *ParseConfiguration("d0 = 0\nd1 = 0\nd2 = 0"),
                                                *ParseConfiguration("d0 = 9\nd1 = 2\nd2 = 1"),
                                                *ParseConfiguration("d0 = 3\nd1 = 2"),
                                                *ParseConfiguration("d0 = 1\nd1 = 2\nd2 = 1\nother = 1"),
                                                *ParseConfiguration("d0 = 2\nd1 = 2\nd2 = 2")};
  auto strategy = MakeStrategy(Options(GetParam(), 3), &space, seeds).value();
  const std::vector<v1::Candidate> all = RunSearch(*strategy, 30);
  // The default itself, options and keys that do not exist, and parts of walks are left out.
  EXPECT_EQ(PrintConfiguration(all[1].configuration()), PrintConfiguration(seeds[0]));
  EXPECT_EQ(PrintConfiguration(all[2].configuration()), PrintConfiguration(seeds[5]));
  EXPECT_EQ(strategy->ForeignSeeds(), 3);  // the default is of the space
  std::set<std::string> distinct;
  for (const v1::Candidate& candidate : all) distinct.insert(PrintConfiguration(candidate.configuration()));
  EXPECT_EQ(distinct.size(), 30u);
  // After a restart the search goes on with the same candidates, also in the middle of the seeds.
  for (const int known : {1, 2, 17}) {
    auto rebuilt = MakeStrategy(Options(GetParam(), 3), &space, seeds).value();
    for (int i = 0; i < known; ++i) ASSERT_TRUE(rebuilt->Observe(all[i]).ok());
    const std::vector<v1::Candidate> rest = RunSearch(*rebuilt, 30 - known);
    for (int i = known; i < 30; ++i) {
      EXPECT_EQ(PrintConfiguration(rest[i - known].configuration()),
                PrintConfiguration(all[i].configuration()))
          << i;
    }
    EXPECT_EQ(rebuilt->ForeignSeeds(), 3);
  }
}

// Explaining candidate i after observing 0..i-1 draws what the search had drawn, and the draws are
// consistent.
TEST_P(StrategyTest, ExplainsEveryCandidateAsItWasDrawn) {
  SyntheticSpace space({4, 5, 6});
  space.masked = true;
  space.conditional = true;
  auto strategy = MakeStrategy(Options(GetParam(), 11), &space).value();
  const std::vector<v1::Candidate> all = RunSearch(*strategy, 60);
  for (const int index : {0, 1, 9, 10, 14, 27, 59}) {
    auto fresh = MakeStrategy(Options(GetParam(), 11), &space).value();
    for (int i = 0; i < index; ++i) ASSERT_TRUE(fresh->Observe(all[i]).ok());
    const absl::StatusOr<v1::Explanation> explanation = fresh->ExplainNext();
    ASSERT_TRUE(explanation.ok()) << explanation.status();
    EXPECT_EQ(explanation->index(), index);
    EXPECT_NE(explanation->origin(), "");
    ASSERT_EQ(explanation->decisions_size(), all[index].configuration().decisions_size());
    for (int i = 0; i < explanation->decisions_size(); ++i) {
      const v1::ExplainedDecision& explained = explanation->decisions(i);
      const v1::Decision& decision = all[index].configuration().decisions(i);
      EXPECT_EQ(explained.key(), decision.key());
      EXPECT_EQ(explained.options(explained.chosen()).option(), decision.option());
      double sum = 0;
      for (const v1::ExplainedOption& option : explained.options()) {
        EXPECT_TRUE(option.closed().empty() || option.probability() == 0);
        sum += option.probability();
      }
      if (explained.reason() == "drawn") {
        EXPECT_NEAR(sum, 1, 1e-9) << index << " " << explained.key();
        EXPECT_GT(explained.options(explained.chosen()).probability(), 0);
      }
    }
  }
}

TEST(AntColony, ItsStateHasTreeAndGraph) {
  SyntheticSpace space({4, 5, 6});
  space.conditional = true;
  AntColony colony(Options("ants", 11), &space);
  EXPECT_EQ(colony.ExplainState().tree(), "");
  const std::vector<v1::Candidate> all = RunSearch(colony, 30);
  const v1::Explanation state = colony.ExplainState();
  EXPECT_EQ(state.iteration(), 5);  // 10, then 5 each
  EXPECT_NE(state.tree().find("decisions by importance"), std::string::npos);
  std::map<std::string, int64_t> visits, leaving;
  for (const v1::GraphEdge& edge : state.edges()) {
    visits[edge.key()] += edge.visits();
    for (const auto& [next, count] : edge.next()) {
      if (next != "") leaving[next] += count;
    }
  }
  EXPECT_EQ(visits["d0"], 30);
  EXPECT_EQ(visits["d2"], 30);
  EXPECT_EQ(leaving["d1"], 30);
  EXPECT_EQ(leaving["extra"], visits["extra"]) << "each visit comes from the decision before";
}

// In how many decisions candidate 9 differs from the one of candidates 0 to 8 most like it.
int LeastDistanceOfTheTenth(const std::string& strategy, uint64_t seed) {
  SyntheticSpace space({4, 4, 4, 4, 4, 4});
  const std::vector<v1::Candidate> all =
      RunSearch(*MakeStrategy(Options(strategy, seed), &space).value(), 10);
  int least = 6;
  for (int other = 0; other < 9; ++other) {
    int distance = 0;
    for (int i = 0; i < 6; ++i) {
      distance +=
          all[9].configuration().decisions(i).option() != all[other].configuration().decisions(i).option();
    }
    least = std::min(least, distance);
  }
  return least;
}

TEST(AntColony, AntsOfTheFirstIterationKeepApart) {
  int ants = 0;
  int random = 0;
  constexpr int kSeeds = 60;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    ants += LeastDistanceOfTheTenth("ants", seed);
    random += LeastDistanceOfTheTenth("random", seed);
  }
  EXPECT_GT(ants, random + kSeeds / 3);
}

TEST(AntColony, AntsElsewhereClimb) {
  SyntheticSpace space({4, 5, 6, 4, 5});
  AntColony colony(Options("ants", 5), &space);
  const std::vector<v1::Candidate> all = RunSearch(colony, 40);
  int climbed = 0;
  for (int index = 10; index < 40; ++index) {
    AntColony fresh(Options("ants", 5), &space);
    for (int i = 0; i < index; ++i) ASSERT_TRUE(fresh.Observe(all[i]).ok());
    const std::string origin = fresh.ExplainNext()->origin();
    const bool climbs = origin.find("a variant of a walk without trails in d") == 0;
    EXPECT_TRUE(!climbs || index % 10 == 1 || index % 10 == 4 || index % 10 == 7) << index << ": " << origin;
    climbed += climbs ? 1 : 0;
  }
  EXPECT_GE(climbed, 3);
}

TEST(AntColony, WaitsForTheWholeIteration) {
  SyntheticSpace space({5, 5, 5});
  AntColony colony(Options("ants", 1), &space);
  const Proposals first = colony.Propose(100);
  ASSERT_EQ(first.candidates.size(), 10u);
  for (int i = 9; i > 0; --i) ASSERT_TRUE(colony.Observe(Evaluated(first.candidates[i])).ok());
  EXPECT_EQ(colony.Propose(100).candidates.size(), 1u);
  EXPECT_EQ(colony.iteration(), 0);
  ASSERT_TRUE(colony.Observe(Evaluated(first.candidates[0])).ok());
  EXPECT_EQ(colony.iteration(), 1);
  EXPECT_EQ(colony.Propose(100).candidates.size(), 5u);  // half as many as in the first
  EXPECT_EQ(colony.Propose(100).candidates[0].index, 10);
}

// Which ant deposits: by hand from the observed times.
TEST(AntColony, IterationBestThenBestSoFar) {
  SyntheticSpace space({2, 8, 8});
  AntColony colony(Options("ants", 1), &space);
  std::map<std::string, double> tau = {{"0", 0.5}, {"1", 0.5}};
  double best_seconds = 1e9;
  std::string best_option;
  for (int iteration = 0; iteration < 8; ++iteration) {
    double iteration_seconds = 1e9;
    std::string iteration_option;
    const Proposals proposals = colony.Propose(100);
    for (const Proposal& proposal : proposals.candidates) {
      v1::Candidate candidate = Evaluated(proposal);
      // Later iterations are slower, so that the best of the iteration is not the best so far.
      const double seconds = candidate.evaluation().measurement().median() + iteration;
      candidate.mutable_evaluation()->mutable_measurement()->set_median(seconds);
      if (seconds < iteration_seconds) {
        iteration_seconds = seconds;
        iteration_option = proposal.configuration.decisions(0).option();
      }
      ASSERT_TRUE(colony.Observe(candidate).ok());
    }
    if (iteration_seconds < best_seconds) {
      best_seconds = iteration_seconds;
      best_option = iteration_option;
    }
    for (auto& [option, value] : tau) {
      const bool deposit = option == (iteration < 2 ? iteration_option : best_option);
      value = std::clamp(0.9 * value + (deposit ? 0.1 : 0), 0.05, 0.95);
      EXPECT_NEAR(colony.graph().Tau("d0", option, 2), value, 1e-12) << iteration;
    }
  }
}

TEST(AntColony, FailedCandidatesNeverDeposit) {
  SyntheticSpace space({4, 4, 4});
  AntColony colony(Options("ants", 1), &space);
  for (int iteration = 0; iteration < 3; ++iteration) {
    const Proposals proposals = colony.Propose(100);
    for (const Proposal& proposal : proposals.candidates) {
      v1::Candidate candidate = Evaluated(proposal, v1::CORRECTNESS);
      candidate.mutable_evaluation()->mutable_measurement()->set_median(1e-9);  // fast and wrong
      ASSERT_TRUE(colony.Observe(candidate).ok());
    }
  }
  for (int option = 0; option < 4; ++option) {
    EXPECT_NEAR(colony.graph().Tau("d0", absl::StrCat(option), 4), 0.25 * 0.9 * 0.9 * 0.9, 1e-12);
  }
}

TEST(AntColony, BoundsHoldThroughALongSearch) {
  SyntheticSpace space({2, 6, 6, 6, 6});
  AntColony colony(Options("ants", 12), &space);
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Proposals proposals = colony.Propose(100);
    for (const Proposal& proposal : proposals.candidates)
      ASSERT_TRUE(colony.Observe(Evaluated(proposal)).ok());
    for (int key = 0; key < 5; ++key) {
      for (int option = 0; option < (key == 0 ? 2 : 6); ++option) {
        const double tau = colony.graph().Tau(absl::StrCat("d", key), absl::StrCat(option), 6);
        ASSERT_GE(tau, 0.05);
        ASSERT_LE(tau, 0.95);
      }
    }
  }
}

TEST(AntColony, BeatsRandomOnASeparableSpace) {
  // 2 * 6^3 = 432 walks, one best; 100 of them are looked at. Random hits it in 23% of the runs.
  int ants_hits = 0;
  int random_hits = 0;
  double ants_seconds = 0;
  double random_seconds = 0;
  constexpr int kSeeds = 20;
  for (int seed = 0; seed < kSeeds; ++seed) {
    for (const bool ants : {true, false}) {
      SyntheticSpace space({2, 6, 6, 6});
      auto strategy = MakeStrategy(Options(ants ? "ants" : "random", seed), &space).value();
      double best = 1e9;
      // Candidate 0 is the same for both.
      for (const v1::Candidate& candidate : RunSearch(*strategy, 100)) {
        if (candidate.index() > 0) best = std::min(best, candidate.evaluation().measurement().median());
      }
      (ants ? ants_hits : random_hits) += best == 1;
      (ants ? ants_seconds : random_seconds) += best;
    }
  }
  EXPECT_GT(ants_hits, random_hits + kSeeds / 5) << ants_hits << " against " << random_hits;
  EXPECT_LT(ants_seconds, random_seconds);
}

// Two kernels with eight decisions each, both asked about before anything that could tell them apart.
class TwoKernels : public Space {
 public:
  absl::Status Walk(Chooser& chooser) override {
    for (const char* kernel : {"k[S0]", "k[S1]"}) {
      for (int i = 0; i < 8; ++i) {
        DecisionPoint point{absl::StrCat(kernel, ".d", i), {"0", "1", "2"}, {true, true, true}, 2};
        TUNE_RETURN_IF_ERROR(chooser.Choose(point).status());
      }
    }
    return absl::OkStatus();
  }
};

// Each kernel takes the sum of its options.
v1::Candidate EvaluatedByKernel(const Proposal& proposal) {
  v1::Candidate candidate = Evaluated(proposal);
  std::map<std::string, double> seconds = {{"k[S0]", 1}, {"k[S1]", 1}};
  for (const v1::Decision& decision : proposal.configuration.decisions()) {
    seconds[decision.key().substr(0, 5)] += decision.option()[0] - '0';
  }
  for (const auto& [name, of_kernel] : seconds) {
    v1::KernelEvaluation* kernel = candidate.mutable_evaluation()->add_kernels();
    kernel->set_name(name);
    kernel->set_seconds(of_kernel);
  }
  candidate.mutable_evaluation()->mutable_measurement()->set_median(seconds["k[S0]"] + seconds["k[S1]"]);
  return candidate;
}

TEST(AntColony, Ant0CombinesTheBestOfEachKernel) {
  TwoKernels space;
  AntColony colony(Options("ants", 2), &space);
  std::map<std::string, std::pair<double, std::string>> best;  // kernel -> seconds, its decisions
  const Proposals proposals = colony.Propose(100);
  for (const Proposal& proposal : proposals.candidates) {
    const v1::Candidate candidate = EvaluatedByKernel(proposal);
    for (const v1::KernelEvaluation& kernel : candidate.evaluation().kernels()) {
      std::string decisions;
      for (const v1::Decision& decision : candidate.configuration().decisions()) {
        if (decision.key().substr(0, 5) == kernel.name()) decisions += decision.option();
      }
      auto& known = best[kernel.name()];
      if (known.second.empty() || kernel.seconds() < known.first) known = {kernel.seconds(), decisions};
    }
    ASSERT_TRUE(colony.Observe(candidate).ok());
  }
  std::map<std::string, std::string> combined;
  const Proposals next = colony.Propose(1);
  for (const v1::Decision& decision : next.candidates[0].configuration.decisions()) {
    combined[decision.key().substr(0, 5)] += decision.option();
  }
  EXPECT_EQ(combined["k[S0]"], best["k[S0]"].second);
  EXPECT_EQ(combined["k[S1]"], best["k[S1]"].second);
}

// Mean of the best times after 40 evaluations, over 20 seeds.
double MeanBest(const std::function<void(v1::SearchOptions*)>& change,
                v1::Candidate (*evaluated)(const Proposal& proposal)) {
  double sum = 0;
  for (int seed = 0; seed < 20; ++seed) {
    TwoKernels space;
    v1::SearchOptions options = Options("ants", seed);
    change(&options);
    AntColony colony(options, &space);
    double best = 1e9;
    for (int i = 0; i < 40; ++i) {
      const v1::Candidate candidate = evaluated(colony.Propose(1).candidates[0]);
      best = std::min(best, candidate.evaluation().measurement().median());
      EXPECT_TRUE(colony.Observe(candidate).ok());
    }
    sum += best;
  }
  return sum / 20;
}

TEST(AntColony, TheTreeAndTheKernelsEachHelp) {
  const double none = MeanBest(
      [](v1::SearchOptions* options) {
        options->set_no_tree(true);
        options->set_no_kernel_updates(true);
      },
      EvaluatedByKernel);
  const double kernels =
      MeanBest([](v1::SearchOptions* options) { options->set_no_tree(true); }, EvaluatedByKernel);
  const double tree =
      MeanBest([](v1::SearchOptions* options) { options->set_no_kernel_updates(true); }, EvaluatedByKernel);
  const double full = MeanBest([](v1::SearchOptions*) {}, EvaluatedByKernel);
  EXPECT_LT(kernels, none);
  EXPECT_LT(tree, none);
  EXPECT_LT(full, kernels);
  EXPECT_LT(full, tree);
}

// Candidates whose first kernel has few warps are slow; no time tells of it before the last decision.
v1::Candidate EvaluatedWithMetrics(const Proposal& proposal) {
  v1::Candidate candidate = EvaluatedByKernel(proposal);
  for (v1::KernelEvaluation& kernel : *candidate.mutable_evaluation()->mutable_kernels()) {
    v1::Metric* metric = kernel.add_metrics();
    metric->set_name("achieved_occupancy");
    metric->set_normalised(1 - (kernel.seconds() - 1) / 16);
    kernel.set_seconds(0);  // not known by kernel
  }
  return candidate;
}

TEST(AntColony, MetricsHelpWhereTheyTellMoreThanTheTime) {
  const auto pheromone_only = [](v1::SearchOptions* options) {
    options->set_no_tree(true);
    options->set_no_metrics(true);
  };
  const auto with_metrics = [](v1::SearchOptions* options) { options->set_no_tree(true); };
  EXPECT_LT(MeanBest(with_metrics, EvaluatedWithMetrics), MeanBest(pheromone_only, EvaluatedWithMetrics));
}

// The default is the top of the lower of two hills, where every change is for the worse.
double TwoHillsSeconds(const v1::Configuration& configuration) {
  int low = 0;
  int high = 0;
  for (const v1::Decision& decision : configuration.decisions()) {
    low += decision.option() == "0" ? 1 : 0;
    high += decision.option() == "3" ? 1 : 0;
  }
  return 4 - std::max(0.5 * low, 0.6 * high);
}

TEST(AntColony, ClimbsASecondHill) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SyntheticSpace space({4, 4, 4, 4, 4});
    AntColony colony(Options("ants", seed), &space);
    double best = 4;
    for (int i = 0; i < 100; ++i) {
      v1::Candidate candidate = Evaluated(colony.Propose(1).candidates[0]);
      const double seconds = TwoHillsSeconds(candidate.configuration());
      candidate.mutable_evaluation()->mutable_measurement()->set_median(seconds);
      ASSERT_TRUE(colony.Observe(candidate).ok());
      best = std::min(best, seconds);
    }
    found += best < 1.2 ? 1 : 0;
  }
  EXPECT_GE(found, 8);
}

// Knows how many walks there are, asks in one order or the other, and has branches of few walks: neighbours
// that are both above 1 must add up to 5.
class ThinSpace : public Space {
 public:
  explicit ThinSpace(bool reversed) : reversed_(reversed) {}

  absl::Status Walk(Chooser& chooser) override {
    std::vector<int> chosen(kDecisions, -1);
    for (int i = 0; i < kDecisions; ++i) {
      const int decision = reversed_ ? kDecisions - 1 - i : i;
      DecisionPoint point{absl::StrCat("d", decision), {}, {}, 0};
      for (int option = 0; option < kOptions; ++option) {
        chosen[decision] = option;
        point.options.push_back(absl::StrCat(option));
        point.walks.push_back(CountWalks(chosen, 0));
        point.allowed.push_back(point.walks.back() > 0);
      }
      TUNE_ASSIGN_OR_RETURN(chosen[decision], chooser.Choose(point));
    }
    return absl::OkStatus();
  }

 private:
  static constexpr int kDecisions = 3;
  static constexpr int kOptions = 5;

  static bool IsValid(const std::vector<int>& chosen) {
    for (int i = 0; i + 1 < kDecisions; ++i) {
      if (chosen[i] > 1 && chosen[i + 1] > 1 && chosen[i] + chosen[i + 1] != kOptions) return false;
    }
    return true;
  }
  static int CountWalks(std::vector<int> chosen, int decision) {
    if (decision == kDecisions) return IsValid(chosen) ? 1 : 0;
    if (chosen[decision] >= 0) return CountWalks(std::move(chosen), decision + 1);
    int walks = 0;
    for (chosen[decision] = 0; chosen[decision] < kOptions; ++chosen[decision])
      walks += CountWalks(chosen, decision + 1);
    return walks;
  }

  const bool reversed_;
};

// How often a walk of the first iteration, the default left out, has option "4" for a decision.
std::map<std::string, double> SharesOfFour(bool reversed) {
  std::map<std::string, double> shares;
  constexpr int kSeeds = 150;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ThinSpace space(reversed);
    AntColony colony(Options("ants", seed), &space);
    for (const Proposal& proposal : colony.Propose(10).candidates) {
      if (proposal.index == 0) continue;
      for (const v1::Decision& decision : proposal.configuration.decisions())
        shares[decision.key()] += decision.option() == "4" ? 1.0 / (9 * kSeeds) : 0;
    }
  }
  return shares;
}

TEST(AntColony, FirstWalksDoNotDependOnTheOrderOfDecisions) {
  const std::map<std::string, double> forwards = SharesOfFour(false);
  for (const auto& [key, share] : SharesOfFour(true)) EXPECT_NEAR(share, forwards.at(key), 0.04) << key;
}

TEST(AntColony, OptionsThatFailAreTakenLess) {
  SyntheticSpace space({4, 6, 6, 4, 6});
  AntColony colony(Options("ants", 8), &space);
  int failed_late = 0;
  for (int i = 0; i < 80; ++i) {
    const Proposal proposal = colony.Propose(1).candidates[0];
    const bool fails = proposal.configuration.decisions(3).option() == "0" && proposal.index > 0;
    failed_late += fails && i >= 40 ? 1 : 0;
    ASSERT_TRUE(colony.Observe(Evaluated(proposal, fails ? v1::RUNTIME : v1::CORRECT)).ok());
  }
  // The times of the others say that "0" is the best option of d3; a quarter of 40 would take it blindly.
  EXPECT_LT(failed_late, 8);
}

}  // namespace
}  // namespace tune
