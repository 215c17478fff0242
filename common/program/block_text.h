// The text of what runs: a node a line, what it holds below it by two more spaces.
#pragma once

#include <string>

#include "common/program/program_node.h"

namespace tune {

// In a transfer, by v1::UpdateOperator.
inline constexpr const char* kTransferSymbols[] = {"=", "+=", "*=", "min=", "max="};

// Spaces before a line; `level`: how many things hold it.
std::string Indentation(int level);

// Lines as program_text.h has them; `level`: of the block's nodes.
std::string PrintBlockAt(const Block& block, int level);

}  // namespace tune
