// Regions by tune.h whose times are given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <thread>

#include "tests/libtune/runtime/test_context.h"

namespace libtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Tuning, SettlesForEachInputOnItsBest) {
  const TestContext context;
  const TiledRegion tiled(context);
  for (const long size : {100, 500, 300}) {
    const int calls = tiled.Settle(size);
    EXPECT_GT(calls, 3);
    EXPECT_LT(calls, 80);
    tune_progress progress;
    const std::vector<double> best = tiled.LookUp(size, &progress);
    EXPECT_EQ(best[0], 64);
    EXPECT_NEAR(best[1], static_cast<double>(size) / 100, 1);
    EXPECT_EQ(progress.source, TUNE_FROM_SEARCH);
    EXPECT_EQ(progress.settled, 1);
    EXPECT_LE(progress.seconds, 1.1);
    EXPECT_GT(progress.default_seconds, 3.9);
  }
  EXPECT_EQ(tiled.Settle(500), 0);  // remembered
}

TEST(Tuning, NearInputsStartFromWhatIsKnownAndMeasureTheDefaultToo) {
  const TestContext context;
  const TiledRegion tiled(context);
  tiled.Settle(500);
  const long size = 600;
  tune_call call;
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_integer(&call, tiled.tile), 64);
  ASSERT_EQ(tune_report(&call, 1), TUNE_OK);  // warms up
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_integer(&call, tiled.tile), 1);
  ASSERT_EQ(tune_report(&call, 0.01), TUNE_OK);  // the default is by far the best one
  tiled.Settle(size);
  tune_progress progress;
  EXPECT_THAT(tiled.LookUp(size, &progress), ElementsAre(1, 1));
  EXPECT_EQ(progress.seconds, 0.01);
}

TEST(Tuning, TheFirstCallOfAnInputDoesNotCount) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  tune_call call;
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
  ASSERT_EQ(tune_report(&call, 1e-9), TUNE_OK);
  tune_progress progress;
  tiled.LookUp(size, &progress);
  EXPECT_EQ(progress.tries, 0);
  EXPECT_EQ(progress.seconds, 0);
}

TEST(Tuning, NoParametersAreASettledRegion) {
  const TestContext context;
  tune_region* region = context.Region("plain");
  int calls = 0;
  for (tune_call call = {}; call.settled == 0 && calls < 10; ++calls) {
    ASSERT_EQ(tune_begin(region, nullptr, 0, &call), TUNE_OK);
    EXPECT_EQ(call.count, 0);
    ASSERT_EQ(tune_end(&call), TUNE_OK);
  }
  EXPECT_EQ(calls, 3);  // one that warms up, one that is measured, and the first settled one
}

TEST(Tuning, AThousandParameters) {
  TestContext context([](tune_options* options) { options->most_tries = 100; });
  tune_region* region = context.Region("large");
  const char* const choices[] = {"a", "b", "c"};
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(tune_add_nominal(region, ("n" + std::to_string(i)).c_str(), choices, 3, nullptr), TUNE_OK);
    ASSERT_EQ(tune_add_real(region, ("r" + std::to_string(i)).c_str(), 0, 1, 0, nullptr), TUNE_OK);
  }
  tune_call call = {};
  int calls = 0;
  for (; call.settled == 0; ++calls) {
    ASSERT_EQ(tune_next(region, nullptr, 0, &call), TUNE_OK);
    ASSERT_EQ(call.count, 1000);
    double seconds = 1;
    for (int i = 0; i < call.count; ++i) seconds += tune_value(&call, i);
    ASSERT_EQ(tune_report(&call, seconds), TUNE_OK);
  }
  EXPECT_EQ(calls, 102);
}

TEST(Tuning, TimesThatAreNoTimesDoNotCount) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  for (const double seconds : {std::nan(""), -1.0, 0.0, std::numeric_limits<double>::infinity()}) {
    tune_call call;
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    EXPECT_EQ(tune_report(&call, seconds), TUNE_INVALID_ARGUMENT);
    EXPECT_THAT(tune_last_error(), HasSubstr("positive number of seconds"));
    EXPECT_EQ(tune_report(&call, 1), TUNE_WRONG_STATE);  // it has ended
  }
  tiled.Settle(size);
  tune_progress progress;
  EXPECT_THAT(tiled.LookUp(size, &progress), ElementsAre(64, 1));
}

