// Instructions of asynchronous copies, in the assembler of devices, as calls of the simulator.
#pragma once

#include <string>

namespace tune::simt {

// The text with calls of asynchronous_functions.h in place of the statements `asm volatile("cp.async. ...")`
// with one instruction each: copies of 4, 8 or 16 bytes without their further operands, commit_group,
// wait_group and wait_all. The part of a conditional that such a statement begins, by the device's
// architecture, is taken. Lines stay where they are.
std::string ReplaceAsynchronousCopies(const std::string& cuda_text);

}  // namespace tune::simt
