#include "client/report/summary.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "client/report/candidate_view.h"
#include "client/report/program_gain.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
  return message;
}

v1::Study Done() {
  return Parse<v1::Study>(R"pb(
    id: "s12"
    name: "gemm"
    state: DONE
    device { target: CPU model: "Some CPU" cores: 8 }
    reference { sequential_seconds: 0.017 }
    evaluated: 50
    budget: 50
    duplicates: 7
    outcomes { outcome: COMPILE count: 2 }
    outcomes { outcome: CORRECT count: 45 }
    outcomes { outcome: TIMEOUT count: 3 }
    outcomes { outcome: OOM count: 0 }
    best_index: 23
    best { samples: 0.0013 median: 0.0013 }
    default_measurement { median: 0.0054 confidence_low: 0.0053 confidence_high: 0.0055 }
    gain_over_default: 4.1
    gain_over_sequential: 12.3
    confirmation {
      candidates {
        index: 23
        measurement { median: 0.00132 confidence_low: 0.0013 confidence_high: 0.00135 }
      }
      candidates {
        index: 17
        measurement { median: 0.00133 confidence_low: 0.0013 confidence_high: 0.00136 }
      }
      candidates { index: 5 message: "crashed" }
      equal_to_best: 17
      sequential { median: 0.0162 confidence_low: 0.0161 confidence_high: 0.0164 }
      check {
        index: 23
        outcome: CORRECT
        seconds: 0.002
        fresh {
          runs: 12
          original_seconds: 0.0171
          tuned_seconds: 0.0021
          ratio: 8.14
          ratio_low: 7.9
          ratio_high: 8.4
        }
        warm {
          runs: 12
          original_seconds: 0.0162
          tuned_seconds: 0.00162
          ratio: 10
          ratio_low: 9.87
          ratio_high: 10.13
        }
      }
    }
    created_unix_ms: 1000000
    finished_unix_ms: 1072000
    warnings: "clock not steady"
    space_note: "the space has only 50 configurations"
  )pb");
}

TEST(SummaryTest, TellsEverythingOfADoneStudy) {
  EXPECT_EQ(
      Summary(Done()),
      "gemm (s12): done after 1:12\n"
      "  result        10.0x (9.87x .. 10.1x) as fast as the original\n"
      "  device        Some CPU, 8 cores\n"
      "  evaluations   50 of 50: 45 correct, 3 timeout, 2 compile; 7 of them the same code as an earlier "
      "one, "
      "not run again\n"
      "  sequential    16.2 ms (16.1 ms .. 16.4 ms)\n"
      "  default       5.40 ms (5.30 ms .. 5.50 ms), candidate 0\n"
      "  best          1.32 ms (1.30 ms .. 1.35 ms), candidate 23\n"
      "  gain          4.1x (3.9x .. 4.2x) over the default; 12.3x (11.9x .. 12.6x) over the sequential "
      "program\n"
      "  equal         candidate 17 cannot be told apart from the best (95% confidence)\n"
      "  unconfirmed   candidate 5: crashed\n"
      "  checked       the tuned program's outputs agree with the original's\n"
      "  fresh         faster: 8.14x (7.90x .. 8.40x) over the original, 2.10 ms for 17.1 ms; the region's "
      "first execution in 12 runs of each\n"
      "  warm          faster: 10.0x (9.87x .. 10.1x) over the original, 1.62 ms for 16.2 ms; its later "
      "executions in 12 runs of each\n"
      "  note          the space has only 50 configurations\n"
      "  warning       clock not steady\n");
}

