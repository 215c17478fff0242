// Reads the text of what runs (block_text.h).
#pragma once

#include "common/program/program_lines.h"
#include "common/program/program_node.h"

namespace tune {

// Lines at deeper levels are refused: what works on nodes calls itself for what they hold.
inline constexpr int kMostNodeLevels = 200;

// The nodes at this level up to a line at a lower one. INVALID_ARGUMENT as program_reader.h tells it.
absl::StatusOr<Block> ReadBlockAt(int level, ProgramLines* lines);

}  // namespace tune
