#include "worker/ptx/ptx_opcode.h"

#include <algorithm>
#include <array>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace tune {
namespace {

using OperandKind = PtxOperand::Kind;

template <size_t count>
bool IsOneOf(const PtxInstruction& instruction, const std::array<absl::string_view, count>& operations) {
  return std::find(operations.begin(), operations.end(), instruction.opcode[0]) != operations.end();
}

// Whose first operand is no result.
bool HasNoResult(const PtxInstruction& instruction) {
  static constexpr std::array<absl::string_view, 25> kNone = {
      "st",      "red",       "bar",        "barrier",       "bra",
      "brx",     "call",      "ret",        "exit",          "trap",
      "cp",      "membar",    "fence",      "prefetch",      "prefetchu",
      "discard", "nanosleep", "sust",       "sured",         "pmevent",
      "brkpt",   "stmatrix",  "setmaxnreg", "applypriority", "griddepcontrol"};
  if (IsOneOf(instruction, kNone)) return !instruction.Is("barrier") || !instruction.Has("red");
  // mbarrier.try_wait and the like have one, others an address first.
  return instruction.operands.empty() || instruction.operands[0].kind == OperandKind::kAddress;
}

void AddRegisters(const PtxOperand& operand, std::vector<int>* registers) {
  if (operand.kind == OperandKind::kRegister ||
      (operand.kind == OperandKind::kAddress && operand.is_base_register))
    registers->push_back(operand.name);
  for (const PtxOperand& part : operand.parts) AddRegisters(part, registers);
}

bool IsAtomic(const PtxInstruction& instruction) { return instruction.Is("atom") || instruction.Is("red"); }

bool IsAsynchronousCopy(const PtxInstruction& instruction) {
  return instruction.Is("cp") && instruction.Has("async") && !instruction.Has("bulk") &&
         instruction.operands.size() > 1;
}

}  // namespace

bool IsLoad(const PtxInstruction& instruction) { return instruction.Is("ld") || instruction.Is("ldu"); }

bool IsStore(const PtxInstruction& instruction) { return instruction.Is("st"); }

PtxSpace SpaceOf(const PtxInstruction& instruction) {
  if (!IsLoad(instruction) && !IsStore(instruction) && !IsAtomic(instruction)) return PtxSpace::kNone;
  for (const std::string& part : instruction.opcode) {
    if (part == "global") return PtxSpace::kGlobal;
    if (absl::StartsWith(part, "shared")) return PtxSpace::kShared;
    if (part == "local") return PtxSpace::kLocal;
    if (part == "const") return PtxSpace::kConstant;
    if (absl::StartsWith(part, "param")) return PtxSpace::kParameter;
  }
  return PtxSpace::kGeneric;
}

bool IsGlobalAccess(const PtxInstruction& instruction) { return GlobalAddress(instruction) != nullptr; }

const PtxOperand* GlobalAddress(const PtxInstruction& instruction) {
  const PtxSpace space = SpaceOf(instruction);
  const bool copies = IsAsynchronousCopy(instruction);
  if (space != PtxSpace::kGlobal && space != PtxSpace::kGeneric && !copies) return nullptr;
  size_t addresses = copies ? 2 : 1;  // the copy's target is first
  for (const PtxOperand& operand : instruction.operands) {
    if (operand.kind == OperandKind::kAddress && --addresses == 0) return &operand;
  }
  return nullptr;
}

int64_t AccessBytes(const PtxInstruction& instruction) {
  if (IsAsynchronousCopy(instruction)) {
    const auto size =
        std::find_if(instruction.operands.begin(), instruction.operands.end(),
                     [](const PtxOperand& operand) { return operand.kind == OperandKind::kInteger; });
    return size == instruction.operands.end() ? 0 : std::clamp<int64_t>(size->value, 0, 16);
  }
  int64_t elements = 1, bits = 0;
  for (const std::string& part : instruction.opcode) {
    int64_t number = 0;
    if (part.size() < 2 || !absl::SimpleAtoi(part.substr(1), &number) || number < 1 || number > 256) continue;
    if (part[0] == 'v') elements = number;
    if (absl::StrContains("busf", part[0])) bits = number;
  }
  return elements * bits / 8;
}

bool HasLongLatency(const PtxInstruction& instruction) {
  static constexpr std::array<absl::string_view, 5> kTextures = {"tex", "tld4", "suld", "txq", "suq"};
  if (IsOneOf(instruction, kTextures)) return true;
  if (!IsLoad(instruction) && !instruction.Is("atom")) return false;
  const PtxSpace space = SpaceOf(instruction);
  return space == PtxSpace::kGlobal || space == PtxSpace::kGeneric || space == PtxSpace::kLocal;
}

bool IsSpecialFunction(const PtxInstruction& instruction) {
  static constexpr std::array<absl::string_view, 8> kFunctions = {"sin",  "cos", "rsqrt", "rcp",
                                                                  "sqrt", "ex2", "lg2",   "tanh"};
  return IsOneOf(instruction, kFunctions) ||
         (instruction.Is("div") && absl::StartsWith(instruction.opcode.back(), "f"));
}

bool Waits(const PtxInstruction& instruction) {
  if (instruction.Is("bar") || instruction.Is("barrier"))
    return !instruction.Has("warp") && !instruction.Has("arrive");
  if (instruction.Is("mbarrier")) return instruction.Has("try_wait") || instruction.Has("test_wait");
  return (instruction.Is("cp") || instruction.Is("wgmma") || instruction.Is("griddepcontrol")) &&
         (instruction.Has("wait_group") || instruction.Has("wait_all") || instruction.Has("wait"));
}

bool IsMultiplication(const PtxInstruction& instruction) {
  const std::string& type = instruction.opcode.back();
  return (instruction.Is("mul") || instruction.Is("mad")) && (type == "s32" || type == "u32");
}

bool IsBranch(const PtxInstruction& instruction) { return instruction.Is("bra") || instruction.Is("brx"); }

bool EndsThread(const PtxInstruction& instruction) {
  return instruction.Is("ret") || instruction.Is("exit") || instruction.Is("trap");
}

std::vector<int> Written(const PtxInstruction& instruction) {
  std::vector<int> registers;
  if (!HasNoResult(instruction)) AddRegisters(instruction.operands[0], &registers);
  return registers;
}

std::vector<int> Read(const PtxInstruction& instruction) {
  std::vector<int> registers;
  if (instruction.guard >= 0) registers.push_back(instruction.guard);
  const size_t first = HasNoResult(instruction) ? 0 : 1;
  for (size_t i = first; i < instruction.operands.size(); ++i)
    AddRegisters(instruction.operands[i], &registers);
  return registers;
}

}  // namespace tune
