#include "server/replay/recorded_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "common/decision/configuration.h"
#include "server/replay/kernel_tuner_cache.h"
#include "server/replay/space_replay.h"
#include "server/search/search_options.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kCache[] = R"({
  "device_name": "a device", "tune_params_keys": ["x", "one", "mode"], "tune_params": {},
  "cache": {
    "64,1,a": {"x": 64, "one": 1, "mode": "a", "time": 4.0, "times": [4.0, 4.1]},
    "8,1,b":  {"x": 8, "one": 1, "mode": "b", "time": 2.0, "times": []},
    "64,1,b": {"x": 64, "one": 1, "mode": "b", "time": "RuntimeFailedConfig"},
    "16,1,a": {"x": 16, "one": 1, "mode": "a", "time": 1.0},
    "16,1,b": {"x": 16, "one": 1, "mode": "b", "time": "CompilationFailedConfig"}
  }})";

std::unique_ptr<RecordedSpace> CacheSpace() {
  return RecordedSpace::Make(*ParseRecordedCandidates(kCache)).value();
}

// Takes the option at a position, or the first allowed.
class ListChooser : public Chooser {
 public:
  explicit ListChooser(std::vector<int> answers) : answers_(std::move(answers)) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    points.push_back(point);
    return answers_[points.size() - 1];
  }
  std::vector<DecisionPoint> points;

 private:
  std::vector<int> answers_;
};

TEST(RecordedSpace, AsksWhatLeadsToRecordedCandidates) {
  const auto space = CacheSpace();
  EXPECT_EQ(space->size(), 5u);
  EXPECT_EQ(space->correct(), 3);
  EXPECT_DOUBLE_EQ(space->best_seconds(), 1);
  ListChooser chooser({0, 1});
  RecordingChooser recording(&chooser);
  ASSERT_TRUE(space->Walk(recording).ok());
  ASSERT_EQ(chooser.points.size(), 2u) << "there is never a choice of `one`";
  EXPECT_THAT(chooser.points[0].options, ElementsAre("8", "16", "64")) << "numbers ascend";
  EXPECT_THAT(chooser.points[0].allowed, ElementsAre(true, true, true));
  EXPECT_EQ(chooser.points[0].default_option, 1);
  EXPECT_THAT(chooser.points[1].options, ElementsAre("a", "b"));
  EXPECT_THAT(chooser.points[1].allowed, ElementsAre(false, true)) << "8, a is not in the file";
  EXPECT_THAT(chooser.points[0].walks, ElementsAre(1, 2, 2));
  EXPECT_THAT(chooser.points[1].walks, ElementsAre(0, 1));
  const auto evaluation = space->Evaluate(recording.configuration());
  ASSERT_TRUE(evaluation.ok());
  EXPECT_DOUBLE_EQ((*evaluation)->measurement().median(), 2);
}

TEST(RecordedSpace, RefusesWhatIsNotThere) {
  const auto space = CacheSpace();
  EXPECT_TRUE(absl::IsNotFound(space->Evaluate(*ParseConfiguration("x = 8\nmode = a")).status()));
  EXPECT_TRUE(absl::IsNotFound(space->Evaluate(*ParseConfiguration("x = 8")).status()));
  EXPECT_TRUE(absl::IsNotFound(space->Evaluate(*ParseConfiguration("x = 8\nmode = b\nmore = 1")).status()));
  EXPECT_TRUE(absl::IsNotFound(space->Evaluate(*ParseConfiguration("x = 9\nmode = a")).status()));
  EXPECT_FALSE(RecordedSpace::Make({}).ok());
  const RecordedCandidate twice{{{"a", "1"}, {"b", "1"}}, {}};
  const RecordedCandidate other{{{"a", "2"}, {"b", "2"}}, {}};
  EXPECT_THAT(std::string(RecordedSpace::Make({twice, other, twice}).status().message()),
              HasSubstr("same decisions"));
  const RecordedCandidate differs{{{"a", "1"}, {"c", "2"}}, {}};
  const RecordedCandidate again{{{"a", "1"}, {"c", "1"}}, {}};
  EXPECT_THAT(std::string(RecordedSpace::Make({twice, other, differs, again}).status().message()),
              HasSubstr("decides b and another c"));
}

