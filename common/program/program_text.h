// The text of programs, for people and for tests: everything that a program is, nested by two spaces.
//
//   device program
//   array 0 float A[64][32], written
//   kernel copy_kernel0 of k[S0], threads 32
//     array 0, writes
//     axis most 2, constant first
//     coordinates
//       define int tune_b0 = blockIdx.x
//     body
//       for tune_c0 = 0; tune_c0 <= 3; tune_c0 += 1, unroll whole
//         if 32 * tune_b0 + tune_c0 < 40
//           run S0(A[32 * tune_b0 + tune_c0][0]), with [tune_c0 + 1]
//   host
//     launch 0, first [0], count [2]
//
// A line says what it is by its first word, and behind that what differs from the defaults of its struct,
// which has the meaning (program_attributes.h). Expressions are as C has them (expression_text.h); names that
// could be taken for something else stand between quotes.
#pragma once

#include <string>

#include "common/program/device_program.h"

namespace tune {

// Read back by program_reader.h, to an equal program. Preconditions: operators have as many operands as
// expression_text.h says, and enumerators are some that exist.
std::string PrintProgramText(const DeviceProgram& program);
std::string PrintProgramText(const OpenMpProgram& program);
std::string PrintBlockText(const Block& block);

}  // namespace tune