TEST(Tuning, AbandonedCallsAreTriedAgain) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  tune_call call;
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
  ASSERT_EQ(tune_report(&call, 1), TUNE_OK);
  std::vector<double> first;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    const std::vector<double> values(call.values, call.values + call.count);
    if (i == 0) first = values;
    EXPECT_EQ(values, first);
    ASSERT_EQ(tune_abandon(&call), TUNE_OK);
    EXPECT_EQ(tune_abandon(&call), TUNE_WRONG_STATE);
  }
}

TEST(Tuning, RejectedConfigurationsAreAvoided) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  tune_call call;
  bool rejected_default = false;
  for (call.settled = 0; call.settled == 0;) {
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    if (call.settled == 0 && tune_integer(&call, tiled.tile) > 16) {
      ASSERT_EQ(tune_reject(&call), TUNE_OK);
    } else if (!rejected_default && tune_integer(&call, tiled.tile) == 1) {
      rejected_default = true;
      EXPECT_EQ(tune_reject(&call), TUNE_WRONG_STATE);
      EXPECT_THAT(tune_last_error(), HasSubstr("default configuration cannot be rejected"));
    } else {
      ASSERT_EQ(tune_report(&call, tiled.Seconds(call, size)), TUNE_OK);
    }
  }
  tune_progress progress;
  EXPECT_LE(tiled.LookUp(size, &progress)[0], 16);
  EXPECT_LE(progress.seconds, 2.5);
}

TEST(Tuning, WhileOneThreadTriesOthersTakeTheBest) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  tune_call trying;
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &trying), TUNE_OK);
  ASSERT_EQ(tune_report(&trying, 1), TUNE_OK);
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &trying), TUNE_OK);
  ASSERT_EQ(tune_report(&trying, 5), TUNE_OK);
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &trying), TUNE_OK);
  EXPECT_NE(tune_integer(&trying, tiled.tile), 1);
  tune_call beside;
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &beside), TUNE_OK);
  EXPECT_EQ(tune_integer(&beside, tiled.tile), 1);
  ASSERT_EQ(tune_report(&beside, 1e-6), TUNE_OK);  // says nothing of a configuration that runs alone
  tune_progress progress;
  tiled.LookUp(size, &progress);
  EXPECT_EQ(progress.seconds, 5);
  EXPECT_EQ(progress.tries, 1);
}

TEST(Tuning, ACallThatNeverComesBackIsGivenUp) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  tune_call lost;
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &lost), TUNE_OK);
  EXPECT_GT(tiled.Settle(size), 1000);
  EXPECT_EQ(tune_report(&lost, 1e-9), TUNE_OK);  // much too late
  tune_progress progress;
  EXPECT_THAT(tiled.LookUp(size, &progress), ElementsAre(64, 1));
}

TEST(Tuning, ManyThreadsInOneRegion) {
  const TestContext context;
  const TiledRegion tiled(context);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 3000; ++i) {
        const long size = 100 * (1 + (i + thread) % 6);
        tune_call call;
        ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
        ASSERT_EQ(tune_report(&call, tiled.Seconds(call, size)), TUNE_OK);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (long size = 100; size <= 600; size += 100) {
    tune_progress progress;
    EXPECT_EQ(tiled.LookUp(size, &progress)[0], 64);
    EXPECT_EQ(progress.settled, 1);
  }
}

TEST(Tuning, ATimeThatDriftsAwayIsSearchedForAnew) {
  const TestContext context;
  const TiledRegion tiled(context);
  const long size = 100;
  tiled.Settle(size);
  tune_call call;
  for (int i = 0; i < 31; ++i) {
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    ASSERT_EQ(tune_report(&call, 50), TUNE_OK);
  }
  ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
  ASSERT_EQ(tune_report(&call, 1), TUNE_OK);  // no longer in a row
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(tiled.Settle(size), 0);
    ASSERT_EQ(tune_next(tiled.region, &size, 1, &call), TUNE_OK);
    ASSERT_EQ(tune_report(&call, 50), TUNE_OK);
  }
  EXPECT_GT(tiled.Settle(size), 0);
}