TEST(SummaryTest, TimesOfAGpuAreMicroseconds) {
  const auto study = Parse<v1::Study>(R"pb(
    id: "s3"
    name: "gemm"
    state: DONE
    target: CUDA
    device {
      target: CUDA
      model: "NVIDIA H200"
      cores: 132
      memory_bytes: 150754820096
      cuda { compute_capability_major: 9 driver_version: 13000 }
    }
    reference { sequential_seconds: 0.0021 }
    evaluated: 2
    budget: 2
    outcomes { outcome: CORRECT count: 2 }
    best_index: 1
    best { median: 0.00000731 confidence_low: 0.0000073 confidence_high: 0.00000733 }
    default_measurement { median: 0.0000219 confidence_low: 0.0000218 confidence_high: 0.000022 }
    gain_over_default: 3
    gain_over_sequential: 287.3)pb");
  EXPECT_EQ(Summary(study),
            "gemm (s3): done\n"
            "  device        NVIDIA H200, 132 multiprocessors\n"
            "  evaluations   2 of 2: 2 correct\n"
            "  sequential    2.10 ms\n"
            "  default       21.9 us (21.8 us .. 22.0 us), candidate 0\n"
            "  best          7.31 us (7.30 us .. 7.33 us), candidate 1\n"
            "  gain          3.0x (3.0x .. 3.0x) over the default; 287x over the sequential program\n"
            "  note          default and best are times of the device, without copies between it and the "
            "host; sequential is the host's\n");
  EXPECT_THAT(StudyDetails(study, absl::FromUnixMillis(0)),
              HasSubstr("  gpu           cuda:0: NVIDIA H200, sm_90, 132 multiprocessors, 140.4 GiB, driver "
                        "for CUDA 13.0\n"));
}

TEST(SummaryTest, AnOpenTargetIsNamedAsSuch) {
  EXPECT_THAT(StudyDetails(v1::Study(), absl::FromUnixMillis(0)),
              HasSubstr("target        the best that a worker has"));
}

TEST(SummaryTest, NothingCorrect) {
  const auto study = Parse<v1::Study>(R"pb(
    id: "s1"
    name: "x"
    state: DONE
    evaluated: 5
    budget: 5
    best_index: -1
    outcomes { outcome: COMPILE count: 5 })pb");
  EXPECT_THAT(Summary(study), HasSubstr("no candidate was correct"));
  EXPECT_THAT(Summary(study), HasSubstr("5 of 5: 5 compile"));
  EXPECT_THAT(Summary(study), Not(HasSubstr("gain")));
  EXPECT_EQ(BestMeasurement(study), nullptr);
}

TEST(SummaryTest, LossAndDefaultAsBestAreSaid) {
  v1::Study study = Done();
  study.set_gain_over_sequential(0.5);
  EXPECT_THAT(Summary(study), HasSubstr("slower than the original region"));
  study.set_state(v1::SEARCHING);
  EXPECT_THAT(Summary(study), Not(HasSubstr("slower than the original region")));
  study.set_best_index(0);
  EXPECT_THAT(Summary(study), HasSubstr("none over the default, which is the best"));
}

TEST(SummaryTest, AnOriginalThatRanBesideOthersSaysSo) {
  v1::Study study = Done();
  study.set_beside_others(true);
  study.mutable_reference()->set_sequential_seconds(0.5);
  EXPECT_THAT(Summary(study), Not(HasSubstr("other work"))) << "it was measured again";
  study.mutable_confirmation()->clear_sequential();
  EXPECT_THAT(Summary(study), HasSubstr("  sequential    500 ms; the worker had other work meanwhile\n"));
}

