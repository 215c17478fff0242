// Array contraction (Gao, Olsen, Sarkar and Thekkath, Collective Loop Fusion for Array Contraction, LCPC
// 1992): arrays of which each thread of a kernel uses one element at a time and writes it first are variables
// there, where nobody else needs the values.
#pragma once

#include "common/program/device_program.h"
#include "common/program/value_uses.h"

namespace tune {

// Puts a register tile in the place of each array in each kernel, where that uses others beside it,
//  - of whose references there each that reads stands behind one that writes, of the same subscripts, in the
//    same block of nodes or around it, with none of other subscripts between them,
//  - and whose values that the kernel writes are read in it alone: the array is a local one that no other
//    kernel uses, or `uses` says so of each statement that writes them, and that none of them outlives the
//    region, as other kernels write the elements later.
// Then a read finds what its own thread wrote last: the program has no races, so that nobody else writes the
// element in between; and no store is missed. Tells of local arrays that no kernel uses then that they need
// no memory (DeviceArray::contracted). `scop`: that of the program; `uses`: of its statements, where they
// read and write what the region's own do. To be done when the program is whole.
void ContractPrivateElements(const v1::Scop& scop, const ValueUses& uses, DeviceProgram* program);

}  // namespace tune
