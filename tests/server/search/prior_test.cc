// What is known of a computation elsewhere, and what a colony makes of it.
#include "server/search/prior.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/decision/configuration.h"
#include "server/search/ant_colony.h"
#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

v1::Configuration Configured(const std::string& a, const std::string& b) {
  return *ParseConfiguration("d0 = " + a + "\nd1 = " + b);
}

Trace TraceTo(const std::string& a, const std::string& b) {
  return {{{"d0", {a}, {true}}, 0}, {{"d1", {b}, {true}}, 0}};
}

void Add(const std::string& a, const std::string& b, double seconds, v1::KnownResults* known) {
  v1::KnownResult* result = known->add_results();
  *result->mutable_configuration() = Configured(a, b);
  result->set_seconds(seconds);
}

v1::KnownResults FirstSource() {
  v1::KnownResults known;
  Add("0", "0", 1, &known);
  Add("1", "0", 2, &known);
  Add("1", "1", 0, &known);
  return known;
}

v1::KnownResults SecondSource() {
  v1::KnownResults known;
  Add("1", "0", 10, &known);
  Add("0", "0", 40, &known);
  Add("0", "1", 20, &known);
  return known;
}

TEST(Prior, SourcesSayHowFarTheyAreFromTheirBest) {
  const Prior prior({FirstSource(), SecondSource()}, 1);
  const Prior::Sayings sayings = prior.SayingsOf(TraceTo("0", "0"));
  ASSERT_EQ(sayings.size(), 2u);
  EXPECT_NEAR(sayings[0], 0, 1e-12);
  EXPECT_NEAR(sayings[1], std::log(4), 1e-12);
  EXPECT_NEAR(prior.MeanOf(sayings), std::log(2), 1e-12);
  EXPECT_EQ(prior.SayingsOf(TraceTo("1", "1"))[0], 3) << "it failed";
  const double unknown = prior.SayingsOf(TraceTo("0", "1"))[0];
  EXPECT_GE(unknown, 0);
  EXPECT_LE(unknown, 3);
}

TEST(Prior, ASourceWithoutACorrectResultIsNone) {
  v1::KnownResults failed;
  Add("0", "0", 0, &failed);
  EXPECT_TRUE(Prior({failed, v1::KnownResults()}, 1).empty());
}

TEST(Prior, SourcesThatForetellMoreWeighMore) {
  Prior prior({FirstSource(), SecondSource()}, 1);
  // Here it is as the second says.
  for (const char* a : {"0", "1"}) {
    const Prior::Sayings sayings = prior.SayingsOf(TraceTo(a, "0"));
    prior.Observe(sayings, 7 * std::exp(sayings[1]));
  }
  prior.Weigh();
  EXPECT_LT(prior.MeanOf({3, 0}), 0.1);
  EXPECT_EQ(PrintConfiguration(prior.Promising(1)[0]), "d0 = 1\nd1 = 0\n");
}

TEST(Prior, ComplementsAreTheBestOfEachSource) {
  const Prior prior({FirstSource(), SecondSource()}, 1);
  std::vector<std::string> texts;
  for (const v1::Configuration& configuration : prior.Complementing({}, 2))
    texts.push_back(PrintConfiguration(configuration));
  EXPECT_THAT(texts, ElementsAre("d0 = 1\nd1 = 0\n", "d0 = 0\nd1 = 0\n"));
  // What was made brings nothing more.
  EXPECT_EQ(PrintConfiguration(prior.Complementing({TraceTo("1", "0")}, 1)[0]), "d0 = 0\nd1 = 0\n");
}

// The separable space on another device, where everything takes three times as long and one decision is
// another.
std::vector<v1::KnownResults> KnownOfSeparable(Space* space) {
  v1::KnownResults known;
  for (const v1::Candidate& candidate : RunSearch(*MakeStrategy(Options("random", 3), space).value(), 150)) {
    v1::KnownResult* result = known.add_results();
    *result->mutable_configuration() = candidate.configuration();
    const bool slower = candidate.configuration().decisions(3).option() == "0";
    result->set_seconds(3 * candidate.evaluation().measurement().median() + (slower ? 4 : 0));
  }
  return {known};
}

double BestOfTen(const std::vector<v1::KnownResults>& known, uint64_t seed) {
  SyntheticSpace space({2, 6, 6, 6});
  AntColony colony(Options("ants", seed), &space, {}, known);
  double best = 1e9;
  for (const v1::Candidate& candidate : RunSearch(colony, 10)) {
    if (candidate.index() > 0) best = std::min(best, candidate.evaluation().measurement().median());
  }
  return best;
}

TEST(AntColony, BeginsWithWhatIsKnownElsewhere) {
  SyntheticSpace space({2, 6, 6, 6});
  const std::vector<v1::KnownResults> known = KnownOfSeparable(&space);
  double with = 0;
  double without = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    with += BestOfTen(known, seed) / 20;
    without += BestOfTen({}, seed) / 20;
  }
  EXPECT_LT(with, 3.1);
  EXPECT_GT(without, 4);
}

TEST(AntColony, WhatIsKnownOfOtherSpacesDoesNoHarm) {
  v1::KnownResults foreign;
  v1::KnownResult* result = foreign.add_results();
  *result->mutable_configuration() = *ParseConfiguration("other = 7\nd0 = 9");
  result->set_seconds(1);
  SyntheticSpace space({3, 3});
  AntColony colony(Options("ants", 1), &space, {}, {foreign});
  EXPECT_EQ(RunSearch(colony, 100).size(), 9u);
}

TEST(AntColony, RebuiltWithWhatIsKnownItProposesTheSame) {
  SyntheticSpace space({2, 6, 6, 6});
  const std::vector<v1::KnownResults> known = KnownOfSeparable(&space);
  AntColony colony(Options("ants", 4), &space, {}, known);
  const std::vector<v1::Candidate> all = RunSearch(colony, 30);
  for (const int seen : {3, 5, 12, 20}) {
    AntColony rebuilt(Options("ants", 4), &space, {}, known);
    for (int i = 0; i < seen; ++i) ASSERT_TRUE(rebuilt.Observe(all[i]).ok());
    const std::vector<v1::Candidate> rest = RunSearch(rebuilt, 30 - seen);
    for (int i = seen; i < 30; ++i) {
      EXPECT_EQ(PrintConfiguration(rest[i - seen].configuration()),
                PrintConfiguration(all[i].configuration()));
    }
  }
}

}  // namespace
}  // namespace tune
