// Tables over intervals are filled block by block.
//
// Asks `parenthesis_blocks`, on by default for larger tables, where a nest fills tables whose element [i, j]
// is the best of, or the sum over, all splits k of what T[i][k] and T[k + 1][j] make (table_nest.h):
// parenthesis problems, as the order of a chain of products of matrices, optimal search trees, RNA folding.
// Without it each diagonal of elements is a launch, which reads a row and a column for each of them. With it
// the blocks of a diagonal take what finished blocks contribute as a product of matrices, whose terms stand
// in shared memory and registers, and then what is left inside of a block runs as one block of threads,
// diagonal after diagonal (blocked_tables.h). The order is then given: nothing else is asked of the schedule.
// Not with `exact`: updates get another order.
#pragma once

#include <cstdint>

#include "common/transform/scop_transformation.h"

namespace tune {

// Rows and columns of a block.
inline constexpr int64_t kTableBlock = 32;
// Smaller tables are left: a diagonal is no more than a few blocks' work.
inline constexpr int64_t kFewestTableBlocks = 8;
// From here on it is the default (H200, nussinov of 350 integers, 11 blocks: 0.45 ms in place of 1.02).
inline constexpr int64_t kManyTableBlocks = 11;

const ScopTransformation& ParenthesisBlocks();

// What it makes: a scop that computes the same, in the order in which it is to run, at the `values` of the
// parameters. nullopt: there is no such nest, or no more than `fewest` blocks along it. Errors: those of
// IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> BlockTables(AnalysedScop& analysed,
                                                    const std::map<std::string, int64_t>& values,
                                                    int64_t size = kTableBlock,
                                                    int64_t fewest = kFewestTableBlocks);

}  // namespace tune
