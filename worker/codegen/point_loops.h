// Which loops over a thread's points there are below a node of a kernel's AST.
#pragma once

#include <functional>
#include <optional>

#include "common/isl/isl.h"
#include "worker/mapping/loop_mark.h"

namespace tune {

struct PointLoops {
  bool partial = false;    // one whose bounds are not constants
  bool registers = false;  // a statement that uses an array in registers
};

// `mark`: of the loop whose `for` comes next. `uses_registers`: asked of user nodes.
PointLoops ExaminePointLoops(const isl::ast_node& node, std::optional<LoopMark> mark,
                             const std::function<bool(const isl::ast_node_user&)>& uses_registers);

// The mark that stands for what is below this mark node, where `mark` stands for what is above.
std::optional<LoopMark> MarkBelow(const isl::ast_node_mark& node, const std::optional<LoopMark>& mark);

}  // namespace tune
