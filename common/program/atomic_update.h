// Updates that threads may run in any order.
#pragma once

#include "tune/v1/scop.pb.h"

namespace tune {

// Whether CUDA has an atomic operation for the update x = x op e of an element of that type (CUDA C++
// Programming Guide, 10.14).
bool HasAtomicOperation(v1::UpdateOperator update, v1::ElementType type);

// Whether CUDA exchanges such elements by one atomic operation.
bool HasExchange(v1::ElementType type);

// Whether the statement updates an element that data decide, hist[idx[i]] += w, in a way that one atomic
// operation computes as C does. Threads may then run its instances in any order, where each is such an
// operation.
bool IsAtomicUpdate(const v1::Scop& scop, const v1::Statement& statement);

// The type of the elements that it updates, or writes.
v1::ElementType TargetType(const v1::Scop& scop, const v1::Statement& statement);

}  // namespace tune
