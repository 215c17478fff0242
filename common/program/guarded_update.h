// Statements of which data decide whether they change their targets.
#pragma once

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The condition without which the statement leaves its target as it is: c of `x = c ? v : x`, of `x += c ? v
// : 0` and of `x *= c ? v : 1`, which the front end makes of `if (c) x = v;` and the like. Null where there
// is none: the statement sets its target in all of its instances.
const v1::Expression* GuardOf(const v1::Scop& scop, const v1::Statement& statement);

// Of an instance of a statement that has one: whether its target is the statement's own, and what stays where
// the condition does not hold is the same, not a variable or an element of a tile that stands for one of
// them.
bool TouchesOwnTarget(const v1::Statement& statement, const Instance& instance);

// Whether the two are written alike, and so have one value in one instance.
bool IsSame(const v1::Expression& a, const v1::Expression& b);

}  // namespace tune
