#include "worker/build/build_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tune {
namespace {

TEST(BuildSlots, NoMoreAtOnceThanThereArePlaces) {
  BuildSlots slots(2);
  std::atomic<int> inside = 0, most = 0, done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        const BuildSlots::Hold hold(&slots);
        const int now = ++inside;
        int seen = most;
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        --inside;
        ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 800);
  EXPECT_LE(most, 2);
}

TEST(BuildSlots, WithoutALimit) { const BuildSlots::Hold hold(nullptr); }

}  // namespace
}  // namespace tune
