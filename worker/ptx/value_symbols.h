// New symbols of a graph of values, by what they are computed of.
#pragma once

#include <optional>
#include <vector>

#include "worker/ptx/value_graph.h"

namespace tune {

class ValueSymbols {
 public:
  // The graph outlives it.
  explicit ValueSymbols(ValueGraph* graph) : graph_(graph) {}

  // It depends on what its operands depend on, and varies where they do, beside what it says itself.
  LinearForm Add(ValueSymbol symbol);
  // Of at most three operands.
  LinearForm Unknown(uint8_t depends, uint32_t varies, std::vector<LinearForm> operands = {});
  // Of one to three operands; no symbol where the result is a constant or linear.
  LinearForm Computed(ValueOperation operation, const std::vector<LinearForm>& of);
  // The number of 32 bits as one from 0.
  LinearForm WithoutSign(const LinearForm& value);
  // What an instruction with two operands, or on fields of bits, computes of numbers by the type of its
  // result. No value where it is not followed.
  std::optional<LinearForm> BitResult(const PtxInstruction& instruction, std::vector<LinearForm> of);

 private:
  std::optional<LinearForm> Field(const std::vector<LinearForm>& of);

  ValueGraph* graph_;
};

}  // namespace tune
