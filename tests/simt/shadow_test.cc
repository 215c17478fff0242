#include "tests/simt/shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "common/base/random.h"
#include "tests/simt/warp.h"

namespace tune::simt {
namespace {

// All accesses of a launch, compared in pairs.
class Oracle {
 public:
  void BeginLaunch() { history_.clear(); }
  bool Check(int block, int interval, const Accessor& accessor, int offset, int bytes, unsigned kind) {
    Access access = {block, interval, accessor.thread, accessor.clock, offset, bytes, kind};
    for (const Access& other : history_) {
      if (other.offset + other.bytes <= offset || offset + bytes <= other.offset) continue;
      const bool reads = other.kind == SIMT_READ && kind == SIMT_READ;
      const bool atomics = other.kind == SIMT_ATOMIC && kind == SIMT_ATOMIC;
      if (!reads && !atomics && !Ordered(other, access, accessor)) return false;
    }
    history_.push_back(access);
    return true;
  }

 private:
  struct Access {
    int block, interval;
    uint32_t thread, clock;
    int offset, bytes;
    unsigned kind;
  };
  static bool Ordered(const Access& a, const Access& b, const Accessor& accessor) {
    if (a.block != b.block) return false;
    if (a.interval != b.interval || a.thread == b.thread) return true;
    return a.thread / 32 == b.thread / 32 && accessor.known != nullptr &&
           a.clock < accessor.known[a.thread % 32];
  }
  std::vector<Access> history_;
};

// Random accesses, barriers, warp barriers and blocks; the first race must be found at the very access. Where
// reads and atomic updates of one element mix between two barriers, a few may be missed.
TEST(Shadow, FindsWhatPairwiseComparisonFinds) {
  constexpr uint32_t kThreads[] = {0, 1, 32, 33, 34};
  int races = 0, clean = 0, missed = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Random random(7, trial);
    alignas(16) char memory[128];
    Shadow shadow;
    ASSERT_TRUE(shadow.AddGlobal("memory", memory, sizeof(memory), true));
    Oracle oracle;
    const int size = trial % 3 == 0 ? 0 : trial % 3;  // 0: mixed sizes
    const uint64_t write_share = 2 + trial % 50;
    const uint64_t steps = 1 + random.Below(12);
    const bool kinds_mix = trial % 2 == 1;
    bool raced = false;
    for (int launch = 0; launch < 2 && !raced; ++launch) {
      shadow.BeginLaunch({}, false);
      oracle.BeginLaunch();
      for (int block = 0; block < 3 && !raced; ++block) {
        shadow.BeginBlock();
        std::array<Warp, 2> warps;
        warps[0].Reset(2);
        warps[1].Reset(3);
        int interval = 0;
        for (uint64_t step = 0; step < steps && !raced; ++step) {
          const uint64_t action = random.Below(10);
          if (action == 0) {
            shadow.Barrier();
            for (Warp& warp : warps) warp.BlockBarrier();
            ++interval;
          } else if (action <= 2) {
            Warp& warp = warps[random.Below(2)];
            for (int lane = 0; lane < 3; ++lane) {
              if ((warp.existing() >> lane & 1) == 0) continue;
              ASSERT_EQ(warp.Arrive(lane, {SIMT_SYNCWARP, 1, 0xffffffff, 32, 0, 1, 0}), "");
              std::string fault;
              int faulty;
              warp.Complete(lane, &fault, &faulty);
            }
          } else {
            const uint32_t thread = kThreads[random.Below(5)];
            const Warp& warp = warps[thread / 32];
            const Accessor accessor = {thread, warp.clock(thread % 32), warp.known(thread % 32)};
            const int bytes = size == 0 ? 1 << random.Below(5) : 4 * size;
            const int offset = static_cast<int>(random.Below(sizeof(memory) / bytes)) * bytes;
            const uint64_t draw = random.Below(write_share);
            const unsigned kind = draw == 0 ? SIMT_WRITE : draw == 1 && kinds_mix ? SIMT_ATOMIC : SIMT_READ;
            const bool expected = oracle.Check(block, interval, accessor, offset, bytes, kind);
            const auto verdict =
                shadow.Check(accessor, reinterpret_cast<uintptr_t>(memory) + offset, bytes, kind, nullptr);
            if (!expected && verdict == Shadow::Verdict::kGood && kinds_mix) {
              ++missed;
              raced = true;
              break;
            }
            ASSERT_EQ(verdict == Shadow::Verdict::kGood, expected)
                << "trial " << trial << " launch " << launch << " block " << block << " step " << step << ": "
                << shadow.fault().what;
            raced = !expected;
          }
        }
      }
    }
    ++(raced ? races : clean);
  }
  EXPECT_LE(missed, races / 500);
  EXPECT_GT(races, 2000);
  EXPECT_GT(clean, 2000);
}

// The same of blocks that take turns.
class ResidentOracle {
 public:
  struct Access {
    int phase, block, interval;
    uint32_t thread;
    int offset, bytes;
    unsigned kind;
  };

