#include "client/extract/integers/affine_expression.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/Builtins.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/calls/called_function.h"
#include "client/extract/integers/bit_fields.h"
#include "client/extract/integers/constant_table.h"
#include "client/extract/integers/integer_function.h"
#include "client/extract/integers/integer_range.h"
#include "client/extract/integers/near_quotient.h"
#include "client/extract/integers/no_index.h"
#include "client/extract/integers/parameter_polynomial.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/value.h"

namespace tune {
namespace {

class AffineReader {
 public:
  AffineReader(Region& region, const LoopNest& nest, Position position, bool exact = false)
      : region_(region), nest_(nest), position_(position), exact_(exact) {}

  Accepted<isl::pw_aff> Affine(const clang::Expr& written) {
    const clang::Expr& expression = *written.IgnoreParens();
    if (!expression.getType()->isIntegerType()) return Whole(expression);
    if (std::optional<isl::val> value = Constant(expression)) return FromValue(*value);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression)) return Cast(*cast);
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression)) return Variable(*reference);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression)) return Unary(*unary);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression)) return Binary(*binary);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&expression)) return Choice(*choice);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expression)) return Known(*element);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) {
      if (const clang::FunctionDecl* function = FunctionInSight(*call)) {
        TUNE_ASSIGN_OR_REFUSE(Definition value, ReturnedValue(region_, nest_, *call, *function));
        return Defined(value);
      }
      return Known(*call);
    }
    if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(&expression)) {
      TUNE_ASSIGN_OR_REFUSE(Definition value, ValueOfBlock(region_, nest_, *block));
      return Defined(value);
    }
    if (llvm::isa<clang::MemberExpr>(expression)) {
      return Refusal{expression.getSourceRange(), "a member of a structure in an affine expression",
                     "copy it to a variable before the region"};
    }
    return NotAffine(
        expression,
        "it is not made of iterators, parameters and constants by + - and multiplication with constants");
  }

  // A value that a variable is set to.
  Accepted<isl::pw_aff> Stored(const clang::Expr& expression) {
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff value, Affine(expression));
    const clang::QualType type = expression.getType();
    return type->isUnsignedIntegerType() ? ConvertedTo(region_, nest_, type, expression, value) : value;
  }

  Accepted<isl::set> Condition(const clang::Expr& written) {
    const clang::Expr& condition = *written.IgnoreParenImpCasts();
    if (std::optional<isl::val> value = Constant(condition)) {
      return value->is_zero() ? isl::set::empty(region_.parameter_space)
                              : isl::set::universe(region_.parameter_space);
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&condition);
        unary != nullptr && unary->getOpcode() == clang::UO_LNot) {
      TUNE_ASSIGN_OR_REFUSE(isl::set inner, Condition(*unary->getSubExpr()));
      return inner.complement();
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&condition);
    if (binary != nullptr && binary->isLogicalOp()) return Logical(*binary);
    if (binary != nullptr && binary->isComparisonOp()) return Comparison(*binary);
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff value, Affine(condition));
    return value.ne_set(FromValue(isl::val(isl::ctx(region_.ctx), 0L)));
  }

 private:
  static Refusal NotAffine(const clang::Expr& expression, absl::string_view why) {
    return {expression.getSourceRange(), absl::StrCat("not an affine expression: ", why),
            "use sums of loop iterators, integer parameters and constants, each multiplied, divided or "
            "reduced modulo constants only"};
  }

  Refusal Element(const clang::Expr& element) const {
    Refusal refusal = NotAffine(element, "it is an array element, known only when the program runs");
    if (position_ == Position::kSubscript) {
      refusal.remedy =
          "before the region copy what is read there into an array of its own, t[i] = b[index[i]]; behind it "
          "write from one, and add to elements that data choose";
    } else if (position_ == Position::kBound) {
      refusal.remedy =
          "copy it to a variable before the region if it stays, else end the region before the loop";
    }
    return refusal;
  }

  // Nothing when the expression has no constant value. `const` variables are resolved by Variable.
  std::optional<isl::val> Constant(const clang::Expr& expression) const {
    clang::Expr::EvalResult result;
    if (expression.isValueDependent() || !expression.EvaluateAsInt(result, region_.ast)) return std::nullopt;
    llvm::SmallString<40> digits;
    result.Val.getInt().toString(digits, 10);
    return isl::val(region_.ctx, std::string(digits));
  }

  isl::pw_aff FromValue(const isl::val& value) const {
    isl::aff zero = isl::aff::zero_on_domain(region_.parameter_space);
    return isl::pw_aff(zero.add_constant(value));
  }

  isl::pw_aff FromId(const isl::id& id) const {
    isl::space space = region_.parameter_space;
    if (FindDimension(space, isl_dim_param, id) < 0) {
      space = space.add_param(id);
    }
    return isl::pw_aff(ParameterOn(space, id));
  }

  // A whole number in floating point, as macros for rounded quotients compute them: floor((double)a /
  // (double)4). An int, and its quotient, is exact enough there that it is rounded as it is in integers.
  Accepted<isl::pw_aff> Whole(const clang::Expr& expression) {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression)) {
      const clang::Expr& operand = *cast->getSubExpr();
      if (cast->getCastKind() == clang::CK_NoOp) return Whole(*operand.IgnoreParens());  // static_cast
      const bool widens =
          cast->getCastKind() == clang::CK_FloatingCast &&
          region_.ast.getTypeSize(cast->getType()) > region_.ast.getTypeSize(operand.getType());
      if (widens) return Whole(*operand.IgnoreParens());
      const bool is_exact = cast->getCastKind() == clang::CK_IntegralToFloating &&
                            region_.ast.getTypeSize(operand.getType()) <= 32 &&
                            region_.ast.getTypeSize(cast->getType()) >= 64;
      if (is_exact) return Affine(operand);
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&expression)) return Choice(*choice);
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression);
    const clang::FunctionDecl* function = call == nullptr ? nullptr : call->getDirectCallee();
    const unsigned builtin = function == nullptr ? 0 : function->getBuiltinID();
    const bool down = builtin == clang::Builtin::BIfloor || builtin == clang::Builtin::BI__builtin_floor;
    const bool up = builtin == clang::Builtin::BIceil || builtin == clang::Builtin::BI__builtin_ceil;
    if (!down && !up) return NotAffine(expression, "it is not an integer");
    const auto* quotient = llvm::dyn_cast<clang::BinaryOperator>(Bare(call->getArg(0)));
    if (quotient == nullptr || quotient->getOpcode() != clang::BO_Div)
      return NotAffine(expression, "it is not an integer");
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff dividend, Whole(*quotient->getLHS()->IgnoreParens()));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff divisor, Whole(*quotient->getRHS()->IgnoreParens()));
    const std::optional<isl::val> constant = ConstantOf(divisor);
    if (!constant || !constant->is_pos())
      return NotAffine(expression, "the divisor is not a positive constant");
    const isl::pw_aff value = dividend.scale_down(*constant);
    return Simplified(down ? value.floor() : value.ceil());
  }

  // An element of a table of constants.
  Accepted<isl::pw_aff> Known(const clang::ArraySubscriptExpr& expression) {
    const std::optional<TableElement> element = TableElementOf(region_.ast, expression);
    if (!element) return Element(expression);
    std::vector<isl::pw_aff> subscripts;
    for (const clang::Expr* written : element->subscripts) {
      Accepted<isl::pw_aff> subscript = Exact(*written);
      if (IsRefused(subscript)) return Element(expression);
      subscripts.push_back(std::get<0>(std::move(subscript)));
    }
    region_.tables.insert(element->table);
    return Simplified(ValueInTable(*element->table, subscripts));
  }

  // A call of a function that is known by its name.
  Accepted<isl::pw_aff> Known(const clang::CallExpr& call) {
    const IntegerFunction function = IntegerFunctionOf(region_.ast, call);
    if (function == IntegerFunction::kNone) return NotAffine(call, "it is the result of a call");
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff first, Affine(*call.getArg(0)));
    if (function == IntegerFunction::kAbsolute) return Simplified(first.max(first.neg()));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff second, Affine(*call.getArg(1)));
    if (function == IntegerFunction::kMin) return Simplified(first.min(second));
    if (function == IntegerFunction::kMax) return Simplified(first.max(second));
    const std::optional<isl::val> divisor = ConstantOf(second);
    if (!divisor || !divisor->is_pos()) return NotAffine(call, "the divisor is not a positive constant");
    const isl::pw_aff quotient = first.scale_down(*divisor);
    return Simplified(function == IntegerFunction::kFloorDivision ? quotient.floor() : quotient.ceil());
  }

  // `value` is of an integer type: its expression is converted to that.
  Accepted<isl::pw_aff> Defined(const Definition& value) {
    if (!region_.Opens())
      return NotAffine(*value.expression, "very many values of variables stand in it for these");
    AffineReader reader(region_, *value.scope, position_, exact_);
    if (value.then == nullptr) return reader.Affine(*value.expression);
    TUNE_ASSIGN_OR_REFUSE(isl::set holds, reader.Condition(*value.expression));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff first, Defined(*value.then));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff second, Defined(*value.otherwise));
    return Simplified(Either(holds, first, second));
  }

  Accepted<isl::pw_aff> Variable(const clang::DeclRefExpr& reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    if (variable == nullptr) return NotAffine(reference, "it is not a variable");
    if (auto defined = nest_.definitions.find(variable); defined != nest_.definitions.end())
      return Defined(defined->second);
    if (const Iterator* iterator = nest_.Find(variable)) return FromId(iterator->id);
    if (auto local = nest_.affine_locals.find(variable); local != nest_.affine_locals.end())
      return local->second;
    if (const clang::Expr* initializer = ConstantInitializer(region_.ast, variable))
      return Affine(*initializer);
    if (auto parameter = region_.parameters.find(variable); parameter != region_.parameters.end()) {
      if (IsReservedByIsl(variable->getName().str()))
        return ReservedParameter(reference.getSourceRange(), variable->getName().str());
      const auto known = region_.values.find(variable);
      return known == region_.values.end() ? FromId(parameter->second) : FromValue(known->second);
    }
    if (region_.derived.count(variable) > 0) region_.data.insert(variable);
    return NotAffine(reference, WhyNoIndex(region_.variables, *variable));
  }

  Accepted<isl::pw_aff> Cast(const clang::CastExpr& cast) {
    clang::QualType to = cast.getType(), from = cast.getSubExpr()->getType();
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff value, Affine(*cast.getSubExpr()));
    if (to->isBooleanType() && !from->isBooleanType()) {
      const isl::pw_aff zero = FromValue(isl::val(isl::ctx(region_.ctx), 0L));
      return Simplified(Either(value.ne_set(zero), FromValue(isl::val(isl::ctx(region_.ctx), 1L)), zero));
    }
    uint64_t to_width = region_.ast.getTypeSize(to);
    if (to_width < region_.ast.getTypeSize(from) && to_width < region_.ast.getTypeSize(region_.ast.IntTy)) {
      return NotAffine(cast, absl::StrCat("the conversion to ", to.getAsString(), " may change its value"));
    }
    const bool widens = from->isUnsignedIntegerType() && to_width > region_.ast.getTypeSize(from);
    if (widens && (exact_ || position_ != Position::kSubscript)) {
      TUNE_ASSIGN_OR_REFUSE(value, InType(*cast.getSubExpr(), value));
    }
    if (to->isUnsignedIntegerType() && !from->isUnsignedIntegerType()) {
      TUNE_ASSIGN_OR_REFUSE(value, Unwrapped(cast, value));
    }
    const uint64_t from_width = region_.ast.getTypeSize(from);
    const bool turns_signed =
        to_width == from_width && from->isUnsignedIntegerType() && to->isSignedIntegerType();
    return to_width < from_width || turns_signed ? ConvertedTo(region_, nest_, to, cast, value) : value;
  }

  Accepted<isl::pw_aff> Unary(const clang::UnaryOperator& operation) {
    if (operation.getOpcode() == clang::UO_Deref) return Element(operation);
    if (operation.isIncrementDecrementOp()) {
      return Refusal{operation.getSourceRange(), "an assignment inside an expression",
                     "make it a statement of its own"};
    }
    if (operation.getOpcode() == clang::UO_LNot) return Indicator(operation);
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff value, Affine(*operation.getSubExpr()));
    switch (operation.getOpcode()) {
      case clang::UO_Plus:
      case clang::UO_Extension:
        return value;
      case clang::UO_Minus:
        return Unwrapped(operation, value.neg());
      case clang::UO_Not:  // ~v = -v - 1
        return Unwrapped(operation, value.neg().sub(FromValue(isl::val(isl::ctx(region_.ctx), 1L))));
      default:
        return NotAffine(operation, "the operator has no affine meaning");
    }
  }

  Accepted<isl::pw_aff> Binary(const clang::BinaryOperator& operation) {
    if (operation.isAssignmentOp() || operation.getOpcode() == clang::BO_Comma) {
      return Refusal{operation.getSourceRange(), "an assignment or a comma inside an expression",
                     "make each part a statement of its own"};
    }
    if (operation.isComparisonOp() || operation.isLogicalOp()) return Indicator(operation);
    const bool looks_at_value = operation.isMultiplicativeOp() ? operation.getOpcode() != clang::BO_Mul
                                                               : operation.getOpcode() == clang::BO_Shr;
    const auto operand = [&](const clang::Expr& side) { return looks_at_value ? Exact(side) : Affine(side); };
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff left, operand(*operation.getLHS()));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff right, operand(*operation.getRHS()));
    switch (operation.getOpcode()) {
      case clang::BO_Add:
        return Sum(operation, left, right);
      case clang::BO_Sub:
        return Unwrapped(operation, left.sub(right));
      case clang::BO_Mul:
        if (!ConstantOf(left) && !ConstantOf(right)) {
          // A subscript is a place in a matrix of one dimension.
          const std::optional<isl::pw_aff> product =
              position_ == Position::kBound ? ProductOfParameters(region_, nest_, left, right) : std::nullopt;
          if (!product) return Product(operation, left, right);
          KeepBelowWrapping(region_, operation, *product);
          return Unwrapped(operation, *product);
        }
        return left.mul(right);
      case clang::BO_Div:
      case clang::BO_Rem:
        return Division(operation, left, right);
      case clang::BO_Shl:
      case clang::BO_Shr:
        return Shift(operation, left, right);
      case clang::BO_And:
      case clang::BO_Or:
      case clang::BO_Xor:
        return ConstantOf(left) ? Bits(operation, right, left) : Bits(operation, left, right);
      default:
        return NotAffine(operation, absl::StrCat("the operator ", operation.getOpcodeStr().str(),
                                                 " has no affine meaning"));
    }
  }

  // A constant of the upper half of an unsigned type, such as -1 becomes there, is its distance from 2^width
  // less in a sum; also one of several that conditions choose among.
  Accepted<isl::pw_aff> Sum(const clang::BinaryOperator& operation, const isl::pw_aff& left,
                            const isl::pw_aff& right) {
    const isl::pw_aff sum = left.add(right);
    if (!operation.getType()->isUnsignedIntegerType()) return sum;
    const isl::val half = PowerOfTwo(
        isl::val(isl::ctx(region_.ctx), static_cast<long>(region_.ast.getTypeSize(operation.getType())) - 1));
    for (const isl::pw_aff& side : {left, right}) {
      if (!IsConstant(side.coalesce())) continue;
      const isl::set upper = side.ge_set(FromValue(half));  // [params, iterators] -> { : }
      if (upper.is_empty()) continue;
      return Unwrapped(operation, Simplified(Either(upper, sum.sub(FromValue(half.add(half))), sum)));
    }
    return sum;
  }

  Refusal Product(const clang::BinaryOperator& operation, const isl::pw_aff& left,
                  const isl::pw_aff& right) const {
    std::string remedy = "multiply with constants only";
    if (!nest_.Varies(left) || !nest_.Varies(right)) {
      remedy +=
          "; for an element of a matrix in one-dimensional storage, declare the dimensions "
          "(double A[n][m], or double (*restrict A)[m]) and write A[i][j]";
    }
    return {operation.getSourceRange(),
            "not an affine expression: it multiplies two values that are not constant", remedy};
  }

  // C truncates towards zero, and the remainder has the sign of the dividend.
  Accepted<isl::pw_aff> Division(const clang::BinaryOperator& operation, const isl::pw_aff& dividend,
                                 const isl::pw_aff& divisor) {
    std::optional<isl::val> constant = ConstantOf(divisor);
    bool quotient = operation.getOpcode() == clang::BO_Div;
    if (!constant) {
      const std::optional<isl::pw_aff> near =
          NearQuotient(nest_.domain.intersect(region_.context), dividend, divisor, !quotient);
      if (near) return *near;
      return NotAffine(operation, "the divisor is not a constant");
    }
    if (constant->is_zero()) {
      return Refusal{operation.getSourceRange(), "division by zero", "divide by another constant"};
    }
    isl::pw_aff size = FromValue(constant->abs());
    isl::pw_aff result = quotient ? dividend.tdiv_q(size) : dividend.tdiv_r(size);
    if (quotient && constant->is_neg()) result = result.neg();
    return Simplified(result);
  }

  Accepted<isl::pw_aff> Shift(const clang::BinaryOperator& operation, const isl::pw_aff& value,
                              const isl::pw_aff& bits) {
    std::optional<isl::val> constant = ConstantOf(bits);
    if (!constant || constant->is_neg() || constant->gt(isl::val(isl::ctx(region_.ctx), 62L))) {
      return NotAffine(operation, "it is not shifted by a small constant");
    }
    isl::val factor = PowerOfTwo(*constant);
    if (operation.getOpcode() == clang::BO_Shl) return value.scale(factor);
    return Simplified(value.scale_down(factor).floor());
  }

  // v & c, v | c = v + c - (v & c), v ^ c = v + c - 2 (v & c), in two's complement.
  Accepted<isl::pw_aff> Bits(const clang::BinaryOperator& operation, const isl::pw_aff& value,
                             const isl::pw_aff& other) {
    const std::optional<isl::val> constant = ConstantOf(other);
    const std::optional<isl::pw_aff> common = constant ? Masked(value, *constant) : std::nullopt;
    if (!common) {
      return NotAffine(operation,
                       absl::StrCat("beside ", operation.getOpcodeStr().str(), " is no constant of at most ",
                                    kMostBitFields, " groups of bits"));
    }
    if (operation.getOpcode() == clang::BO_And) return Simplified(*common);
    const isl::pw_aff sum = value.add(FromValue(*constant)).sub(*common);
    return Simplified(operation.getOpcode() == clang::BO_Or ? sum : sum.sub(*common));
  }

  Accepted<isl::pw_aff> Choice(const clang::ConditionalOperator& choice) {
    TUNE_ASSIGN_OR_REFUSE(isl::set condition, Condition(*choice.getCond()));
    LoopNest when = nest_, otherwise = nest_;
    when.domain = nest_.domain.intersect(condition);
    otherwise.domain = nest_.domain.subtract(condition);
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff first,
                          AffineReader(region_, when, position_, exact_).Affine(*choice.getTrueExpr()));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff second,
                          AffineReader(region_, otherwise, position_, exact_).Affine(*choice.getFalseExpr()));
    return Simplified(Either(condition, first, second));
  }

  // 1 where the condition holds, else 0.
  Accepted<isl::pw_aff> Indicator(const clang::Expr& condition) {
    TUNE_ASSIGN_OR_REFUSE(isl::set holds, Condition(condition));
    return Simplified(Either(holds, FromValue(isl::val(isl::ctx(region_.ctx), 1L)),
                             FromValue(isl::val(isl::ctx(region_.ctx), 0L))));
  }

  Accepted<isl::set> Logical(const clang::BinaryOperator& operation) {
    bool conjunction = operation.getOpcode() == clang::BO_LAnd;
    TUNE_ASSIGN_OR_REFUSE(isl::set left, Condition(*operation.getLHS()));
    LoopNest reached = nest_;  // where C evaluates the right operand
    reached.domain = conjunction ? nest_.domain.intersect(left) : nest_.domain.subtract(left);
    TUNE_ASSIGN_OR_REFUSE(isl::set right,
                          AffineReader(region_, reached, position_).Condition(*operation.getRHS()));
    return conjunction ? left.intersect(right) : left.unite(right);
  }

  Accepted<isl::set> Comparison(const clang::BinaryOperator& operation) {
    for (const clang::Expr* operand : {operation.getLHS(), operation.getRHS()}) {
      if (operand->getType()->isPointerType()) {
        return Refusal{
            operation.getSourceRange(),
            "not an affine condition: how far these pointers are apart is not known",
            "set one to `a` before, in the region, and compare it with `a + n`; or count in an integer"};
      }
      if (!operand->getType()->isIntegerType() && IsRefused(Affine(*operand))) {
        return Refusal{operand->getSourceRange(),
                       "not an affine condition: it compares values that are not integers",
                       "move the choice into the value of the statement, `x = condition ? a : x;`, or out of "
                       "the region"};
      }
    }
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff left, Exact(*operation.getLHS()));
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff right, Exact(*operation.getRHS()));
    switch (operation.getOpcode()) {
      case clang::BO_LT:
        return left.lt_set(right);
      case clang::BO_LE:
        return left.le_set(right);
      case clang::BO_GT:
        return left.gt_set(right);
      case clang::BO_GE:
        return left.ge_set(right);
      case clang::BO_EQ:
        return left.eq_set(right);
      default:
        return left.ne_set(right);
    }
  }

  isl::pw_aff Simplified(const isl::pw_aff& value) const { return value.gist(nest_.domain).coalesce(); }

  // The operand of an operation that looks at the number itself. Others of C's, + - *, may wrap around and
  // back in a subscript.
  Accepted<isl::pw_aff> Exact(const clang::Expr& operand) {
    const bool outer = std::exchange(exact_, true);
    Accepted<isl::pw_aff> value = Affine(operand);
    exact_ = outer;
    if (IsRefused(value)) return value;
    return operand.getType()->isUnsignedIntegerType() ? InType(operand, std::get<0>(value)) : value;
  }

  // `value` of an expression of unsigned type, which C takes modulo a power of two.
  Accepted<isl::pw_aff> InType(const clang::Expr& expression, const isl::pw_aff& value) {
    TUNE_ASSIGN_OR_REFUSE(isl::pw_aff known, NotBelowZero(expression, value));
    return ConvertedTo(region_, nest_, expression.getType(), expression, known);
  }

  Accepted<isl::pw_aff> Unwrapped(const clang::Expr& expression, const isl::pw_aff& value) {
    if (!expression.getType()->isUnsignedIntegerType() || position_ == Position::kSubscript) return value;
    return NotBelowZero(expression, value);
  }

  Accepted<isl::pw_aff> NotBelowZero(const clang::Expr& expression, const isl::pw_aff& value) {
    return tune::NotBelowZero(region_, nest_, expression, value, position_ == Position::kBound);
  }

  Region& region_;
  const LoopNest& nest_;
  Position position_;
  bool exact_;  // an operation around looks at the number
};

}  // namespace

std::optional<isl::val> ConstantOf(const isl::pw_aff& value) {
  isl::pw_aff simple = value.coalesce();
  if (!IsConstant(simple) || PieceCount(simple) != 1) return std::nullopt;
  return simple.eval(simple.domain().sample_point());
}

Accepted<isl::pw_aff> ReadAffine(Region& region, const LoopNest& nest, const clang::Expr& expression,
                                 Position position) {
  AffineReader reader(region, nest, position);
  return position == Position::kSubscript ? reader.Affine(expression) : reader.Stored(expression);
}

Accepted<isl::set> ReadCondition(Region& region, const LoopNest& nest, const clang::Expr& condition,
                                 Position position) {
  return AffineReader(region, nest, position).Condition(condition);
}

}  // namespace tune
