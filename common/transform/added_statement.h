// Statements that a transformation adds to a scop, or changes.
#pragma once

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Adds to `scop` an assignment, without value and accesses, with these `instances`, { S }: of their name,
// their dimensions' names are the iterators. `line` as in v1::Statement. The pointer holds until the next one
// is added. Throws isl::exception.
v1::Statement* AddStatement(const isl::set& instances, int line, v1::Scop* scop);

// Adds an access of `relation`, { S -> A }, to the statement; its number. Throws isl::exception.
int AddAccess(const isl::map& relation, v1::Access::Kind kind, v1::Statement* statement);

// Makes `value`, the statement's value or a part of it, all of it, with the accesses that are left.
void KeepValue(const v1::Expression& value, v1::Statement* statement);

}  // namespace tune