TEST(Tuning, MoreInputsThanAreSearchedForAreLookedUp) {
  const TestContext context([](tune_options* options) { options->most_inputs = 1; });
  const TiledRegion tiled(context);
  tiled.Settle(500);
  const long near = 600;
  const long far = 5000;
  tune_call call;
  ASSERT_EQ(tune_next(tiled.region, &near, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_integer(&call, tiled.tile), 64);
  ASSERT_EQ(tune_report(&call, 1), TUNE_OK);
  ASSERT_EQ(tune_next(tiled.region, &far, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_integer(&call, tiled.tile), 1);
  ASSERT_EQ(tune_end(&call), TUNE_WRONG_STATE);
}

// The choice goes for all inputs, where it was settled on as well.
TEST(Tuning, DroppedChoicesAreNeverTakenAgain) {
  const TestContext context;
  tune_region* region = context.Region("product");
  const char* const platforms[] = {"cpu", "gpu"};
  int platform = -1, tile = -1;
  ASSERT_EQ(tune_add_nominal(region, "platform", platforms, 2, &platform), TUNE_OK);
  ASSERT_EQ(tune_add_powers(region, "tile", 1, 4, 2, 1, &tile), TUNE_OK);
  const auto settle = [&](long size) {
    for (int calls = 0; calls < 2000; ++calls) {
      tune_call call;
      EXPECT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
      const bool settled = call.settled == 1;
      const long choice = tune_integer(&call, platform);
      EXPECT_EQ(tune_report(&call, choice == 1 ? 1 : 2), TUNE_OK);
      if (settled) return choice;
    }
    return -1L;
  };
  EXPECT_EQ(settle(5), 1);
  tune_call call;
  long size = 5;
  ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
  ASSERT_EQ(call.settled, 1);
  EXPECT_EQ(tune_drop(&call, platform), TUNE_OK);
  EXPECT_EQ(tune_drop(&call, platform), TUNE_WRONG_STATE);  // it has ended
  EXPECT_EQ(settle(5), 0);
  EXPECT_EQ(settle(700), 0);
  ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_drop(&call, platform), TUNE_WRONG_STATE);
  EXPECT_THAT(tune_last_error(), HasSubstr("the first choice of platform cannot be dropped"));
  ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_drop(&call, tile), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_drop(nullptr, platform), TUNE_INVALID_ARGUMENT);
}

TEST(Tuning, RulesRejectBeforeAnythingIsRun) {
  const TestContext context;
  tune_region* region = context.Region("gemm");
  const char* const platforms[] = {"cpu", "gpu"};
  int platform = -1;
  int split = -1;
  ASSERT_EQ(tune_add_nominal(region, "platform", platforms, 2, &platform), TUNE_OK);
  ASSERT_EQ(tune_add_real(region, "split", 0, 1, 0.5, &split), TUNE_OK);
  const tune_factor factors[] = {{0, split, 1}, {1, 0, 3}};
  const tune_term term = {1, factors, 2};
  tune_rule rule = {};
  rule.struct_size = sizeof(rule);
  rule.kind = TUNE_MIN_COMPUTE;
  rule.parameter = platform;
  rule.choice = 1;
  rule.threshold = TUNE_DEFAULT_MIN_COMPUTE;
  rule.first = {nullptr, nullptr, &term, 1};
  rule.linear = &split;
  rule.linear_count = 1;
  ASSERT_EQ(tune_add_rule(region, &rule), TUNE_OK) << tune_last_error();
  for (const long size : {500L, 600L}) {
    bool used_gpu = false;
    tune_call call = {};
    while (call.settled == 0) {
      ASSERT_EQ(tune_next(region, &size, 1, &call), TUNE_OK);
      used_gpu |= tune_integer(&call, platform) == 1;
      ASSERT_EQ(tune_report(&call, 1 + tune_value(&call, split)), TUNE_OK);
    }
    EXPECT_EQ(used_gpu, size == 600);
  }
}

