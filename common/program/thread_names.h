// What a kernel knows its threads and blocks by.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// threadIdx.x, .y or .z; of a device function the parameter that stands for it.
IndexExpression ThreadIndex(const HelperNames& names, const DeviceKernel& kernel, int axis);
// The same of blockIdx.
IndexExpression BlockIndex(const HelperNames& names, const DeviceKernel& kernel, int axis);

// gridDim.x, .y or .z.
IndexExpression GridSize(int axis);

// The thread's number in its block, x first, of the axes that the kernel has.
IndexExpression ThreadNumber(const HelperNames& names, const DeviceKernel& kernel);

// The thread's coordinate in its block's tile along the axis: its index; where warps compute products
// (HasWarpProducts), that of its place in them (warp_product.h).
IndexExpression ThreadCoordinate(const HelperNames& names, const DeviceKernel& kernel, int axis);

}  // namespace tune
