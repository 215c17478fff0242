// Elements that a loop updates again and again, in a variable meanwhile.
#pragma once

#include <functional>

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Whether the access of that number of the statement is to another element than any that is updated at the
// time.
using IsOtherElement = std::function<bool(const std::string& statement, int access)>;

// The statements of an innermost loop that is neither parallel nor vectorised, at most one an array, each of
// which updates (T op= value) the same element of an array in all iterations, when nothing else in the loop
// touches that element, update variables. The compiler cannot know the latter of arrays that may overlap, nor
// of elements of one array, and would wait for memory in each iteration. Only where the loop has iterations:
// else there may be no such elements. Other accesses to the array are to other elements where `is_other` says
// so, or where a subscript is the loop's iterator, which stays below that of the element.
void KeepSumsInRegisters(const v1::Scop& scop, const IsOtherElement& is_other, Block* block);

}  // namespace tune
