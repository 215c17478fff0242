// Code for regions that CPU and GPU share, from configurations.
#pragma once

#include <memory>

#include "worker/codegen/code_generator.h"

namespace tune {

// Walked over common/space/shared_space.h. What it makes is the region by parts (DiscussParts), which is
// divided, and whose kernels have the formats, as the configuration says; registers are estimated, so that
// the code is the same everywhere. `model`: of the GPU; `exact`: sums keep their order. Errors as
// DiscussParts; INVALID_ARGUMENT, too, where the code is not made for the reference's parameters.
absl::StatusOr<std::unique_ptr<CodeGenerator>> MakeSharedGenerator(const v1::Scop& scop,
                                                                   const v1::Reference& reference,
                                                                   const std::string& model,
                                                                   bool exact = false);

}  // namespace tune
