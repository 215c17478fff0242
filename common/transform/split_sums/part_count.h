// Into how many parts sums are split.
#pragma once

#include <cstdint>

#include "common/array/element_type.h"
#include "common/device/device_facts.h"
#include "common/transform/split_sums/sum_nest.h"

namespace tune {

// The number of parts of the nest's sums, each with blocks of its own, that an estimate has as the fastest; 1
// where none gains a twentieth. A block computes 128 x 64 or 64 x 64 elements. As many multiprocessors as
// there are execute them in rounds, the last of which may leave most of them idle: more and shorter blocks
// leave less. But partial sums are written, read and added. Where there are too few elements for threads,
// these share the sums (room reduction), and nothing is split. Throws isl::exception.
int ChoosePartCount(const SumNest& nest, v1::ElementType type, const DeviceFacts& device);

}  // namespace tune
