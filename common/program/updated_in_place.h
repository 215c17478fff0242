// Which elements a loop can update in variables.
#pragma once

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Whether the loop's iterations can have such an element of an array in variables, loaded before the first
// iteration and stored after the last: each reads its own, writes it, always, and touches no other of the
// array, and these are different elements. No other thread asks for them meanwhile, as nothing in the loop
// waits for others. False where a body is more than statements.
bool IsUpdatedInPlace(const Loop& loop, const ElementAccess& element, const v1::Scop& scop);

}  // namespace tune
