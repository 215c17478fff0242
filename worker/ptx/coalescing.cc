#include "worker/ptx/coalescing.h"

#include <algorithm>
#include <set>

#include "common/device/occupancy.h"
#include "worker/ptx/ptx_opcode.h"
#include "worker/ptx/valuation.h"

namespace tune {
namespace {

constexpr size_t kMostAddresses = 20'000'000;
constexpr int64_t kMostAccessBytes = 32;

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0 ? 1 : 0); }

// Addresses of all instructions, of each thread of a warp.
class WarpAddresses {
 public:
  WarpAddresses(const ValueGraph& graph, const PtxLaunch& launch, const std::vector<int64_t>& iterations,
                bool rows_alone) {
    const int64_t all = launch.block[0] * launch.block[1] * launch.block[2];
    threads_ = std::min(kWarpThreads, all);
    width_ = std::min(launch.block[0], threads_);
    addresses_.resize(threads_, std::vector<ValuedNumber>(graph.addresses.size()));
    Valuation valuation(graph, launch);
    valuation.CompareRowsAlone(rows_alone);
    for (size_t loop = 0; loop < iterations.size(); ++loop) {
      valuation.SetIteration(static_cast<int>(loop), iterations[loop]);
      valuation.SetEnd(static_cast<int>(loop), iterations[loop]);
    }
    for (int64_t lane = 0; lane < threads_; ++lane) {
      ThreadPlace place;
      for (int axis = 0; axis < 3; ++axis) place.block[axis] = launch.grid[axis] / 2;
      place.thread[0] = lane % launch.block[0];
      place.thread[1] = lane / launch.block[0] % launch.block[1];
      place.thread[2] = lane / launch.block[0] / launch.block[1];
      valuation.SetPlace(place);
      valuation.EvaluateAll();
      valuation.EvaluateAll();  // steps of loops stand behind what they step
      for (size_t i = 0; i < graph.addresses.size(); ++i) {
        if (graph.addresses[i].has_value()) addresses_[lane][i] = valuation.Of(*graph.addresses[i]);
      }
    }
  }

  int64_t threads() const { return threads_; }
  int64_t width() const { return width_; }  // threads of a row
  std::optional<int64_t> At(int64_t lane, size_t instruction) const {
    const ValuedNumber& address = addresses_[lane][instruction];
    return address.knowledge == ValuedNumber::Knowledge::kUnknown ? std::nullopt
                                                                  : std::optional(address.value);
  }

 private:
  int64_t threads_ = 0;
  int64_t width_ = 0;
  std::vector<std::vector<ValuedNumber>> addresses_;
};

// What threads from `begin` to below `end` access together.
std::optional<GlobalAccess::Transactions> Together(const WarpAddresses& warp, size_t instruction,
                                                   int64_t bytes, int64_t transaction_bytes, int64_t begin,
                                                   int64_t end) {
  std::set<int64_t> touched, different;
  for (int64_t lane = begin; lane < end; ++lane) {
    const std::optional<int64_t> address = warp.At(lane, instruction);
    if (!address.has_value() || *address > INT64_MAX - kMostAccessBytes) return std::nullopt;
    for (int64_t at = *address; at < *address + bytes; ++at) {
      touched.insert(FloorDivide(at, transaction_bytes));
      different.insert(at);
    }
  }
  const int64_t needed = (static_cast<int64_t>(different.size()) + transaction_bytes - 1) / transaction_bytes;
  return GlobalAccess::Transactions{end - begin, static_cast<int64_t>(touched.size()), needed};
}

// Rows whose distances are not known touch nothing together.
std::optional<GlobalAccess::Transactions> ByRows(const WarpAddresses& warp, size_t instruction, int64_t bytes,
                                                 int64_t transaction_bytes) {
  GlobalAccess::Transactions sum;
  for (int64_t begin = 0; begin < warp.threads(); begin += warp.width()) {
    const auto row = Together(warp, instruction, bytes, transaction_bytes, begin,
                              std::min(begin + warp.width(), warp.threads()));
    if (!row.has_value()) return std::nullopt;
    sum.threads += row->threads;
    sum.touched += row->touched;
    sum.needed += row->needed;
  }
  return sum;
}

std::optional<int64_t> Stride(const WarpAddresses& warp, size_t instruction) {
  if (warp.width() < 2) return std::nullopt;
  const std::optional<int64_t> first = warp.At(0, instruction), next = warp.At(1, instruction);
  int64_t stride = 0;
  if (!first.has_value() || !next.has_value() || __builtin_sub_overflow(*next, *first, &stride))
    return std::nullopt;
  for (int64_t lane = 2; lane < warp.width(); ++lane) {
    const std::optional<int64_t> before = warp.At(lane - 1, instruction), at = warp.At(lane, instruction);
    int64_t distance = 0;
    if (!before.has_value() || !at.has_value() || __builtin_sub_overflow(*at, *before, &distance) ||
        distance != stride)
      return std::nullopt;
  }
  return stride;
}

}  // namespace

std::vector<GlobalAccess> GlobalAccesses(const PtxFunction& function, const ControlFlow& flow,
                                         const ValueGraph& graph, const PtxLaunch& launch,
                                         const std::vector<int64_t>& iterations, int64_t transaction_bytes) {
  std::vector<GlobalAccess> accesses;
  for (const BasicBlock& block : flow.blocks) {
    for (size_t i = block.begin; i < block.end; ++i) {
      if (IsGlobalAccess(function.instructions[i]))
        accesses.push_back({i, AccessBytes(function.instructions[i]), {}, {}});
    }
  }
  if (accesses.empty() || (graph.symbols.size() + graph.addresses.size()) * kWarpThreads > kMostAddresses)
    return accesses;
  const WarpAddresses warp(graph, launch, iterations, false);
  const WarpAddresses rows(graph, launch, iterations, true);
  for (GlobalAccess& access : accesses) {
    const size_t at = access.instruction;
    access.stride_bytes = Stride(rows, at);
    if (access.bytes < 1 || access.bytes > kMostAccessBytes) continue;
    access.transactions = Together(warp, at, access.bytes, transaction_bytes, 0, warp.threads());
    if (!access.transactions.has_value())
      access.transactions = ByRows(rows, at, access.bytes, transaction_bytes);
  }
  return accesses;
}

}  // namespace tune
