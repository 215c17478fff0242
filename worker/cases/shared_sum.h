// Sums in variables in place of elements, as blocks of nodes.
#pragma once

#include <string>

#include "common/program/program_node.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// Each update of the statement in the block changes the variable in place of the element, number `target` of
// its accesses.
void UpdateInstead(const std::string& statement, int target, const std::string& variable, Block* block);

// Each instance of the statement in the block becomes the addition of the sum to the instance's element.
void AddInstead(const std::string& statement, int target, const PartialSum& sum, Block* block);

// Each instance becomes a copy of its element to the variable, or from there.
void LoadInstead(const std::string& statement, int target, const std::string& variable, Block* block);
void StoreInstead(const std::string& statement, int target, const std::string& variable, Block* block);

}  // namespace tune
