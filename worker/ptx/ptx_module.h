// A text in PTX as data (PTX ISA 9.0), as far as what a kernel executes follows from it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

struct PtxOperand {
  enum class Kind {
    kRegister,  // "%r1"
    kInteger,   // "-4"
    kNumber,    // "0f3F800000": its value is of no interest
    kAddress,   // "[%rd1+16]", "[kernel_param_0]", "[16]"
    kName,      // a label, an array, a function
    kGroup      // "{%f1, %f2}", "(param0)", "%p1|%p2"
  };
  Kind kind = Kind::kNumber;
  bool negated = false;           // "!%p1"
  bool is_base_register = false;  // of an address
  int name = -1;      // of a register, a name, the base of an address: index of PtxFunction::names
  int64_t value = 0;  // of an integer; an address's offset
  std::vector<PtxOperand> parts;
};

struct PtxInstruction {
  int guard = -1;  // the predicate register of "@%p1", an index of names
  bool guard_negated = false;
  std::vector<std::string> opcode;  // "ld", "global", "f32"
  std::vector<PtxOperand> operands;
  int line = 0;                          // of the text, from 1
  int source_file = 0, source_line = 0;  // that .loc tells; 0: none does

  bool Is(absl::string_view operation) const { return opcode[0] == operation; }
  // Whether one of its modifiers is this one.
  bool Has(absl::string_view modifier) const;
};

// A comment of the text, "// tune: trips 256": so often the innermost loop around it iterates, on average. In
// CUDA C it is written as asm volatile("// tune: trips 256").
struct PtxTripNote {
  size_t instruction = 0;  // which follows it
  double trips = 0;
};

struct PtxFunction {
  std::string name;
  bool is_kernel = false;
  std::vector<std::string> parameters;
  std::vector<int> parameter_bytes;  // of each; 0: it is no number
  int64_t shared_bytes = 0;          // that it declares
  int64_t max_threads = 0;           // .maxntid, .reqntid: product of its dimensions; 0: none is given
  int64_t min_blocks = 0;            // .minnctapersm; 0: none is given
  std::vector<std::string> names;    // of registers and all else that operands name
  std::vector<PtxInstruction> instructions;
  std::map<int, size_t> labels;                    // name -> the instruction that follows
  std::map<int, std::vector<int>> branch_targets;  // of .branchtargets, by its label
  std::vector<PtxTripNote> trip_notes;
};

struct PtxModule {
  std::string version;                 // "9.0"
  std::string target;                  // "sm_90"
  int64_t shared_bytes = 0;            // outside functions
  std::vector<PtxFunction> functions;  // those with a body
  std::map<int, std::string> files;    // paths of sources, by the number that .loc has of them

  // nullptr where there is none of that name.
  const PtxFunction* Find(absl::string_view name) const;
};

}  // namespace tune
