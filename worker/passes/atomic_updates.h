// Updates of elements that data decide, where threads of the host share them.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Marks those that stand in parallel loops as atomic. Precondition: they can be (IsAtomicUpdate).
void MarkAtomicUpdates(const v1::Scop& scop, OpenMpProgram* program);

}  // namespace tune
