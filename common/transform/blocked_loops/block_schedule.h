// The order of blocks of a loop's iterations, and of what is in them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"

namespace tune {

// A loop over blocks. In it the strongly connected components of the statements' dependences inside of a
// block run one after another, each in loops of its own.
struct BlockSchedule {
  isl::schedule tree;
  // Some component is one sum, in parallel loops, of iterations that a block has together, and each that must
  // be run one iteration after another has a fixed number of instances in a block.
  bool pays = false;
};

// `statements`: of `scop`, all with the block's number as first iterator; `bounded`: those with a fixed
// number of instances in a block. Nothing when isl's scheduler finds none within the limits. Errors: those of
// IslContext::Run.
absl::StatusOr<std::optional<BlockSchedule>> ScheduleBlocks(IslContext& context, const ParsedScop& scop,
                                                            const Dependences& dependences,
                                                            const std::vector<std::string>& statements,
                                                            const std::set<std::string>& bounded);

}  // namespace tune
