#include "worker/lease/host_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace tune {
namespace {

constexpr HostUse kUses[] = {HostUse::kAlone, HostUse::kCandidate, HostUse::kOriginal};

TEST(HostCrowd, WhatTheHostMeasuresHasItAlone) {
  HostCrowd empty;
  for (const HostUse use : kUses) {
    EXPECT_TRUE(empty.Admits(use));
    HostCrowd crowd;
    ++crowd.Of(use);
    EXPECT_FALSE(crowd.Admits(HostUse::kAlone));
    EXPECT_EQ(crowd.Admits(HostUse::kCandidate), use != HostUse::kAlone);
    EXPECT_EQ(crowd.Admits(HostUse::kOriginal), use != HostUse::kAlone);
  }
}

TEST(HostCrowd, NobodyOvertakesWhoWaitsButCandidatesBesideAnOriginal) {
  HostCrowd crowd;
  crowd.waiting = 1;
  crowd.candidates = 2;
  EXPECT_FALSE(crowd.Admits(HostUse::kCandidate));
  EXPECT_FALSE(crowd.Admits(HostUse::kOriginal));
  crowd.originals = 1;
  EXPECT_TRUE(crowd.Admits(HostUse::kCandidate));
  EXPECT_FALSE(crowd.Admits(HostUse::kOriginal)) << "originals one after the other would keep it away";
}

TEST(HostCrowd, WhoWaitedWhileOneWasAloneComesBeforeTheNextOne) {
  HostCrowd crowd;
  crowd.waiting = crowd.others_waiting = crowd.next = 1;
  EXPECT_TRUE(crowd.Admits(HostUse::kCandidate));
  EXPECT_TRUE(crowd.Admits(HostUse::kOriginal));
  EXPECT_FALSE(crowd.Admits(HostUse::kAlone));
}

// Hangs where two that take turns alone keep all others away.
TEST(HostTurns, TwoThatMeasureInTurnsLetOthersIn) {
  HostTurns host;
  std::atomic<bool> stop = false;
  const auto measure = [&] {
    while (!stop) const HostTurns::Turn alone(&host, HostUse::kAlone);
  };
  std::thread first(measure), second(measure);
  for (int i = 0; i < 20; ++i) const HostTurns::Turn other(&host, HostUse::kOriginal);
  stop = true;
  first.join();
  second.join();
}

// Hangs where candidates wait for an original program.
TEST(HostTurns, CandidatesGoOnBesideAnOriginalAndThenTheHostIsFree) {
  HostTurns host;
  std::optional<HostTurns::Turn> original(std::in_place, &host, HostUse::kOriginal);
  std::atomic<bool> original_ended = false;
  std::thread measures([&] {
    const HostTurns::Turn alone(&host, HostUse::kAlone);
    EXPECT_TRUE(original_ended);
    EXPECT_FALSE(alone.beside_others());
  });
  for (int i = 0; i < 100; ++i) {
    const HostTurns::Turn candidate(&host, HostUse::kCandidate);
    EXPECT_TRUE(candidate.beside_others());
  }
  original_ended = true;
  original.reset();
  measures.join();
  const HostTurns::Turn later(&host, HostUse::kCandidate);
  EXPECT_FALSE(later.beside_others());
}

TEST(HostTurns, ATurnTellsWhetherOthersWereThereMeanwhile) {
  HostTurns host;
  const HostTurns::Turn first(&host, HostUse::kOriginal);
  EXPECT_FALSE(first.beside_others());
  { const HostTurns::Turn second(&host, HostUse::kCandidate); }
  EXPECT_TRUE(first.beside_others());
  const HostTurns::Turn third(&host, HostUse::kCandidate);
  EXPECT_TRUE(third.beside_others());
}

// Counts in a variable that nothing else guards.
TEST(HostTurns, OneAtATimeHasTheHostAlone) {
  HostTurns host;
  int inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 200; ++j) {
        if ((i + j) % 3 == 0) {
          const HostTurns::Turn turn(&host, HostUse::kAlone);
          most = std::max(most, ++inside);
          --inside;
        } else {
          const HostTurns::Turn turn(&host, (i + j) % 3 == 1 ? HostUse::kCandidate : HostUse::kOriginal);
          EXPECT_EQ(inside, 0);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace tune
