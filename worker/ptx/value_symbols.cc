#include "worker/ptx/value_symbols.h"

#include <algorithm>
#include <cstdint>

#include "worker/ptx/value_arithmetic.h"

namespace tune {

LinearForm ValueSymbols::Add(ValueSymbol symbol) {
  symbol.varies |= graph_->Varies(symbol.a) | graph_->Varies(symbol.b) | graph_->Varies(symbol.c);
  symbol.depends |= graph_->Depends(symbol.a) | graph_->Depends(symbol.b) | graph_->Depends(symbol.c);
  graph_->symbols.push_back(std::move(symbol));
  return LinearForm{0, {{static_cast<int>(graph_->symbols.size()) - 1, 1}}};
}

LinearForm ValueSymbols::Unknown(uint8_t depends, uint32_t varies, std::vector<LinearForm> operands) {
  ValueSymbol symbol;
  symbol.depends = depends;
  symbol.varies = varies;
  operands.resize(3);
  symbol.a = std::move(operands[0]);
  symbol.b = std::move(operands[1]);
  symbol.c = std::move(operands[2]);
  return Add(std::move(symbol));
}

// Of what the bits of a number decide. "shr.u32" and the like take it without a sign.
std::optional<LinearForm> ValueSymbols::BitResult(const PtxInstruction& instruction,
                                                  std::vector<LinearForm> of) {
  const std::string& type = instruction.opcode.back();
  const bool is_field = (instruction.Is("bfi") && type == "b32" && of.size() == 4) ||
                        (instruction.Is("bfe") && type == "u32" && of.size() == 3);
  if (is_field) return Field(of);
  if (of.size() != 2) return std::nullopt;
  const std::optional<ValueOperation> operation = BinaryOperation(instruction);
  if (type == "u32" && operation != ValueOperation::kMultiply) {
    for (LinearForm& operand : of) operand = WithoutSign(operand);
  }
  return operation.has_value() ? std::optional(Computed(*operation, of)) : std::nullopt;
}

LinearForm ValueSymbols::WithoutSign(const LinearForm& value) {
  return Computed(ValueOperation::kAnd, {value, LinearForm{UINT32_MAX, {}}});
}

// "bfe.u32 r, a, begin, bits"; "bfi.b32 r, a, b, begin, bits": the field of b is a.
std::optional<LinearForm> ValueSymbols::Field(const std::vector<LinearForm>& of) {
  const LinearForm &begin = of[of.size() - 2], &bits = of.back();
  if (!begin.IsConstant() || !bits.IsConstant() || begin.constant < 0 || bits.constant < 0 ||
      begin.constant + bits.constant > 32)
    return std::nullopt;
  const int64_t mask = (int64_t{1} << bits.constant) - 1;
  if (of.size() == 3)
    return Computed(ValueOperation::kAnd, {Computed(ValueOperation::kShiftRight, {WithoutSign(of[0]), begin}),
                                           LinearForm{mask, {}}});
  const LinearForm rest = Computed(ValueOperation::kAnd, {of[1], LinearForm{~(mask << begin.constant), {}}});
  return Sum(rest, Computed(ValueOperation::kAnd, {of[0], LinearForm{mask, {}}}),
             int64_t{1} << begin.constant);
}

LinearForm ValueSymbols::Computed(ValueOperation operation, const std::vector<LinearForm>& of) {
  if (std::all_of(of.begin(), of.end(), [](const LinearForm& operand) { return operand.IsConstant(); })) {
    const auto number = [&](size_t i) { return i < of.size() ? of[i].constant : 0; };
    if (const auto value = Compute(operation, number(0), number(1), number(2)); value.has_value())
      return LinearForm{*value, {}};
  }
  if (std::optional<LinearForm> linear = ComputeLinear(operation, of); linear.has_value())
    return *std::move(linear);
  ValueSymbol symbol;
  symbol.kind = ValueSymbol::Kind::kOperation;
  symbol.operation = operation;
  symbol.a = of[0];
  if (of.size() > 1) symbol.b = of[1];
  if (of.size() > 2) symbol.c = of[2];
  return Add(std::move(symbol));
}

}  // namespace tune