  // Earlier accesses that conflict.
  std::vector<Access> Add(const Access& access) {
    std::vector<Access> conflicts;
    for (const Access& other : history_) {
      const bool apart =
          other.offset + other.bytes <= access.offset || access.offset + access.bytes <= other.offset;
      if (!apart && Conflict(other, access)) conflicts.push_back(other);
    }
    history_.push_back(access);
    return conflicts;
  }

 private:
  static bool Conflict(const Access& a, const Access& b) {
    const auto reads = [](const Access& access) {
      return access.kind == SIMT_READ || access.kind == SIMT_CONSTANT;
    };
    if ((reads(a) && reads(b)) || (a.kind == SIMT_ATOMIC && b.kind == SIMT_ATOMIC)) return false;
    if (a.kind == SIMT_CONSTANT || b.kind == SIMT_CONSTANT) return true;
    if (a.phase != b.phase) return false;
    return a.block != b.block || (a.interval == b.interval && a.thread != b.thread);
  }
  std::vector<Access> history_;
};

TEST(Shadow, FindsRacesOfResidentBlocks) {
  constexpr uint32_t kThreads[] = {0, 1, 32};
  int races = 0, block_races = 0, clean = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Random random(11, trial);
    alignas(16) char memory[64];
    Shadow shadow;
    ASSERT_TRUE(shadow.AddGlobal("memory", memory, sizeof(memory), true));
    const uint64_t changing_share = 4 + trial % 60;
    // Reads and atomic updates in one launch: a race may be missed.
    const bool atomics = trial % 3 == 0;
    bool raced = false;
    for (int launch = 0; launch < 2 && !raced; ++launch) {
      shadow.BeginLaunch({}, false);
      shadow.BeginResident(3);
      ResidentOracle oracle;
      int phase = 0, interval = 0, block = 0;
      shadow.BeginTurn(block);
      const uint64_t steps = 1 + random.Below(40);
      for (uint64_t step = 0; step < steps && !raced; ++step) {
        const uint64_t action = random.Below(10);
        if (action < 3) {
          if (action == 0) {
            shadow.GridBarrier();
            ++phase;
          }
          block = static_cast<int>(random.Below(3));
          shadow.BeginTurn(block);
          ++interval;
          continue;
        }
        const int bytes = trial % 2 == 0 ? 4 : 1 << random.Below(4);
        const auto offset = static_cast<int>(random.Below(sizeof(memory) / bytes)) * bytes;
        const uint64_t draw = random.Below(changing_share);
        const unsigned change = atomics ? SIMT_ATOMIC : SIMT_WRITE,
                       read = atomics ? SIMT_CONSTANT : SIMT_READ;
        const unsigned kind = draw < 2 ? change : draw < 4 ? SIMT_CONSTANT : read;
        const uint32_t thread = kThreads[random.Below(3)];
        const auto conflicts = oracle.Add({phase, block, interval, thread, offset, bytes, kind});
        const auto verdict = shadow.Check({thread, 0, nullptr}, reinterpret_cast<uintptr_t>(memory) + offset,
                                          bytes, kind, nullptr);
        raced = !conflicts.empty();
        ASSERT_EQ(verdict == Shadow::Verdict::kFault, raced)
            << "trial " << trial << " launch " << launch << " step " << step << ": " << shadow.fault().what;
        if (raced && shadow.fault().with == Shadow::Fault::With::kBlock) {
          ++block_races;
          EXPECT_NE(shadow.fault().number, static_cast<uint32_t>(block));
          EXPECT_TRUE(std::any_of(conflicts.begin(), conflicts.end(),
                                  [&](const ResidentOracle::Access& other) {
                                    return other.phase == phase &&
                                           other.block == static_cast<int>(shadow.fault().number);
                                  }))
              << "trial " << trial;
        }
      }
    }
    ++(raced ? races : clean);
  }
  EXPECT_GT(races, 2000);
  EXPECT_GT(block_races, 1000);
  EXPECT_GT(clean, 2000);
}

