// Which instructions a kernel is made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

// Of the text, not of a run: an instruction in a loop counts once.
struct InstructionMix {
  std::string kernel;  // its function
  struct Count {
    std::string kind;  // "fp32", "global loads"
    int64_t count = 0;
  };
  std::vector<Count> counts;  // of those that there are, in a fixed order of kinds
};

// Of each kernel of a PTX text (PTX ISA 8, "Instruction Set"), in its order.
std::vector<InstructionMix> CountInstructions(absl::string_view ptx);

// "fp32 64, integer 12, global loads 3"
std::string PrintInstructionMix(const InstructionMix& mix);

}  // namespace tune