TEST(SummaryTest, TheTunedProgramsOwnRun) {
  v1::Study study = Done();
  study.mutable_device()->set_target(v1::CUDA);
  EXPECT_THAT(Summary(study),
              HasSubstr("  checked       the tuned program's outputs agree with the original's; "
                        "times are with copies to the device and back\n"));
  v1::ProgramCheck* check = study.mutable_confirmation()->mutable_check();
  check->set_beside_others(true);
  EXPECT_THAT(Summary(study), HasSubstr("to the device and back; the worker had other work meanwhile\n"));
  check->set_beside_others(false);
  check->mutable_fresh()->set_ratio(0.997);
  check->mutable_fresh()->set_ratio_low(0.99);
  check->mutable_fresh()->set_ratio_high(0.999);
  EXPECT_THAT(Summary(study),
              HasSubstr("  fresh         slower: 0.997x (0.990x .. 0.999x) over the original"));
  check->mutable_fresh()->set_ratio_high(1.01);
  EXPECT_THAT(Summary(study),
              HasSubstr("  fresh         cannot be told apart: 0.997x (0.990x .. 1.01x) over"));
  check->clear_fresh();
  check->clear_warm();
  check->set_message("the times were not compared: in the original the program crashed");
  EXPECT_THAT(Summary(study),
              HasSubstr("agree with the original's; 2.00 ms for the region in one run; times are "
                        "with copies to the device and back; the times were not compared: in"));
  check->set_outcome(v1::CORRECTNESS);
  check->set_message("C[1] is 2, expected 3");
  EXPECT_THAT(Summary(study), HasSubstr("  warning       the tuned program failed its check (correctness): "
                                        "C[1] is 2, expected 3\n"));
  check->set_outcome(v1::OUTCOME_UNSPECIFIED);
  check->set_message("no nvcc");
  EXPECT_THAT(Summary(study), HasSubstr("  unchecked     the tuned program was not run: no nvcc\n"));
}

TEST(SummaryTest, BeginsWithTheGainOverTheUsersProgram) {
  v1::Study study = Done();
  v1::ProgramCheck* check = study.mutable_confirmation()->mutable_check();
  const auto set = [](v1::ComparedTimes* times, double low, double high) {
    times->set_ratio((low + high) / 2);
    times->set_ratio_low(low);
    times->set_ratio_high(high);
    times->set_original_seconds(0.0016);
    times->set_tuned_seconds(0.0156);
  };
  check->clear_warm();
  set(check->mutable_fresh(), 2, 3);
  EXPECT_THAT(Summary(study),
              HasSubstr("\n  result        2.50x (2.00x .. 3.00x) as fast as the original\n"));
  EXPECT_FALSE(IsNotFaster(study));
  set(check->mutable_warm(), 0.2, 0.4);
  study.mutable_device()->set_target(v1::CUDA);
  EXPECT_THAT(
      Summary(study),
      HasSubstr("\n  result        slower than the original, 0.300x (0.200x .. 0.400x), with copies to the "
                "device and back; stay on the host: 1.60 ms there, 15.6 ms here\n"
                "  times         host 1.60 ms; device 1.32 ms without copies, 15.6 ms with them\n"));
  EXPECT_FALSE(IsNotFaster(study));  // the first execution is
  set(check->mutable_fresh(), 0.9, 1.3);
  EXPECT_TRUE(IsNotFaster(study));
  check->clear_warm();
  EXPECT_THAT(Summary(study), HasSubstr("\n  result        cannot be told apart from the original, 1.10x"));
  EXPECT_THAT(Summary(study), Not(HasSubstr("\033")));
  EXPECT_THAT(Summary(study, /*colours=*/true), HasSubstr("\n\033[31m  result        cannot be told apart"));
  EXPECT_THAT(Summary(study, /*colours=*/true), HasSubstr(" device and back\033[0m\n"));
  EXPECT_THAT(Summary(Done(), /*colours=*/true), Not(HasSubstr("\033")));
  check->set_outcome(v1::CORRECTNESS);
  check->set_message("C[1] is 2");
  EXPECT_THAT(Summary(study),
              HasSubstr("  result        not right in your program (correctness): C[1] is 2\n"));
  EXPECT_TRUE(IsNotFaster(study));
}

