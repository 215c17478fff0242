#include "tests/simt/warp.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tune::simt {
namespace {

const char* Name(simt_operation operation) {
  switch (operation) {
    case SIMT_SYNCWARP:
      return "__syncwarp";
    case SIMT_BALLOT:
      return "a vote";
    case SIMT_SHUFFLE:
      return "__shfl_sync";
    case SIMT_SHUFFLE_UP:
      return "__shfl_up_sync";
    case SIMT_SHUFFLE_DOWN:
      return "__shfl_down_sync";
    case SIMT_SHUFFLE_XOR:
      return "__shfl_xor_sync";
  }
  return "an operation of the warp";
}

std::string Describe(const simt_exchange& call) {
  return absl::StrFormat("%s in line %d with mask 0x%08x", Name(call.operation), call.line, call.mask);
}

}  // namespace

void Warp::Reset(int lanes) {
  existing_ = lanes >= 32 ? 0xffffffff : (1u << lanes) - 1;
  waiting_ = 0;
  ordered_ = false;
}

void Warp::BlockBarrier() { ordered_ = false; }

std::string Warp::Arrive(int lane, const simt_exchange& call) {
  if ((call.mask >> lane & 1) == 0) {
    return absl::StrFormat("%s does not name the calling lane %d", tune::simt::Describe(call), lane);
  }
  if (call.width < 1 || call.width > 32 || !std::has_single_bit(static_cast<unsigned>(call.width))) {
    return absl::StrCat(tune::simt::Describe(call), ": width ", call.width, " is not 1, 2, 4, 8, 16 or 32");
  }
  const bool distance = call.operation == SIMT_SHUFFLE_UP || call.operation == SIMT_SHUFFLE_DOWN;
  if ((distance || call.operation == SIMT_SHUFFLE_XOR) && (call.parameter < 0 || call.parameter > 31)) {
    return absl::StrCat(tune::simt::Describe(call), ": ", distance ? "distance " : "lane mask ",
                        call.parameter, " is not in 0 .. 31");
  }
  if (call.operation == SIMT_SYNCWARP && clock(lane) == kMaxClock) {
    return absl::StrCat(tune::simt::Describe(call), ": the simulator counts no more than ", kMaxClock,
                        " warp barriers between two barriers of the block");
  }
  calls_[lane] = call;
  waiting_ |= 1u << lane;
  return "";
}

bool Warp::Matches(int lane, int other) const {
  const simt_exchange &a = calls_[lane], &b = calls_[other];
  return a.operation == b.operation && a.mask == b.mask && a.width == b.width && a.bytes == b.bytes;
}

unsigned Warp::Complete(int lane, std::string* fault, int* faulty_lane) {
  const unsigned lanes = calls_[lane].mask & existing_;
  if ((lanes & ~waiting_) != 0) return 0;
  for (int other = 0; other < 32; ++other) {
    if ((lanes >> other & 1) && !Matches(lane, other)) return 0;
  }
  std::array<unsigned long long, 32> results{};
  unsigned ballot = 0;
  for (int i = 0; i < 32; ++i) {
    if ((lanes >> i & 1) == 0) continue;
    if (calls_[i].value != 0) ballot |= 1u << i;
    if (calls_[i].operation < SIMT_SHUFFLE) continue;
    const int source = Source(i, calls_[i]);
    if ((lanes >> source & 1) == 0) {
      *fault = absl::StrFormat("%s reads from lane %d, which %s", tune::simt::Describe(calls_[i]), source,
                               existing_ >> source & 1 ? "is not in the mask" : "the block does not have");
      *faulty_lane = i;
      return 0;
    }
    results[i] = calls_[source].value;
  }
  for (int i = 0; i < 32; ++i) {
    if (lanes >> i & 1) calls_[i].value = calls_[i].operation == SIMT_BALLOT ? ballot : results[i];
  }
  if (calls_[lane].operation == SIMT_SYNCWARP) SynchroniseMemory(lanes);
  waiting_ &= ~lanes;
  return lanes;
}

int Warp::Source(int lane, const simt_exchange& call) {
  const int first = lane & ~(call.width - 1);
  const int last = first + call.width - 1;
  switch (call.operation) {
    case SIMT_SHUFFLE_UP:
      return lane - call.parameter < first ? lane : lane - call.parameter;
    case SIMT_SHUFFLE_DOWN:
      return lane + call.parameter > last ? lane : lane + call.parameter;
    case SIMT_SHUFFLE_XOR:
      return (lane ^ call.parameter) > last ? lane : lane ^ call.parameter;
    default:
      return first + (call.parameter & (call.width - 1));
  }
}

// Each of the lanes knows now what any of them did before or knew.
void Warp::SynchroniseMemory(unsigned lanes) {
  if (!ordered_) {
    ordered_ = true;
    clocks_.fill(0);
    for (auto& known : known_) known.fill(0);
  }
  std::array<uint32_t, 32> joint{};
  for (int i = 0; i < 32; ++i) {
    if ((lanes >> i & 1) == 0) continue;
    for (int j = 0; j < 32; ++j) joint[j] = std::max(joint[j], known_[i][j]);
    joint[i] = ++clocks_[i];
  }
  for (int i = 0; i < 32; ++i) {
    if (lanes >> i & 1) known_[i] = joint;
  }
}

std::string Warp::Describe(int lane, int* missing) const {
  const unsigned lanes = calls_[lane].mask & existing_;
  *missing = -1;
  for (int other = 0; other < 32 && *missing < 0; ++other) {
    if ((lanes >> other & 1) && (!Waiting(other) || !Matches(lane, other))) *missing = other;
  }
  return absl::StrCat("waits at ", tune::simt::Describe(calls_[lane]), " for lane ", *missing);
}

}  // namespace tune::simt
