// A context for tests: repeatable, with its messages kept.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "libtune/include/tune.h"

namespace libtune {

class TestContext {
 public:
  // `change` changes the options.
  template <typename Change>
  explicit TestContext(Change change) {
    tune_options options;
    EXPECT_EQ(tune_options_default(&options, sizeof(options)), TUNE_OK);
    options.device = "test device";
    options.seed = 1;
    options.message = [](void* user, const char* text) {
      auto* self = static_cast<TestContext*>(user);
      const std::lock_guard<std::mutex> lock(self->mutex_);
      self->messages_.emplace_back(text);
    };
    options.message_user = this;
    change(&options);
    EXPECT_EQ(tune_context_create(&options, &context_), TUNE_OK) << tune_last_error();
  }
  TestContext() : TestContext([](tune_options*) {}) {}
  ~TestContext() { Destroy(); }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;

  tune_context* get() const { return context_; }
  void Destroy() {
    tune_context_destroy(context_);
    context_ = nullptr;
  }
  tune_region* Region(const char* name) const {
    tune_region* region = nullptr;
    EXPECT_EQ(tune_region_create(context_, name, &region), TUNE_OK) << tune_last_error();
    return region;
  }
  std::vector<std::string> messages() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return messages_;
  }

 private:
  tune_context* context_ = nullptr;
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

// A region with a tile, whose best is 64 for all inputs, and a thread count, the best of which is inputs[0] /
// 100.
struct TiledRegion {
  explicit TiledRegion(const TestContext& context) : region(context.Region("tiled")) {
    EXPECT_EQ(tune_add_powers(region, "tile", 1, 256, 2, 1, &tile), TUNE_OK);
    EXPECT_EQ(tune_add_steps(region, "threads", 1, 8, 1, 1, &threads), TUNE_OK);
  }
  double Seconds(const tune_call& call, long size) const {
    double seconds = 1;
    for (double at = tune_value(&call, tile); at < 64; at *= 2) seconds += 0.5;
    for (double at = tune_value(&call, tile); at > 64; at /= 2) seconds += 0.25;
    return seconds + 0.1 * std::abs(tune_value(&call, threads) - static_cast<double>(size) / 100);
  }
  // Calls until it is settled; how many that took.
  int Settle(long size) const {
    for (int calls = 0; calls < 2000; ++calls) {
      tune_call call;
      EXPECT_EQ(tune_next(region, &size, 1, &call), TUNE_OK) << tune_last_error();
      if (call.settled == 1) {
        EXPECT_EQ(tune_abandon(&call), TUNE_OK);
        return calls;
      }
      EXPECT_EQ(tune_report(&call, Seconds(call, size)), TUNE_OK) << tune_last_error();
    }
    ADD_FAILURE() << "never settled";
    return 0;
  }
  std::vector<double> LookUp(long size, tune_progress* progress) const {
    progress->struct_size = sizeof(*progress);
    std::vector<double> values(2);
    EXPECT_EQ(tune_look_up(region, &size, 1, values.data(), 2, progress), TUNE_OK) << tune_last_error();
    return values;
  }

  tune_region* region;
  int tile = -1;
  int threads = -1;
};

}  // namespace libtune
