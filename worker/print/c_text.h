// Pieces of C expressions that know how tightly they bind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

// Text of a C expression and the precedence of its outermost operator.
struct CText {
  // Larger binds tighter. Names follow the C grammar.
  enum Precedence {
    kConditional = 3,
    kLogicalOr,
    kLogicalAnd,
    kInclusiveOr,
    kExclusiveOr,
    kAnd,
    kEquality,
    kRelational,
    kShift,
    kAdditive,
    kMultiplicative,
    kUnary,  // casts too
    kPostfix,
  };
  std::string text;
  Precedence precedence = kPostfix;
};

// `left op right`. The tree is kept: floating-point operators do not associate. Parentheses stand where C
// demands them and where gcc's -Wparentheses would ask for them.
CText BinaryText(absl::string_view op, const CText& left, const CText& right);

// `op operand`, op one of - ! ~ +.
CText UnaryText(absl::string_view op, const CText& operand);

CText CastText(absl::string_view type, const CText& operand);
CText ConditionalText(const CText& condition, const CText& then, const CText& otherwise);
CText CallText(absl::string_view function, const std::vector<CText>& arguments);

// An integer constant of an exact C type: 5, -5, 5L, 5U; a cast where no suffix says it.
CText IntegerText(int64_t value, absl::string_view type = "int");

// True when `op` is a binary operator that BinaryText knows.
bool IsBinaryOperator(absl::string_view op);

}  // namespace tune
