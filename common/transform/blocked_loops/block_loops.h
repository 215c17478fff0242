// Blocking of serial loops, as in the blocked algorithms for factorisations and triangular systems of LAPACK
// (Anderson and others, LAPACK Users' Guide, 3rd edition, section 3.2): a loop whose iterations depend on
// each other, k of LU's A[i][j] -= A[i][k] A[k][j], is run in blocks of iterations. Instances that touch only
// what belongs to the block's own iterations, the rows and columns of the diagonal tile, come first, then
// those between the block and what is behind it, and last what the block does to all that is behind it, a
// product of matrices whose depth is the block.
//
// Where that is and what may run when is not known of a program but computed of its dependences:
//  1. The schedule that isl finds tells the serial loops and their times t (serial_loops.h).
//  2. Each instance gets the number of its block, floor(t / size), as an iterator (block_domains.h,
//     block_iterator.h).
//  3. Statements are cut where an iterator, seen as a time, leaves the block (block_pieces.h).
//  4. Inside of a block the strongly connected components of the pieces' dependences follow each other
//     (loop distribution; block_schedule.h).
// It is for loops after which some piece is a parallel sum over the block's iterations while what stays
// serial has a fixed number of instances in a block.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/schedule/analysed_scop.h"

namespace tune {

// Iterations in a block. What is serial in a block takes the longer the square of them, what is behind it is
// read and written once a block. Measured on an H100, LU of 4000 x 4000 floats: 12.4 ms, with 64 iterations
// 19.6, without blocks 72.
inline constexpr int64_t kBlockSize = 32;

// A scop that computes the same, in the order in which it is to run: with kernels' loops under the loops over
// blocks. Loops of fewer than two blocks at the `values` of the parameters stay. Sums keep their order.
// nullopt: there is nothing to gain, or isl's scheduler finds no schedule within the limits. Errors: those of
// IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> BlockLoops(AnalysedScop& analysed,
                                                   const std::map<std::string, int64_t>& values,
                                                   int64_t size = kBlockSize);

}  // namespace tune
