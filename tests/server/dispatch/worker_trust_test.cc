#include "server/dispatch/worker_trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/common/testing/sanitized.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kRuns = testing::kSanitized ? 300 : 10'000;

double Normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.Uniform())) * std::cos(2 * M_PI * random.Uniform());
}

// How a worker measures.
struct Habit {
  double noise = 0.05;       // of a median, relative
  double pace = 1;           // its times are the true ones times this
  double passes_wrong = 0;   // probability of calling a wrong candidate correct
  double refuses_right = 0;  // of calling a correct one wrong
};

struct SimulatedStudy {
  SimulatedStudy(std::vector<Habit> habits, uint64_t seed)
      : habits(std::move(habits)), random(seed), trust({}, seed) {}

  static std::string NameOf(size_t worker) { return std::string(1, static_cast<char>('a' + worker)); }

  // Workers evaluate in random order until one has made so many evaluations; what was held against whom, and
  // after how many evaluations of that worker, is in the two maps.
  void Run(size_t last, int evaluations) {
    while (done[last] < evaluations && set_aside.empty()) Step(random.Below(habits.size()));
  }

  void Step(size_t worker) {
    const std::optional<TaskId> check = trust.NextCheck(NameOf(worker));
    TaskId task{1, TaskKind::kEvaluate, static_cast<int64_t>(truth.size())};
    if (check.has_value()) {
      task = *check;
      ++checks;
    } else {
      truth.emplace_back(std::exp(random.Uniform() * 3), random.Uniform() >= wrong_share);
    }
    ++done[worker];
    const auto& [seconds, right] = truth[task.index];
    const Habit& habit = habits[worker];
    CandidateVote vote{NameOf(worker), right, seconds * habit.pace * std::exp(habit.noise * Normal(random))};
    if (random.Uniform() < (right ? habit.refuses_right : habit.passes_wrong)) vote.correct = !right;
    for (const Distrust& distrust : trust.Add(task, vote, true)) {
      (distrust.set_aside ? set_aside : told)[distrust.worker] = distrust.why;
    }
  }

  const std::vector<Habit> habits;
  Random random;
  WorkerTrust trust;
  double wrong_share = 0.25;
  std::vector<std::pair<double, bool>> truth;  // seconds, whether it is correct
  std::map<size_t, int> done;
  int checks = 0;
  std::map<std::string, std::string> set_aside, told;
};

// Of kRuns seeded studies, those in which exactly worker a was set aside within 50 of its evaluations, and
// those in which anybody else was.
struct Tally {
  int found = 0, wronged = 0;
};
Tally Simulate(const std::vector<Habit>& habits, int runs = kRuns) {
  Tally tally;
  for (int run = 0; run < runs; ++run) {
    SimulatedStudy study(habits, 1000 + run);
    study.Run(0, 50);
    tally.found += static_cast<int>(study.set_aside.count("a"));
    tally.wronged += static_cast<int>(study.set_aside.size() - study.set_aside.count("a"));
  }
  std::cout << "of " << runs << " runs: a set aside in " << tally.found << ", others in " << tally.wronged
            << "\n";
  return tally;
}