TEST(Shadow, ResidentBlocksHaveSharedMemoryOfTheirOwn) {
  alignas(8) int shared[4] = {};
  Shadow shadow;
  const int number = shadow.AddShared("shared", shared, sizeof(shared));
  const auto check = [&](int element, size_t bytes, unsigned kind) {
    return shadow.Check({0, 0, nullptr}, reinterpret_cast<uintptr_t>(shared + element), bytes, kind, nullptr);
  };
  for (int launch = 0; launch < 2; ++launch) {
    shadow.BeginLaunch({{number, sizeof(shared)}}, false);
    shadow.BeginResident(3);
    for (int block : {1, 0, 2}) {
      shadow.BeginTurn(block);
      EXPECT_EQ(check(block, 4, SIMT_WRITE), Shadow::Verdict::kGood);
    }
    for (int turn = 0; turn < 10; ++turn) {
      if (turn % 3 == 2) shadow.GridBarrier();
      const int block = turn * 5 % 3;
      shadow.BeginTurn(block);
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(check(i, 4, SIMT_READ), i == block ? Shadow::Verdict::kGood : Shadow::Verdict::kFault);
      }
      // Smaller cells for one block.
      EXPECT_EQ(check(block == 1 ? 0 : (block + 1) % 4, block == 1 ? 1 : 4, SIMT_READ),
                Shadow::Verdict::kFault);
    }
  }
}

TEST(Shadow, EpochsMayRunOut) {
  // More intervals than an epoch has bits, in a launch whose threads race only at its end.
  alignas(8) int memory[2] = {};
  Shadow shadow;
  ASSERT_TRUE(shadow.AddGlobal("memory", memory, sizeof(memory), false));
  shadow.BeginLaunch({}, false);
  const auto check = [&](uint32_t thread, int element, unsigned kind) {
    return shadow.Check({thread, 0, nullptr}, reinterpret_cast<uintptr_t>(memory + element), 4, kind,
                        nullptr);
  };
  shadow.BeginBlock();
  EXPECT_EQ(check(0, 0, SIMT_WRITE), Shadow::Verdict::kGood);
  for (int i = 0; i < (1 << 27); ++i) shadow.Barrier();
  EXPECT_EQ(check(1, 0, SIMT_READ), Shadow::Verdict::kGood);   // still defined
  EXPECT_EQ(check(1, 1, SIMT_READ), Shadow::Verdict::kFault);  // still not
  EXPECT_EQ(check(2, 0, SIMT_WRITE), Shadow::Verdict::kFault);
  EXPECT_EQ(shadow.fault().with, Shadow::Fault::With::kThread);
  EXPECT_EQ(shadow.fault().number, 1);
  shadow.BeginBlock();
  EXPECT_EQ(check(0, 0, SIMT_WRITE), Shadow::Verdict::kFault);
  EXPECT_EQ(shadow.fault().with, Shadow::Fault::With::kBlock);
  EXPECT_EQ(shadow.fault().number, 0);
}

TEST(Shadow, EpochsMayRunOutBetweenResidentBlocks) {
  alignas(8) int shared[2] = {}, memory[2] = {};
  Shadow shadow;
  ASSERT_TRUE(shadow.AddGlobal("memory", memory, sizeof(memory), true));
  const int number = shadow.AddShared("shared", shared, sizeof(shared));
  const auto check = [&](const int* address, unsigned kind) {
    return shadow.Check({0, 0, nullptr}, reinterpret_cast<uintptr_t>(address), 4, kind, nullptr);
  };
  shadow.BeginLaunch({{number, sizeof(shared)}}, false);
  shadow.BeginResident(2);
  for (int block : {0, 1}) {
    shadow.BeginTurn(block);
    EXPECT_EQ(check(shared + block, SIMT_WRITE), Shadow::Verdict::kGood);
  }
  for (int i = 0; i < (1 << 26); ++i) {
    shadow.Barrier();
    shadow.GridBarrier();
  }
  for (int block : {0, 1}) {
    shadow.BeginTurn(block);
    EXPECT_EQ(check(shared + block, SIMT_READ), Shadow::Verdict::kGood);
    EXPECT_EQ(check(shared + 1 - block, SIMT_READ), Shadow::Verdict::kFault);
    EXPECT_EQ(check(memory + block, SIMT_WRITE), Shadow::Verdict::kGood);
  }
  EXPECT_EQ(check(memory, SIMT_READ), Shadow::Verdict::kFault);
  EXPECT_EQ(shadow.fault().with, Shadow::Fault::With::kBlock);
  EXPECT_EQ(shadow.fault().number, 0);
}

}  // namespace
}  // namespace tune::simt
