// Whether tiles that stream take less time than what a stencil loop gets without them.
#pragma once

#include "common/device/device_facts.h"
#include "common/transform/streamed_tiles/stream_shape.h"

namespace tune {

// An estimate, by what was measured (doc/benchmarks.md). Throws isl::exception.
bool StreamsFaster(const StencilLoop& loop, const ParsedScop& scop, const StreamPlan& plan,
                   const StreamShape& shape, const DeviceFacts& device);

}  // namespace tune
