// Which stores of a loop can wait until several of them are one.
#pragma once

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Whether iterations of the loop can write such elements to variables, and memory have them up to
// `iterations` iterations later: each iteration writes the element, which lies in a row beside that of the
// one before, always and no other of its array; what it reads of the array are elements that it, or one of
// the iterations - 1 before it, has written. No other thread asks for them meanwhile, as loops that hold
// statements alone have no barriers. Precondition: HasStatementsAlone.
bool CanCollect(const Loop& loop, const ElementAccess& element, int64_t iterations, const v1::Scop& scop);

}  // namespace tune