TEST(BoundsOfMedianTest, OrderStatisticsOfMeans) {
  // Of eight values the extremes: 2 of 2^8 assignments of signs lie outside, 0.8 %.
  const MedianBounds eight = BoundsOfMedian({1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(eight.low, 1);
  EXPECT_EQ(eight.high, 8);
  std::vector<double> many;
  for (int i = -50; i <= 50; ++i) many.push_back(i);
  const MedianBounds bounds = BoundsOfMedian(many);
  EXPECT_NEAR(bounds.low, -7.8, 1);  // 2.576 standard errors of the mean of ranks
  EXPECT_EQ(bounds.high, -bounds.low);
}

class HonestTest : public ::testing::TestWithParam<std::pair<int, double>> {};

// No run of ten thousand, with three or eight workers: below 0.03 % a study of 50 evaluations a worker, with
// 95 % confidence.
TEST_P(HonestTest, NoiseSetsNobodyAside) {
  const auto [workers, noise] = GetParam();
  const Tally tally =
      Simulate(std::vector<Habit>(workers, {.noise = noise}), workers > 3 ? kRuns / 5 : kRuns);
  EXPECT_EQ(tally.found + tally.wronged, 0);
}

INSTANTIATE_TEST_SUITE_P(Workers, HonestTest,
                         ::testing::Values(std::pair(3, 0.02), std::pair(3, 0.05), std::pair(8, 0.05)));

class BiasTest : public ::testing::TestWithParam<std::pair<double, double>> {};

TEST_P(BiasTest, IsFoundWithinFiftyEvaluations) {
  const auto [pace, noise] = GetParam();
  for (const size_t others : {2, 5}) {
    std::vector<Habit> habits(1 + others, {.noise = noise});
    habits[0].pace = pace;
    const Tally tally = Simulate(habits);
    EXPECT_GE(tally.found, 0.99 * kRuns) << others << " others";
    EXPECT_LE(tally.wronged, 0.0005 * kRuns) << others << " others";
  }
}

INSTANTIATE_TEST_SUITE_P(Paces, BiasTest,
                         ::testing::Values(std::pair(1.2, 0.02), std::pair(1.2, 0.05), std::pair(0.8, 0.05)));

TEST(VerdictTest, WrongOnesAreFoundWithinFiftyEvaluations) {
  for (const Habit& habit : {Habit{.passes_wrong = 1}, Habit{.refuses_right = 0.5}}) {
    const Tally tally = Simulate({habit, {}, {}});
    EXPECT_GE(tally.found, 0.99 * kRuns);
    EXPECT_EQ(tally.wronged, 0);
  }
}

TEST(PairTest, NobodyIsSetAsideAndBothAreTold) {
  SimulatedStudy study({{.pace = 1.2}, {}}, 7);
  study.wrong_share = 0;
  study.Run(0, 200);
  EXPECT_THAT(study.set_aside, IsEmpty());
  ASSERT_THAT(study.told, SizeIs(2));
  EXPECT_THAT(study.told["a"], HasSubstr("times as long as b"));
  EXPECT_THAT(study.told["b"], HasSubstr("times as long as a"));
}

TEST(PairTest, AThirdOneTellsWhoIsWrong) {
  SimulatedStudy study({{.pace = 1.2}, {}, {}}, 7);
  while (study.told.empty()) study.Step(study.random.Below(2));
  study.Run(0, 200);
  ASSERT_THAT(study.set_aside, SizeIs(1));
  EXPECT_EQ(study.set_aside.count("a"), 1u);
}

TEST(CheckTest, TakeATenthOfTheWorkOfWorkersThatAgree) {
  SimulatedStudy study({{.noise = 0.02}, {.noise = 0.02}, {.noise = 0.02}}, 3);
  study.Run(0, 1000);
  int evaluations = 0;
  for (const auto& [worker, done] : study.done) evaluations += done;
  EXPECT_NEAR(study.checks, 0.1 * evaluations, 0.02 * evaluations);
}

TEST(CheckTest, AreOfOthersCandidatesOfStudiesThatAreThere) {
  WorkerTrust trust;
  const auto add = [&](int64_t study, int64_t index, const std::string& worker) {
    trust.Add({study, TaskKind::kEvaluate, index}, {worker, true, 1}, true);
  };
  add(1, 0, "a");
  EXPECT_FALSE(trust.NextCheck("a").has_value()) << "its own";
  add(2, 0, "b");
  EXPECT_EQ(trust.NextCheck("a"), (TaskId{2, TaskKind::kEvaluate, 0}));
  EXPECT_FALSE(trust.NextCheck("a").has_value()) << "one at a time";
  trust.ForgetStudy(1);
  EXPECT_FALSE(trust.NextCheck("b").has_value());
}

}  // namespace
}  // namespace tune
