// What is said about one generated loop, carried by mark nodes from the mapper to the printer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

// Stands as a mark node just above a band of one member; a mark named kLoopMarkEnd stands just below that
// band, so that every `for` that the code generator puts between the two belongs to the marked loop (it may
// make several of them, or none when the loop has one iteration).
struct LoopMark {
  bool parallel = false;  // the iterations run in parallel
  int threads = 0;        // on at most so many threads; 0: on as many as the run time has
  bool simd = false;      // the iterations are independent and hold no loop: vectorise
  int64_t unroll = 1;     // more than 1: unroll by this factor
  // More than 0: the iterator stays below it and is never negative, and the loop is to be unrolled as a
  // whole, so that what it indexes can be in registers.
  int64_t points = 0;
  // Where iterations run in parallel or are vectorised: OpenMP's private and lastprivate.
  std::vector<std::string> local = {}, last = {};
  bool empty() const { return !parallel && !simd && unroll <= 1 && points == 0; }
  bool operator==(const LoopMark&) const = default;
};

inline constexpr char kLoopMarkEnd[] = "loop end";

// Name of the mark node: "loop: parallel, simd", "loop: parallel 8, unroll 4", "loop: points 4",
// "loop: parallel, local a b, last c".
// Precondition: not empty().
std::string PrintLoopMark(const LoopMark& mark);

// The mark with that name; nothing when the name is not one that PrintLoopMark prints.
std::optional<LoopMark> ParseLoopMark(absl::string_view name);

}  // namespace tune
