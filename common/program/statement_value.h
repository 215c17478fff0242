// Parts of the values of the scop's statements.
#pragma once

#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// Operations of accesses to elements that data decide (Operation::op).
inline constexpr char kElementOf[] = "[]";
inline constexpr char kUpdateOf[] = "[]=";

// What is stored, or the target is updated by: the value without the target's subscripts.
const v1::Expression& AssignedValue(const v1::Statement& statement);

// The target's subscripts, where data decide which element is updated, outermost first; else none.
std::vector<const v1::Expression*> TargetSubscripts(const v1::Statement& statement);

// Of each access, in order: whether data decide which element it is.
std::vector<bool> AreOfData(const v1::Statement& statement);

// The first statement with such accesses; null where there is none.
const v1::Statement* FindDataAccess(const v1::Scop& scop);

// The affine expressions in `value`, in preorder: Instance::affine is parallel to them.
std::vector<const v1::Expression*> AffineExpressions(const v1::Expression& value);

}  // namespace tune
