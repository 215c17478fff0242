// Array contraction (Gao, Olsen, Sarkar and Thekkath, Collective Loop Fusion for Array Contraction, LCPC
// 1992): arrays of the region's own, of which each thread uses one element at a time and writes it first, are
// variables.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Puts a register tile in the place of each local array that one kernel alone uses, beside others,
//  - all of whose references there have the same subscripts,
//  - each of which that reads stands behind one that writes, in the same block of nodes or around it,
// and tells that it needs no memory (DeviceArray::contracted). Then a read finds what its own thread wrote
// last: the program has no races, so that nobody else writes the element in between. `scop`: that of the
// program. To be done when the program is whole.
void ContractPrivateElements(const v1::Scop& scop, DeviceProgram* program);

}  // namespace tune