TEST(ParseRecordedCandidates, WordsOfFailuresAreOutcomes) {
  const auto candidates = *ParseRecordedCandidates(kCache);
  EXPECT_EQ(candidates[2].evaluation.outcome(), v1::RUNTIME);
  EXPECT_EQ(candidates[2].evaluation.message(), "RuntimeFailedConfig");
  EXPECT_EQ(candidates[4].evaluation.outcome(), v1::COMPILE);
}

TEST(ParseRecordedCandidates, TheOrderOfTheFileDoesNotMatter) {
  const auto candidates = *ParseRecordedCandidates(R"({
    "cache": {"1": {"time": 2, "mode": "a", "times": [1, [2]], "note": {"x": 3}, "x": 64, "half": 0.5, "on": true}},
    "tune_params_keys": ["x", "mode", "half", "on"], "later": {"cache": 1}})");
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_THAT(candidates[0].decisions,
              ElementsAre(testing::Pair("x", "64"), testing::Pair("mode", "a"), testing::Pair("half", "0.5"),
                          testing::Pair("on", "true")));
  EXPECT_DOUBLE_EQ(candidates[0].evaluation.measurement().median(), 2);
}

TEST(ParseRecordedCandidates, ReadsResultsInT4) {
  const auto candidates = *ParseRecordedCandidates(R"({"results": [
    {"configuration": {"z": 1, "a": "u"}, "invalidity": "correct", "measurements": [{"name": "time", "value": 0.5}]},
    {"configuration": {"z": 2, "a": "v"}, "invalidity": "timeout", "measurements": []}]})");
  ASSERT_EQ(candidates.size(), 2u);
  EXPECT_THAT(candidates[0].decisions, ElementsAre(testing::Pair("z", "1"), testing::Pair("a", "u")));
  EXPECT_DOUBLE_EQ(candidates[0].evaluation.measurement().median(), 0.5);
  EXPECT_EQ(candidates[1].evaluation.outcome(), v1::TIMEOUT);
}

// The fastest is not the thriftiest, nor the one with the highest rate.
constexpr char kEnergyCache[] = R"({
  "device_name": "a device", "tune_params_keys": ["x"], "tune_params": {}, "objective": ["nvml_energy", "time"],
  "cache": {
    "1": {"x": 1, "time": 1.0, "nvml_energy": 9, "GFLOP/s": 5, "compile_time": 0.1, "times": [1.0]},
    "2": {"x": 2, "time": 3.0, "nvml_energy": 4, "GFLOP/s": 7, "extra": {"deep": [1]}},
    "3": {"x": 3, "time": "RuntimeFailedConfig", "nvml_energy": 1},
    "4": {"x": 4, "time": 2.0, "GFLOP/s": 6}
  }})";

std::vector<double> MediansOf(const std::vector<RecordedCandidate>& candidates) {
  std::vector<double> medians;
  for (const RecordedCandidate& candidate : candidates)
    medians.push_back(candidate.evaluation.measurement().median());
  return medians;
}

TEST(ParseRecordedCandidates, AreJudgedByTheFilesObjectiveOrTheOneThatIsAskedFor) {
  v1::SearchOptions search;
  EXPECT_THAT(MediansOf(*ParseRecordedCandidates(kEnergyCache, &search)), ElementsAre(9, 4, 0, 0));
  EXPECT_EQ(search.objective(), "energy");
  const auto space = RecordedSpace::Make(*ParseRecordedCandidates(kEnergyCache)).value();
  EXPECT_EQ(space->correct(), 3);
  EXPECT_EQ(space->best_seconds(), 4) << "what has no energy is no best";
  search.set_objective("time");
  EXPECT_THAT(MediansOf(*ParseRecordedCandidates(kEnergyCache, &search)), ElementsAre(1, 3, 0, 2));
  search.set_objective("GFLOP/s");
  search.set_maximise(true);
  EXPECT_THAT(MediansOf(*ParseRecordedCandidates(kEnergyCache, &search)),
              ElementsAre(1.0 / 5, 1.0 / 7, 0, 1.0 / 6));
  search = {};
  const auto named = *ParseRecordedCandidates(R"({"tune_params_keys": ["x"], "objective": "GFLOP/s",
    "cache": {"1": {"x": 1, "time": 1, "GFLOP/s": 4}, "2": {"x": 2, "time": 1, "GFLOP/s": 8}}})",
                                              &search);
  EXPECT_TRUE(search.maximise()) << "Kernel Tuner's own direction";
  EXPECT_THAT(MediansOf(named), ElementsAre(1.0 / 4, 1.0 / 8));
  search = {};
  const auto own = *ParseRecordedCandidates(R"({"tune_params_keys": ["x"], "objective": "price",
    "tuned": {"version": 1, "maximise": true}, "cache": {"1": {"x": 1, "time": 1, "price": 4}}})",
                                            &search);
  EXPECT_TRUE(search.maximise());
  EXPECT_THAT(MediansOf(own), ElementsAre(1.0 / 4));
  search = {};
  const auto t4 = *ParseRecordedCandidates(R"({"results": [
    {"configuration": {"z": 1}, "invalidity": "correct", "objectives": ["energy"],
     "measurements": [{"name": "energy", "value": 7}, {"name": "time", "value": 0.5}]}]})",
                                           &search);
  EXPECT_EQ(search.objective(), "energy");
  EXPECT_THAT(MediansOf(t4), ElementsAre(7));
}