// What they are compared with runs on the device, too.
TEST(SummaryTest, KernelsOnAGpuAreNotComparedWithTheHost) {
  v1::Study study = Done();
  study.mutable_confirmation()->clear_check();
  study.mutable_device()->set_target(v1::CUDA);
  study.mutable_region()->set_file("gemm.cu");
  study.mutable_region()->clear_begin_line();
  study.mutable_region()->clear_end_line();
  v1::Measurement* reference = study.mutable_confirmation()->mutable_sequential();
  reference->set_median(0.001);
  reference->set_confidence_low(0.00099);
  reference->set_confidence_high(0.00101);
  const std::string summary = Summary(study);
  EXPECT_THAT(summary, HasSubstr("\n  result        slower than the reference, "));
  EXPECT_THAT(summary, HasSubstr(": 1.00 ms there, "));
  EXPECT_THAT(summary, Not(HasSubstr("host")));
}

TEST(SummaryTest, WithoutTheUsersProgramTheRegionIsCompared) {
  v1::Study study = Done();
  study.mutable_confirmation()->clear_check();
  study.mutable_reference()->set_seeded(true);
  EXPECT_THAT(
      Summary(study),
      HasSubstr("\n  result        12.3x (11.9x .. 12.6x) as fast as the sequential region; by itself, as "
                "the file has no main\n"));
  EXPECT_FALSE(IsNotFaster(study));
  v1::Measurement* sequential = study.mutable_confirmation()->mutable_sequential();
  sequential->set_median(0.00133);
  sequential->set_confidence_low(0.00131);
  sequential->set_confidence_high(0.00136);
  EXPECT_THAT(Summary(study),
              HasSubstr("  result        cannot be told apart from the sequential region, 1.01x"));
  EXPECT_TRUE(IsNotFaster(study));
  study.mutable_device()->set_target(v1::CUDA);
  study.mutable_reference()->set_seeded(false);
  EXPECT_THAT(Summary(study), HasSubstr(", without copies; by itself, not in your program\n"
                                        "  times         host 1.33 ms; device 1.32 ms without copies\n"));
  study.clear_confirmation();
  EXPECT_THAT(Summary(study), Not(HasSubstr("  result ")));
  EXPECT_FALSE(IsNotFaster(study));
}

TEST(SummaryTest, WarnsOfAProgramThatPrintsNothing) {
  v1::Study study = Done();
  EXPECT_THAT(Summary(study), Not(HasSubstr("prints nothing")));
  study.mutable_reference()->set_silent(true);
  EXPECT_THAT(Summary(study), HasSubstr("  warning       the program prints nothing"));
}

TEST(SummaryTest, FailedBeforeTheSearch) {
  const auto study = Parse<v1::Study>(
      R"pb(
        id: "s1" state: FAILED best_index: -1 failure: "the program crashed\nwith signal 11" budget: 5)pb");
  EXPECT_EQ(Summary(study),
            "s1 (s1): failed\n"
            "  failure       the program crashed with signal 11\n"
            "  evaluations   0 of 5: none\n");
}

TEST(SummaryTest, ConfirmedTimeOfTheBestCounts) {
  const v1::Study study = Done();
  ASSERT_NE(BestMeasurement(study), nullptr);
  EXPECT_EQ(BestMeasurement(study)->median(), 0.00132);
  v1::Study unconfirmed = study;
  unconfirmed.clear_confirmation();
  EXPECT_EQ(BestMeasurement(unconfirmed)->median(), 0.0013);
}

