// Integers that a function computes, as far as its text says how: addresses, loop counters, predicates.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/base/status.h"
#include "worker/ptx/control_flow.h"
#include "worker/ptx/ptx_module.h"

namespace tune {

// constant + sum of coefficient * symbol.
struct LinearForm {
  int64_t constant = 0;
  std::vector<std::pair<int, int64_t>> terms;  // symbols rise, coefficients are not 0

  bool IsConstant() const { return terms.empty(); }
  bool operator==(const LinearForm&) const = default;
};

// `a` + `factor` * `b`. No value where a number overflows or there are too many terms.
std::optional<LinearForm> Sum(const LinearForm& a, const LinearForm& b, int64_t factor = 1);

// What threads of a launch differ in.
enum ThreadDependence : uint8_t { kOnThreadX = 1, kOnThreadY = 2, kOnThreadZ = 4, kOnBlock = 8, kOnAll = 15 };

enum class ValueOperation {
  kMultiply,
  kDivide,
  kRemainder,
  kMinimum,
  kMaximum,
  kShiftLeft,
  kShiftRight,
  kAnd,
  kOr,
  kXor,
  kSelect,  // a ? b : c
  // Of a to 0.
  kEqual,
  kUnequal,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual
};

struct ValueSymbol {
  enum class Kind {
    kThread,     // %tid along `axis`
    kBlock,      // %ctaid along `axis`
    kLane,       // %laneid
    kUnknown,    // depends on its operands in a way that the text does not tell, as a loaded value does
    kOperation,  // of its operands
    kLoopValue,  // a before the first iteration of `loop`; then, if it is_linear, b more each time, else c
    kLoopEnd     // which iteration of `loop`, from 0, leaves it; operands: what this depends on
  };
  Kind kind = Kind::kUnknown;
  ValueOperation operation = ValueOperation::kMultiply;
  int axis = 0;
  int loop = -1;
  bool is_linear = false;
  LinearForm a, b, c;
  uint8_t depends = 0;  // ThreadDependence
  uint32_t varies = 0;  // bit depth - 1 of each loop around it in which it changes
};

struct ValueGraph {
  std::vector<ValueSymbol> symbols;  // operands before what is computed of them, c of a loop value excepted
  // Of each block: the predicate of its last branch; no value where it has none.
  std::vector<std::optional<LinearForm>> conditions;
  // Of each instruction that accesses global memory: the address.
  std::vector<std::optional<LinearForm>> addresses;
  // Of each loop: its symbols are from `begin` to below `end`.
  struct SymbolRange {
    int begin = 0, end = 0;
  };
  std::vector<SymbolRange> loops;

  uint8_t Depends(const LinearForm& form) const;
  uint32_t Varies(const LinearForm& form) const;
};

// The launch, as far as it is known before it.
struct PtxLaunch {
  int64_t grid[3] = {1, 1, 1};
  int64_t block[3] = {1, 1, 1};
  // Values of the kernel's parameters in their order; none: not known, as of arrays. May be shorter.
  std::vector<std::optional<int64_t>> parameters;
  // What special registers tell: shared memory of a block, and multiprocessors of the device. 0: not known.
  int64_t dynamic_shared_bytes = 0, all_shared_bytes = 0;
  int64_t multiprocessors = 0;
};

// RESOURCE_EXHAUSTED: more registers with several values than can be followed.
absl::StatusOr<ValueGraph> ValuesOf(const PtxFunction& function, const ControlFlow& flow,
                                    const PtxLaunch& launch);

}  // namespace tune