TEST(ParseRecordedCandidates, SaysWhatIsWrong) {
  const auto refusal = [](const char* text) {
    return std::string(ParseRecordedCandidates(text).status().message());
  };
  EXPECT_THAT(refusal("{"), HasSubstr("parse error"));
  EXPECT_THAT(refusal("[]"), HasSubstr("must hold an object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("neither `cache`"));
  EXPECT_THAT(refusal(R"({"cache": {}})"), HasSubstr("tune_params_keys"));
  EXPECT_THAT(refusal(R"({"tune_params_keys": ["x"], "cache": {"1": {"time": 1}}})"), HasSubstr("has no x"));
  EXPECT_THAT(refusal(R"({"tune_params_keys": ["x"], "cache": {"1": {"x": 1}}})"), HasSubstr("has no time"));
  EXPECT_THAT(refusal(R"({"tune_params_keys": ["x"], "cache": {"1": {"x": [1], "time": 1}}})"),
              HasSubstr("cache[\"1\"]: x is a list or an object"));
  EXPECT_THAT(refusal(R"({"tune_params_keys": ["x"], "cache": {"1": 5}})"),
              HasSubstr("cache[\"1\"]: must be an object"));
  EXPECT_THAT(refusal(R"({"tune_params_keys": ["x"], "cache": [1]})"), HasSubstr("cache: must be an object"));
  EXPECT_THAT(refusal(R"({"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 1}})"),
              HasSubstr("parse error"));
  EXPECT_THAT(refusal(R"({"results": [{"configuration": {"x": 1}}]})"),
              HasSubstr("results[0]: has no measurements"));
}

v1::SearchOptions OptionsOf(const std::string& strategy, int budget, uint64_t seed) {
  v1::SearchOptions options;
  options.set_strategy(strategy);
  options.set_evaluations(budget);
  options.set_seed(seed);
  FillDefaults(&options);
  return options;
}

TEST(ReplaySpace, EvaluatesEachCandidateOnceAndFindsTheBest) {
  for (const std::string& strategy : StrategyNames()) {
    const auto space = CacheSpace();
    const auto replay = ReplaySpace(OptionsOf(strategy, 50, 3), space.get());
    ASSERT_TRUE(replay.ok()) << replay.status();
    ASSERT_EQ(replay->best_so_far.size(), 5u) << "the space is exhausted";
    EXPECT_DOUBLE_EQ(replay->best_so_far.back(), 1);
    EXPECT_TRUE(std::is_sorted(replay->best_so_far.rbegin(), replay->best_so_far.rend()));
    EXPECT_EQ(ReplaySpace(OptionsOf(strategy, 3, 3), space.get())->best_so_far.size(), 3u);
  }
}

TEST(ReplaySpace, SummariesAreSharesOfTheOptimum) {
  const SpaceReplay a{1, {INFINITY, 4, 2}};
  const SpaceReplay b{2, {2, 2, 1}};
  const SpaceReplay c{3, {8, 1, 1}};
  const ReplaySummary first = Summarise({a, b, c}, 1, 1);
  EXPECT_DOUBLE_EQ(first.median, 0.125);
  EXPECT_DOUBLE_EQ(first.mean, (0 + 0.5 + 0.125) / 3);
  EXPECT_DOUBLE_EQ(first.worst, 0);
  EXPECT_DOUBLE_EQ(Summarise({a, b, c}, 1, 100).median, 1) << "the space ended before";
}

}  // namespace
}  // namespace tune
