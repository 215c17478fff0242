#include "tests/simt/fiber.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune::simt {
namespace {

using ::testing::ElementsAre;

struct Journal {
  FiberSet fibers;
  std::vector<int> entries;
  bool own_stack = true;

  static void Run(void* journal, int fiber) {
    auto* self = static_cast<Journal*>(journal);
    int local = fiber;
    const auto address = reinterpret_cast<uintptr_t>(&local);
    self->own_stack &= self->fibers.OnStack(fiber, address, sizeof(local));
    self->own_stack &= !self->fibers.OnStack(fiber == 0 ? 1 : 0, address, sizeof(local));
    for (int i = 0; i < 2; ++i) {
      self->entries.push_back(10 * local + i);
      self->fibers.Suspend();
    }
  }
};

TEST(Fiber, TakeTurns) {
  Journal journal;
  journal.fibers.Reserve(2);
  for (int round = 0; round < 3; ++round) {
    journal.entries.clear();
    for (int fiber : {0, 1}) journal.fibers.Start(fiber, &Journal::Run, &journal);
    for (int fiber : {0, 1, 1, 0, 1, 0}) journal.fibers.Resume(fiber);
    EXPECT_THAT(journal.entries, ElementsAre(0, 10, 11, 1));
  }
  EXPECT_TRUE(journal.own_stack);
}

TEST(Fiber, MayBeForgotten) {
  Journal journal;
  journal.fibers.Reserve(2);
  for (int round = 0; round < 100; ++round) {
    journal.fibers.Start(1, &Journal::Run, &journal);
    journal.fibers.Resume(1);
  }
  EXPECT_EQ(journal.entries.size(), 100);
  journal.fibers.Reserve(500);
  journal.fibers.Start(499, &Journal::Run, &journal);
  journal.fibers.Resume(499);
  EXPECT_EQ(journal.entries.back(), 4990);
}

// More than a process may have mappings: only the first have guard pages.
TEST(Fiber, ManyAtOnce) {
#if defined(__SANITIZE_THREAD__)
  constexpr int kCount = 4000;  // ThreadSanitizer has no more than 8128
#else
  constexpr int kCount = 100000;
#endif
  struct Sum {
    FiberSet fibers;
    int64_t sum = 0;
    static void Run(void* sum, int fiber) {
      auto* self = static_cast<Sum*>(sum);
      self->sum += fiber;
      self->fibers.Suspend();
      self->sum += 1;
    }
  } sum;
  sum.fibers.Reserve(kCount);
  for (int i = 0; i < kCount; ++i) {
    sum.fibers.Start(i, &Sum::Run, &sum);
    sum.fibers.Resume(i);
  }
  for (int i = 0; i < kCount; ++i) sum.fibers.Resume(i);
  EXPECT_EQ(sum.sum, int64_t{kCount} * (kCount - 1) / 2 + kCount);
}

TEST(Fiber, FunctionsOfTheirOwn) {
  FiberSet fibers;
  fibers.Reserve(2);
  int one = 0, two = 0;
  fibers.Start(
      0, [](void* value, int) { *static_cast<int*>(value) += 1; }, &one);
  fibers.Start(
      1, [](void* value, int) { *static_cast<int*>(value) += 2; }, &two);
  fibers.Resume(1);
  fibers.Resume(0);
  EXPECT_EQ(one, 1);
  EXPECT_EQ(two, 2);
}

}  // namespace
}  // namespace tune::simt
