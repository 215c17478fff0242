// Operations of a warp: lanes wait for each other and exchange values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/simt/interface.h"

namespace tune::simt {

// One warp of a block. Lanes that a mask names must all arrive with the same operation, mask and width; lanes
// that the block does not have (a block size that is no multiple of 32) need not. A lane that has ended never
// arrives.
class Warp {
 public:
  static constexpr uint32_t kMaxClock = (1u << 20) - 1;

  // Lanes 0 .. lanes - 1 exist.
  void Reset(int lanes);

  // The threads' barrier orders everything: warp barriers count from 0 again.
  void BlockBarrier();

  // Lane asks for its part. Empty, or what is wrong with the call.
  std::string Arrive(int lane, const simt_exchange& call);

  // When all lanes of the mask have arrived: completes the operation for all and returns them, else 0.
  // `fault` says what is wrong otherwise, and `faulty_lane` where.
  unsigned Complete(int lane, std::string* fault, int* faulty_lane);

  unsigned long long Result(int lane) const { return calls_[lane].value; }
  int Line(int lane) const { return calls_[lane].line; }  // of its last call
  bool Waiting(int lane) const { return waiting_ >> lane & 1; }
  unsigned existing() const { return existing_; }

  // Why a waiting lane still waits: "waits at __shfl_down_sync in line 7 with mask 0xffffffff for lane 3".
  // `missing` is the first lane that has not come, or comes with something else.
  std::string Describe(int lane, int* missing) const;

  uint32_t clock(int lane) const { return ordered_ ? clocks_[lane] : 0; }
  // 32 counts of warp barriers that the lane knows of, or null before the first.
  const uint32_t* known(int lane) const { return ordered_ ? known_[lane].data() : nullptr; }

 private:
  bool Matches(int lane, int other) const;
  void SynchroniseMemory(unsigned lanes);
  // The lane that a shuffle reads.
  static int Source(int lane, const simt_exchange& call);

  unsigned existing_ = 0;
  unsigned waiting_ = 0;
  bool ordered_ = false;  // a warp barrier was passed since the last block barrier
  std::array<simt_exchange, 32> calls_;
  std::array<uint32_t, 32> clocks_;
  std::array<std::array<uint32_t, 32>, 32> known_;
};

}  // namespace tune::simt
