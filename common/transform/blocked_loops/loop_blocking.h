// What blocking serial loops is, however their statements are cut.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/blocked_loops/serial_loops.h"

namespace tune {

// A scop of the same instances, and maybe further ones, whose loops' statements have the number of their
// block as first iterator.
struct CutLoops {
  std::shared_ptr<const ParsedScop> scop;
  Dependences dependences;
  std::vector<std::vector<std::string>> statements;  // of each loop, in the scop's order
  std::set<std::string> bounded;  // those that have no more than a fixed number of instances in a block
};

// Cuts the statements of the loops. nullopt: it does not apply to them. Errors: those of IslContext::Run.
using LoopCut = std::function<absl::StatusOr<std::optional<CutLoops>>(const std::vector<SerialLoop>& loops)>;

// The serial loops of `schedule` which `accept` takes, in the blocks that `cut` makes: a scop in the order in
// which it is to run. Loops that do not pay (block_schedule.h) are left out. nullopt: none pays. To be called
// inside IslContext::Run; throws isl::exception.
absl::StatusOr<std::optional<v1::Scop>> BlockSerialLoops(IslContext& context, const isl::schedule& schedule,
                                                         const std::function<bool(const SerialLoop&)>& accept,
                                                         const LoopCut& cut);

// Whether the loop has `least` iterations at the parameters in `values`. Throws isl::exception.
bool HasIterations(const SerialLoop& loop, const ParsedScop& scop, const isl::set& values, int64_t least);

}  // namespace tune
