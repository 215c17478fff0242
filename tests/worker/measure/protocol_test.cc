#include "worker/measure/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// A machine whose clock runs only while something of it does.
struct Machine : Surroundings {
  absl::Status Prepare() override {
    log += "prepare ";
    return absl::OkStatus();
  }
  bool Disturbed() override {
    if (disturbances == 0) return false;
    --disturbances;
    return true;
  }
  bool Over() const override { return over; }
  bool TimeFor(double seconds) const override { return wall == 0 || now + seconds < wall; }
  double Now() const override { return now; }
  std::string TimeIsOver() const override { return "no time"; }

  double now = 0, wall = 0;
  bool over = false;
  int disturbances = 0;
  std::string log;
};

v1::Sampling SamplesOf(int count) {
  v1::Sampling sampling;
  sampling.set_min_samples(count);
  sampling.set_max_samples(count);
  return FillSampling(sampling);
}

struct Candidate : Runnable {
  Candidate(Machine& machine, std::string name, double seconds, const v1::Sampling& sampling)
      : Runnable(sampling), machine(machine), name(std::move(name)), seconds(seconds) {
    set_run_seconds(seconds);
  }
  bool alive() const override { return message.empty(); }
  void Fail(v1::Outcome, std::string text) override { message = std::move(text); }
  double first_seconds() const override { return seconds; }
  double significant_seconds() const override { return 1e-3; }
  absl::StatusOr<std::optional<double>> TimedRun() override {
    absl::StrAppend(&machine.log, name, " ");
    machine.now += seconds;
    if (++runs == fails_at) {
      Fail(v1::RUNTIME, "fault");
      machine.over = true;
      return std::nullopt;
    }
    return seconds * (runs % 2 == 0 ? 1 + noise : 1);
  }
  absl::Status CheckOutputs() override {
    absl::StrAppend(&machine.log, name, "-check ");
    return absl::OkStatus();
  }
  bool FreshRunLeft() const override { return alive() && fresh_left > 0; }
  bool FreshRunDue(int samples) const override { return FreshRunLeft() && fresh_after <= samples; }
  absl::Status RunOnFreshInputs() override {
    --fresh_left;
    absl::StrAppend(&machine.log, name, "-fresh ");
    machine.now += seconds;
    return absl::OkStatus();
  }
  void Rest() override { ++rests; }

  Machine& machine;
  const std::string name;
  const double seconds;
  double noise = 0;  // every second run takes so much longer
  int fails_at = -1, fresh_left = 0, fresh_after = 0;
  int runs = 0, rests = 0;
  std::string message;
};

TEST(MeasureAlone, SamplesUntilTheRuleIsSatisfied) {
  Machine machine;
  Candidate candidate(machine, "a", 1e-4, SamplesOf(4));
  ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(4)).ok());
  ASSERT_TRUE(CheckAgain(candidate, machine).ok());
  EXPECT_EQ(machine.log, "prepare a a a a a-check ");
  EXPECT_THAT(candidate.rule().samples(), ElementsAre(1e-4, 1e-4, 1e-4, 1e-4));
}

TEST(MeasureAlone, ARunOnFreshInputsComesExactlyWhereItIsDue) {
  for (int after = 0; after < 6; ++after) {
    Machine machine;
    Candidate candidate(machine, "a", 1e-4, SamplesOf(6));
    candidate.fresh_left = 1;
    candidate.fresh_after = after;
    ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(6)).ok());
    std::string expected = "prepare ";
    for (int i = 0; i < 6; ++i) absl::StrAppend(&expected, i == after ? "a-fresh a " : "a ");
    EXPECT_EQ(machine.log, expected);
  }
}

TEST(MeasureAlone, FreshInputsThatAreLeftComeAtTheEnd) {
  Machine machine;
  Candidate candidate(machine, "a", 1e-4, SamplesOf(2));
  candidate.fresh_left = 2;
  candidate.fresh_after = 9;
  ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(2)).ok());
  ASSERT_TRUE(CheckAgain(candidate, machine).ok());
  EXPECT_EQ(machine.log, "prepare a a a-check a-fresh a-fresh ");
}

TEST(MeasureAlone, ThereAreNeverMoreSamplesThanAskedFor) {
  for (int most = 6; most < 12; ++most) {
    v1::Sampling sampling = SamplesOf(6);
    sampling.set_max_samples(most);
    Machine machine;
    Candidate candidate(machine, "a", 1e-4, sampling);
    candidate.noise = 0.5;
    ASSERT_TRUE(MeasureAlone(candidate, machine, sampling).ok());
    EXPECT_THAT(candidate.rule().samples(), SizeIs(most));
  }
}

TEST(MeasureAlone, DisturbedSamplesAreTakenAgain) {
  Machine machine;
  machine.disturbances = 2;
  Candidate candidate(machine, "a", 1e-4, SamplesOf(3));
  ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(3)).ok());
  EXPECT_EQ(candidate.runs, 5);
  EXPECT_THAT(candidate.rule().samples(), SizeIs(3));
}

