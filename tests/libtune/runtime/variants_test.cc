// Variants that the library calls, times and checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "tests/libtune/runtime/test_context.h"

namespace libtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Sum {
  std::vector<int> terms = {1, 2, 3, 4};
  int result = 0;
  int originals = 0;
  int others = 0;

  int Compute() {
    result = 0;
    for (const int term : terms) result += term;
    return result;
  }
};

int Original(void* arguments, const tune_call*) {
  auto* sum = static_cast<Sum*>(arguments);
  ++sum->originals;
  // Never the fastest.
  volatile int last = 0;
  for (int i = 0; i < 20000; ++i) last = i;
  static_cast<void>(last);
  sum->Compute();
  return 0;
}
int Fast(void* arguments, const tune_call*) {
  auto* sum = static_cast<Sum*>(arguments);
  ++sum->others;
  sum->Compute();
  return 0;
}
int Wrong(void* arguments, const tune_call*) {
  auto* sum = static_cast<Sum*>(arguments);
  ++sum->others;
  sum->result = 7;
  return 0;
}
int Failing(void* arguments, const tune_call*) {
  ++static_cast<Sum*>(arguments)->others;
  return 1;
}
int Throwing(void* arguments, const tune_call*) {
  ++static_cast<Sum*>(arguments)->others;
  throw std::runtime_error("of the variant");
}
int Crashing(void*, const tune_call*) {
  raise(SIGSEGV);
  return 0;
}
int Endless(void*, const tune_call*) {
  for (;;) pause();
}

class VariantsTest : public testing::Test {
 protected:
  // Runs the original and `other` until it is settled, or 200 times; every result is right.
  void RunAll(tune_function other, bool checked, bool probed) {
    region_ = context_.Region("sum");
    const tune_variant variants[] = {{"original", Original}, {"other", other}};
    ASSERT_EQ(tune_add_variants(region_, "variant", variants, 2, nullptr), TUNE_OK);
    if (checked) {
      const tune_check check = {
          sizeof(tune_check),
          nullptr,
          [](void*, const void* arguments) -> void* {
            return new int(static_cast<const Sum*>(arguments)->result);
          },
          [](void*, void* arguments, const void* saved) {
            static_cast<Sum*>(arguments)->result = *static_cast<const int*>(saved);
          },
          [](void*, void* saved) { delete static_cast<int*>(saved); },
          [](void*, const void* arguments, const void* expected) {
            return static_cast<const Sum*>(arguments)->result == *static_cast<const int*>(expected) ? 1 : 0;
          }};
      ASSERT_EQ(tune_set_check(region_, &check), TUNE_OK);
    }
    if (probed) {
      ASSERT_EQ(tune_set_probe(region_, 0.2), TUNE_OK);
    }
    for (int i = 0; i < 200; ++i) {
      sum_.result = 0;
      ASSERT_EQ(tune_run(region_, nullptr, 0, &sum_), TUNE_OK) << tune_last_error();
      ASSERT_EQ(sum_.result, 10);
    }
  }
  double Chosen() {
    double value = -1;
    EXPECT_EQ(tune_look_up(region_, nullptr, 0, &value, 1, nullptr), TUNE_OK);
    return value;
  }

  TestContext context_;
  tune_region* region_ = nullptr;
  Sum sum_;
};

TEST_F(VariantsTest, TheFasterOneIsSettledOn) {
  RunAll(Fast, false, false);
  EXPECT_EQ(Chosen(), 1);
  EXPECT_LT(sum_.originals, 10);
  EXPECT_THAT(context_.messages(), ElementsAre());
}

TEST_F(VariantsTest, ARightOneIsCheckedOnce) {
  RunAll(Fast, true, false);
  EXPECT_EQ(Chosen(), 1);
  EXPECT_LT(sum_.originals, 11);
}

TEST_F(VariantsTest, AWrongOneIsDroppedAndTheResultsAreRight) {
  RunAll(Wrong, true, false);
  EXPECT_EQ(Chosen(), 0);
  EXPECT_EQ(sum_.others, 1);
  EXPECT_THAT(context_.messages(), ElementsAre(HasSubstr("variant other gave other results")));
}

TEST_F(VariantsTest, AFailingOneIsDroppedAndTheOriginalRuns) {
  for (const tune_function other : {Failing, Throwing}) {
    TestContext context;
    tune_region* region = context.Region("sum");
    const tune_variant variants[] = {{"original", Original}, {"other", other}};
    ASSERT_EQ(tune_add_variants(region, "variant", variants, 2, nullptr), TUNE_OK);
    Sum sum;
    for (int i = 0; i < 100; ++i) {
      sum.result = 0;
      ASSERT_EQ(tune_run(region, nullptr, 0, &sum), TUNE_OK);
      ASSERT_EQ(sum.result, 10);
    }
    EXPECT_EQ(sum.others, 1);
    EXPECT_THAT(context.messages(), ElementsAre(HasSubstr("variant other failed; it is not run again")));
  }
}

TEST_F(VariantsTest, ACrashingOneIsDroppedInAChild) {
  RunAll(Crashing, false, true);
  EXPECT_EQ(Chosen(), 0);
  EXPECT_THAT(context_.messages(), ElementsAre(HasSubstr("variant other crashed")));
}

TEST_F(VariantsTest, AnEndlessOneIsDroppedInAChild) {
  RunAll(Endless, true, true);
  EXPECT_EQ(Chosen(), 0);
  EXPECT_THAT(context_.messages(), ElementsAre(HasSubstr("took too long")));
}

TEST_F(VariantsTest, ARightOneSurvivesProbeAndCheck) {
  RunAll(Fast, true, true);
  EXPECT_EQ(Chosen(), 1);
}

TEST_F(VariantsTest, AFailingOriginalIsAnError) {
  tune_region* region = context_.Region("none");
  const tune_variant variants[] = {{"original", Failing}};
  ASSERT_EQ(tune_add_variants(region, "variant", variants, 1, nullptr), TUNE_OK);
  Sum sum;
  EXPECT_EQ(tune_run(region, nullptr, 0, &sum), TUNE_FAILED);
  EXPECT_THAT(tune_last_error(), HasSubstr("region none: the original failed"));
}

TEST_F(VariantsTest, RefusesWhatMakesNoSense) {
  tune_region* region = context_.Region("sum");
  const tune_variant nothing = {"original", nullptr};
  EXPECT_EQ(tune_add_variants(region, "variant", &nothing, 1, nullptr), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_add_variants(region, "variant", nullptr, 1, nullptr), TUNE_INVALID_ARGUMENT);
  const tune_variant one = {"original", Original};
  EXPECT_EQ(tune_add_variants(region, "variant", &one, 1, nullptr), TUNE_OK);
  EXPECT_EQ(tune_add_variants(region, "again", &one, 1, nullptr), TUNE_WRONG_STATE);
  const tune_check check = {};
  EXPECT_EQ(tune_set_check(region, &check), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_set_probe(region, -1), TUNE_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace libtune
