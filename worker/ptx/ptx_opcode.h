// What an instruction of PTX does, by its opcode and operands.
#pragma once

#include <cstdint>
#include <vector>

#include "worker/ptx/ptx_module.h"

namespace tune {

enum class PtxSpace { kNone, kGeneric, kGlobal, kShared, kLocal, kConstant, kParameter };

// kNone of what accesses no memory by an address.
PtxSpace SpaceOf(const PtxInstruction& instruction);

bool IsLoad(const PtxInstruction& instruction);   // ld, ldu
bool IsStore(const PtxInstruction& instruction);  // st
// An access to what may be global memory: loads, stores, atomics, cp.async's source. Generic addresses count:
// nvcc writes them where it does not know the space, which is mostly global.
bool IsGlobalAccess(const PtxInstruction& instruction);
// Bytes that a thread accesses: "v4.f32" is 16.
int64_t AccessBytes(const PtxInstruction& instruction);
// The operand that has the address in global memory; nullptr where there is none.
const PtxOperand* GlobalAddress(const PtxInstruction& instruction);

// Whether its result arrives so late that what needs it waits: of loads from global, local and texture
// memory and of atomics ("generally global and texture memory loads", Ryoo et al., section 4.1.2).
bool HasLongLatency(const PtxInstruction& instruction);
// Whether it runs on the special function units: the paper counts these as slow only in kernels where nothing
// slower is.
bool IsSpecialFunction(const PtxInstruction& instruction);
// Whether it waits by itself: at a barrier of the block or the cluster, for asynchronous copies or products.
bool Waits(const PtxInstruction& instruction);

// mul and mad of integers of 32 bits; not mul24.
bool IsMultiplication(const PtxInstruction& instruction);

bool IsBranch(const PtxInstruction& instruction);    // bra, brx
bool EndsThread(const PtxInstruction& instruction);  // ret, exit, trap

// Indices of PtxFunction::names: registers that it writes; that it reads, its guard included.
std::vector<int> Written(const PtxInstruction& instruction);
std::vector<int> Read(const PtxInstruction& instruction);

}  // namespace tune