TEST(StudyDetailsTest, ReferenceAndSearch) {
  v1::Study study = Done();
  study.set_owner("ann@lab");
  *study.mutable_search() = Parse<v1::SearchOptions>(
      R"pb(strategy: "ants" seed: 7 ants: 10 iterations: 5 alpha: 1 beta: 1 rho: 0.1)pb");
  *study.mutable_reference() = Parse<v1::Reference>(R"pb(
    parameters { name: "n" value: 100 }
    parameters { name: "m" value: 7 }
    arrays { name: "A" extents: 100 extents: 7 }
    arrays { name: "alpha" }
    executions: 3
    memory_bytes: 5608)pb");
  const std::string text = StudyDetails(study, absl::FromUnixMillis(1072000 + 300000));
  EXPECT_THAT(text, HasSubstr("ants, seed 7, 10 ants, 5 iterations, alpha 1, beta 1, rho 0.1\n"));
  EXPECT_THAT(text, HasSubstr("n = 100, m = 7\n"));
  for (const char* strategy : {"tree", "portfolio"}) {
    study.mutable_search()->set_strategy(strategy);
    study.mutable_search()->set_sigma(1.5);
    study.mutable_search()->set_base_offset(5);
    EXPECT_THAT(StudyDetails(study, absl::UnixEpoch()),
                HasSubstr(absl::StrCat(strategy, ", seed 7, sigma 1.5, base offset 5\n")));
  }
  EXPECT_THAT(text, HasSubstr("A[100][7] alpha\n"));
  EXPECT_THAT(text, HasSubstr("3; the first was recorded\n"));
  EXPECT_THAT(text, HasSubstr("5.5 KiB\n"));
  EXPECT_THAT(text, HasSubstr("finished      5 min ago\n"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("rounding")));
  study.set_rounding(v1::ROUNDING_EXACT);
  EXPECT_THAT(StudyDetails(study, absl::Now()), HasSubstr("  rounding      exact: sums keep their order"));
  study.set_rounding(v1::ROUNDING_TF32X3);
  EXPECT_THAT(StudyDetails(study, absl::Now()), HasSubstr("  rounding      tf32x3: tensor cores"));
}

TEST(SummaryTest, SaysWhatTheBestIsWorthByTheObjective) {
  v1::Study study = Done();
  EXPECT_THAT(Summary(study, false), Not(HasSubstr("objective")));
  study.mutable_search()->set_objective("energy");
  study.mutable_best()->set_joules(0.0033);
  study.mutable_default_measurement()->set_joules(0.0066);
  EXPECT_THAT(Summary(study, false),
              HasSubstr("  result        energy 0.0033 J, 2.0x as good as the default's 0.0066 J\n"));
  EXPECT_THAT(Summary(study, false), HasSubstr("  objective     energy\n"));
  EXPECT_THAT(Summary(study, false), HasSubstr("  gain in time  "));
  study.set_best_index(0);
  EXPECT_THAT(Summary(study, false), HasSubstr("  result        energy 0.0033 J, the default's\n"));
  study.mutable_best()->clear_joules();
  EXPECT_THAT(Summary(study, false), HasSubstr("  result        no candidate has a value of energy\n"));
}

// Of what an energy of the original program is, nothing is known: slower may well be thriftier.
TEST(SummaryTest, OtherObjectivesAreNotJudgedByTime) {
  v1::Study study = Done();
  v1::ComparedTimes* times = study.mutable_confirmation()->mutable_check()->mutable_fresh();
  study.mutable_confirmation()->mutable_check()->set_outcome(v1::CORRECT);
  study.mutable_confirmation()->mutable_check()->clear_warm();
  times->set_ratio(0.5);
  times->set_ratio_low(0.4);
  times->set_ratio_high(0.6);
  EXPECT_TRUE(IsNoGain(study));
  EXPECT_THAT(Summary(study, false), HasSubstr("  result        slower than the original"));
  study.mutable_search()->set_objective("energy");
  EXPECT_TRUE(IsNoGain(study)) << "no energy is known";
  study.mutable_best()->set_joules(0.0033);
  EXPECT_FALSE(IsNoGain(study));
  EXPECT_TRUE(IsNotFaster(study));
  EXPECT_THAT(Summary(study, false), HasSubstr("  in time       slower than the original"));
  study.mutable_confirmation()->mutable_check()->set_outcome(v1::CORRECTNESS);
  EXPECT_TRUE(IsNoGain(study));
  EXPECT_THAT(Summary(study, false), HasSubstr("  result        not right in your program"));
  EXPECT_THAT(Summary(study, false), Not(HasSubstr("\n  in time  ")));
}