TEST(Tuning, RefusesWhatMakesNoSense) {
  const TestContext context;
  const TiledRegion tiled(context);
  tune_region* region = nullptr;
  EXPECT_EQ(tune_region_create(context.get(), "tiled", &region), TUNE_ALREADY_EXISTS);
  EXPECT_EQ(tune_region_create(context.get(), "", &region), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_region_create(nullptr, "x", &region), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_region_find(context.get(), "x", &region), TUNE_NOT_FOUND);
  EXPECT_EQ(tune_region_find(context.get(), "tiled", &region), TUNE_OK);
  EXPECT_EQ(region, tiled.region);
  EXPECT_EQ(tune_add_condition(region, 0, 1, 0), TUNE_INVALID_ARGUMENT);
  EXPECT_THAT(tune_last_error(), HasSubstr("region tiled: "));
  EXPECT_EQ(tune_run(region, nullptr, 0, nullptr), TUNE_WRONG_STATE);
  const long sizes[65] = {};
  tune_call call;
  EXPECT_EQ(tune_next(region, sizes, 65, &call), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_next(region, nullptr, 1, &call), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_next(region, sizes, -1, &call), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_next(region, sizes, 1, nullptr), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_next(nullptr, sizes, 1, &call), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(tune_end(nullptr), TUNE_INVALID_ARGUMENT);
  ASSERT_EQ(tune_next(region, sizes, 1, &call), TUNE_OK);
  EXPECT_EQ(tune_value(&call, 2), 0);
  EXPECT_EQ(tune_value(&call, -1), 0);
  EXPECT_EQ(tune_value(nullptr, 0), 0);
  EXPECT_EQ(tune_next(region, sizes, 2, &call), TUNE_INVALID_ARGUMENT);
  EXPECT_THAT(tune_last_error(), HasSubstr("has 1 inputs, and now 2"));
  EXPECT_EQ(tune_add_real(region, "late", 0, 1, 0, nullptr), TUNE_WRONG_STATE);
  EXPECT_STREQ(tune_status_name(TUNE_WRONG_STATE), "TUNE_WRONG_STATE");
  EXPECT_STREQ(tune_status_name(static_cast<tune_status>(99)), "?");
}

TEST(Tuning, RefusesOptionsThatMakeNoSense) {
  const auto create = [](auto change) {
    tune_options options;
    tune_options_default(&options, sizeof(options));
    change(&options);
    tune_context* context = nullptr;
    const tune_status status = tune_context_create(&options, &context);
    tune_context_destroy(context);
    return status;
  };
  EXPECT_EQ(create([](tune_options*) {}), TUNE_OK);
  EXPECT_EQ(create([](tune_options* options) { options->struct_size = 0; }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->struct_size += 8; }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->mode = 2; }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->device = ""; }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->epsilon = std::nan(""); }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->epsilon_decay = 1; }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->most_tries = 0; }), TUNE_INVALID_ARGUMENT);
  EXPECT_EQ(create([](tune_options* options) { options->drift = 0.5; }), TUNE_INVALID_ARGUMENT);
  tune_context* context = nullptr;
  ASSERT_EQ(tune_context_create(nullptr, &context), TUNE_OK);
  EXPECT_THAT(tune_device(context), testing::StartsWith("cpu "));
  tune_context_destroy(context);
  tune_context_destroy(nullptr);
  EXPECT_EQ(tune_context_create(nullptr, nullptr), TUNE_INVALID_ARGUMENT);
}

// A caller whose header ended after `capture_file`.
TEST(Tuning, OptionsOfAnOlderHeaderHaveDefaultsForTheRest) {
  tune_options options;
  std::memset(&options, 0xff, sizeof(options));
  const size_t older = offsetof(tune_options, mode);
  ASSERT_EQ(tune_options_default(&options, older), TUNE_OK);
  EXPECT_EQ(options.struct_size, older);
  tune_context* context = nullptr;
  EXPECT_EQ(tune_context_create(&options, &context), TUNE_OK) << tune_last_error();
  tune_context_destroy(context);
}

}  // namespace
}  // namespace libtune
