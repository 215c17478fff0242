// Statements that copy elements from array to array.
#pragma once

#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Adds to `scop` a statement, of the instances' name, that copies the element of `from`, { S -> A }, to that
// of `to`, { S -> B }. The arrays must be there. Throws isl::exception.
void AddCopy(const isl::set& instances, const std::vector<std::string>& iterators, const isl::map& from,
             const isl::map& to, int line, v1::Scop* scop);

// One loop for each dimension of `instances`, { S }, from dimension `first` on, outermost first. Throws
// isl::exception.
isl::schedule LoopsOver(const isl::set& instances, int first = 0);

}  // namespace tune