TEST(MeasureAlone, WhoIsOutOfTheRaceByItsFirstRunIsNotRunAgain) {
  v1::Sampling sampling = SamplesOf(6);
  sampling.set_best_seconds(1e-5);
  Machine machine;
  Candidate candidate(machine, "a", 0.01, sampling);
  ASSERT_TRUE(MeasureAlone(candidate, machine, sampling).ok());
  EXPECT_EQ(machine.log, "");
  EXPECT_FALSE(candidate.alive());
}

TEST(MeasureAlone, ALongFirstRunIsTheSampleWhereThereIsNoTimeForAnother) {
  Machine machine;
  machine.wall = 5;
  Candidate candidate(machine, "a", 6, SamplesOf(6));
  ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(6)).ok());
  EXPECT_THAT(candidate.rule().samples(), ElementsAre(6));
  EXPECT_EQ(candidate.runs, 0);
}

TEST(MeasureAlone, AShortFirstRunIsNoSample) {
  Machine machine;
  machine.wall = machine.now = 5;
  Candidate candidate(machine, "a", 1e-3, SamplesOf(6));
  ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(6)).ok());
  EXPECT_EQ(candidate.message, "no time");
}

TEST(MeasureAlone, AFaultEndsIt) {
  Machine machine;
  Candidate candidate(machine, "a", 1e-4, SamplesOf(6));
  candidate.fails_at = 3;
  candidate.fresh_left = 1;
  candidate.fresh_after = 9;
  ASSERT_TRUE(MeasureAlone(candidate, machine, SamplesOf(6)).ok());
  ASSERT_TRUE(CheckAgain(candidate, machine).ok());
  EXPECT_EQ(machine.log, "prepare a a a ");
  EXPECT_EQ(candidate.message, "fault");
}

TEST(MeasureInTurns, AShortRunFollowsOneThatIsNotTimed) {
  Machine machine;
  Candidate quick(machine, "q", 1e-3, SamplesOf(2)), slow(machine, "s", 0.2, SamplesOf(2));
  ASSERT_TRUE(MeasureInTurns({&quick, &slow}, machine, SamplesOf(2)).ok());
  EXPECT_EQ(machine.log, "prepare q q s q q s ");
  EXPECT_THAT(quick.rule().samples(), SizeIs(2));
  EXPECT_THAT(slow.rule().samples(), ElementsAre(0.2, 0.2));
  EXPECT_EQ(quick.rests, 3);
}

TEST(MeasureInTurns, ARoundThatWasDisturbedIsTakenAgain) {
  Machine machine;
  machine.disturbances = 1;
  Candidate one(machine, "a", 0.2, SamplesOf(2)), other(machine, "b", 0.2, SamplesOf(2));
  ASSERT_TRUE(MeasureInTurns({&one, &other}, machine, SamplesOf(2)).ok());
  EXPECT_EQ(machine.log, "prepare a b a b a b ");
  EXPECT_THAT(one.rule().samples(), SizeIs(2));
}

// Were it counted, the candidates would have seen the machine at different times.
TEST(MeasureInTurns, ARoundWithoutTimeForAllDoesNotCountButTheFirst) {
  Machine machine;
  machine.wall = 2.6;
  Candidate one(machine, "a", 0.5, SamplesOf(9)), other(machine, "b", 0.5, SamplesOf(9));
  ASSERT_TRUE(MeasureInTurns({&one, &other}, machine, SamplesOf(9)).ok());
  EXPECT_EQ(machine.log, "prepare a b a b ");
  EXPECT_THAT(one.rule().samples(), SizeIs(2));
  EXPECT_THAT(other.rule().samples(), SizeIs(2));

  Machine hurried;
  hurried.wall = 1.2;
  Candidate first(hurried, "a", 0.5, SamplesOf(9)), second(hurried, "b", 0.5, SamplesOf(9)),
      third(hurried, "c", 0.01, SamplesOf(9));
  hurried.now = 0.1;
  third.set_run_seconds(0.4);
  ASSERT_TRUE(MeasureInTurns({&first, &second, &third}, hurried, SamplesOf(9)).ok());
  EXPECT_THAT(first.rule().samples(), ElementsAre(0.5));
  EXPECT_THAT(second.rule().samples(), ElementsAre(0.5));  // its first run
  EXPECT_EQ(third.message, "no time");
}

TEST(MeasureInTurns, TheDeadAreLeftOut) {
  Machine machine;
  Candidate dead(machine, "d", 0.2, SamplesOf(1)), alive(machine, "a", 0.2, SamplesOf(1));
  dead.Fail(v1::RUNTIME, "dead");
  ASSERT_TRUE(MeasureInTurns({&dead, &alive}, machine, SamplesOf(1)).ok());
  EXPECT_EQ(machine.log, "prepare a ");
  EXPECT_EQ(dead.message, "dead");
}

TEST(MeasureInTurns, NothingRunsOnceAllIsOver) {
  Machine machine;
  Candidate one(machine, "a", 0.2, SamplesOf(3)), other(machine, "b", 0.2, SamplesOf(3));
  one.fails_at = 2;
  other.fresh_left = 1;
  other.fresh_after = 9;
  ASSERT_TRUE(MeasureInTurns({&one, &other}, machine, SamplesOf(3)).ok());
  EXPECT_EQ(machine.log, "prepare a b a ");
  EXPECT_THAT(other.rule().samples(), SizeIs(1));
}

}  // namespace
}  // namespace tune
