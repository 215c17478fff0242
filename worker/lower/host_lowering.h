// From the order of launches to launches as data.
#pragma once

#include "common/program/helper_names.h"
#include "common/program/program_node.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// Loops and conditions around nodes Launch, of kernels by their numbers in `program`; empty when there are
// none; loops over tiles (common/kernel/tile_loops.h) are parallel. `values`: what is known of the
// parameters. Iterators are named names.iterator and a number. To be called inside IslContext::Run; throws
// isl::exception.
Block LowerHost(const MappedProgram& program, const isl::set& values, const HelperNames& names);

}  // namespace tune