TEST(CandidateTableTest, HasMetricsWhereThereAreSome) {
  const std::vector<v1::Candidate> candidates = {
      Parse<v1::Candidate>(R"pb(index: 0
                                state: EVALUATED
                                attempts: 1
                                evaluation {
                                  outcome: CORRECT
                                  measurement { median: 0.004 joules: 2 }
                                  worker: "w"
                                })pb"),
      Parse<v1::Candidate>(R"pb(index: 1 state: LEASED attempts: 1)pb")};
  EXPECT_EQ(CandidateTable(candidates, {}),
            "index  outcome     time  over default  tries  worker  remark   metrics\n"
            "    0  correct  4.00 ms             -      1  w       default  2 J a run, 500 W\n"
            "    1  leased         -             -      1\n");
}

TEST(CandidateTableTest, OneRowEach) {
  std::vector<v1::Candidate> candidates = {
      Parse<v1::Candidate>(R"pb(index: 0
                                state: EVALUATED
                                attempts: 1
                                evaluation {
                                  outcome: CORRECT
                                  measurement { median: 0.004 }
                                  worker: "w"
                                })pb"),
      Parse<v1::Candidate>(R"pb(index: 1
                                state: EVALUATED
                                attempts: 2
                                origin: REPLAY
                                evaluation { outcome: CORRECTNESS message: "A differs" worker: "w" })pb"),
      Parse<v1::Candidate>(R"pb(index: 2
                                state: EVALUATED
                                attempts: 1
                                evaluation {
                                  outcome: CORRECT
                                  measurement { median: 0.002 }
                                  duplicate_of_plus_one: 1
                                })pb"),
      Parse<v1::Candidate>(R"pb(index: 3 state: LEASED attempts: 1)pb")};
  EXPECT_EQ(CandidateTable(candidates, candidates[0].evaluation().measurement()),
            "index  outcome         time  over default  tries  worker  remark\n"
            "    0  correct      4.00 ms          1.0x      1  w       default\n"
            "    1  correctness        -             -      2  w       replay; A differs\n"
            "    2  correct      2.00 ms          2.0x      1          same code as 0\n"
            "    3  leased             -             -      1\n");
}

TEST(CandidateDetailsTest, PartsOnRequest) {
  const auto candidate = Parse<v1::Candidate>(R"pb(
    index: 4
    state: EVALUATED
    attempts: 2
    lost: 1
    configuration { decisions { key: "schedule.algorithm" option: "pluto" } }
    evaluation {
      outcome: CORRECTNESS
      message: "A differs from the reference"
      code: "{ x; }"
      errors {
        array: "A"
        relative_l2: 0.25
        largest: 2
        exceeded: true
        first_differing_index: 0
        first_differing_index: 3
        expected: 1.5
        found: 2
      }
      stages { stage: "compile" seconds: 0.3 }
    })pb");
  const std::string brief = CandidateDetails("s3", candidate, {});
  EXPECT_THAT(brief, HasSubstr("s3/4: correctness\n"));
  EXPECT_THAT(brief, HasSubstr("first at A[0][3]: expected 1.5, found 2\n"));
  EXPECT_THAT(brief, HasSubstr("2, lost 1\n"));
  EXPECT_THAT(brief, Not(HasSubstr("pluto")));
  EXPECT_THAT(brief, Not(HasSubstr("{ x; }")));
  const std::string full = CandidateDetails("s3", candidate, {true, true});
  EXPECT_THAT(full, HasSubstr("\nconfiguration\nschedule.algorithm = pluto\n"));
  EXPECT_THAT(full, HasSubstr("\ncode\n{ x; }\n"));
}

}  // namespace
}  // namespace tune
