#include "client/extract/statements/value_expression.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/calls/called_function.h"
#include "client/extract/calls/refused_call.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/integers/constant_table.h"
#include "client/extract/integers/integer_function.h"
#include "client/extract/statements/complex_value.h"
#include "client/extract/statements/refused_type.h"
#include "client/extract/tree/constant_text.h"
#include "common/program/statement_value.h"
#include "common/scop/c_functions.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

Refusal AssignmentInside(const clang::Expr& expression) {
  return {expression.getSourceRange(), "an assignment inside an expression",
          "make it a statement of its own"};
}

Refusal Unsupported(const clang::Expr& expression) {
  return {expression.getSourceRange(), "an expression of a kind that a scop cannot hold",
          "use arithmetic on array elements, scalars, constants and functions of <math.h>"};
}

Refusal TooDeep(const clang::Expr& expression) {
  return {expression.getSourceRange(),
          absl::StrCat("more than ", ValueReader::kDeepest, " operations inside one another"),
          "split the statement, with a scalar for the intermediate value"};
}

// A variable that is set to itself twice, x = x * x, has twice as long a value each time.
Refusal TooLong(const clang::Expr& expression) {
  return {expression.getSourceRange(),
          absl::StrCat("the value of a called function in which more than ", ValueReader::kMostOpened,
                       " values of variables have to be written in the places of these"),
          "let the function set what a further argument points to, and call it as a statement"};
}

bool IsRealOrComplex(clang::QualType type) {
  return type->isArithmeticType() && (!type->isAnyComplexType() || IsComplexOfFloats(type));
}

// Of those that C has as lvalues: __real__ z, and in C++ ++i.
bool IsPartOrIncrement(const clang::Expr& expression) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression);
  return unary != nullptr && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_Real ||
                              unary->getOpcode() == clang::UO_Imag);
}

}  // namespace

int ValueReader::Add(Element element, v1::Access::Kind kind, clang::SourceRange use) {
  accesses_.push_back({std::move(element), kind, use, reached_, certain_ && nest_.guards.empty()});
  return static_cast<int>(accesses_.size()) - 1;
}

v1::Expression ValueReader::Operation(const clang::Expr& expression, absl::string_view op,
                                      std::vector<v1::Expression> operands) const {
  // Of comparisons, which in C++ are bool, what C has.
  const bool is_truth =
      expression.getType()->isBooleanType() && !llvm::isa<clang::ConditionalOperator>(expression);
  return Operation(is_truth ? "int" : ValueTypeName(region_.ast, expression.getType()), op,
                   std::move(operands));
}

v1::Expression ValueReader::Operation(absl::string_view c_type, absl::string_view op,
                                      std::vector<v1::Expression> operands) {
  return MakeOperation(std::string(c_type), std::string(op), std::move(operands));
}

v1::Expression ValueReader::Truth(v1::Expression value) {
  static const auto* const kTruths =
      new std::set<std::string>{"!", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
  if (value.has_operation() && kTruths->count(value.operation().op()) > 0) return value;
  v1::Expression zero;
  zero.set_literal("0");
  zero.set_c_type("int");
  return Operation("int", "!=", {std::move(value), std::move(zero)});
}

Accepted<std::optional<v1::Expression>> ValueReader::ReadGuards() {
  std::optional<v1::Expression> all;
  for (const Guard& guard : nest_.guards) {
    TUNE_ASSIGN_OR_REFUSE(v1::Expression holds, ReadGuard(guard));
    if (guard.negated) holds = Operation("int", "!", {std::move(holds)});
    all = all ? Operation("int", "&&", {*std::move(all), std::move(holds)}) : std::move(holds);
  }
  return all;
}

Accepted<v1::Expression> ValueReader::ReadGuard(const Guard& guard) {
  if (guard.scalar != nullptr) {
    v1::Expression value;
    value.set_c_type("int");
    value.set_access(Add(Element{guard.scalar, {}}, v1::Access::READ, {}));
    return value;
  }
  std::optional<v1::Expression> all;
  for (const clang::Expr* condition : guard.conditions) {
    TUNE_ASSIGN_OR_REFUSE(v1::Expression part, Read(*condition));
    all =
        all ? Operation("int", guard.all ? "&&" : "||", {*std::move(all), std::move(part)}) : std::move(part);
  }
  return *std::move(all);
}

Accepted<v1::Expression> ValueReader::Read(const clang::Expr& written) {
  const clang::Expr& expression = *written.IgnoreParens();
  if (!IsRealOrComplex(expression.getType())) {
    return Refusal{
        expression.getSourceRange(),
        absl::StrCat("a value of type ", expression.getType().getAsString(), ", which is not a number"),
        expression.getType()->isAnyComplexType() ? InsteadOf(expression.getType())
                                                 : "use arithmetic types only"};
  }
  // What is converted to such a type is an operand of another one, or the value of an element that is
  // refused.
  if (IsOtherFloat(expression.getType()) && !llvm::isa<clang::ImplicitCastExpr>(expression)) {
    return Refusal{expression.getSourceRange(),
                   absl::StrCat("a value of type ", expression.getType().getAsString(),
                                ", which tuned code does not have"),
                   InsteadOf(expression.getType())};
  }
  if (std::optional<v1::Expression> constant = ConstantExpression(region_.ast, expression))
    return *std::move(constant);
  if (expression.getType()->isIntegerType()) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    bool condition = binary != nullptr && (binary->isComparisonOp() || binary->isLogicalOp());
    if (!condition && !llvm::isa<clang::ConditionalOperator>(expression) &&
        !HasTableElement(region_.ast, expression)) {  // memory is read faster than a choice is made
      Accepted<isl::pw_aff> affine = ReadAffine(region_, *scope_, expression, Position::kValue);
      if (!IsRefused(affine)) {
        v1::Expression result;
        result.set_c_type(ValueTypeName(region_.ast, expression.getType()));
        isl::pw_aff value = BindValue(region_, nest_, statement_, std::get<0>(affine));
        result.set_affine(IslText(value));
        return result;
      }
    }
  }
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&expression);
  if (cast != nullptr && !IsComplexConversion(*cast)) return ReadCast(*cast);
  // In C++ choices, calls and assignments may name objects.
  const bool is_named = !llvm::isa<clang::ConditionalOperator>(expression) &&
                        !llvm::isa<clang::CallExpr>(expression) &&
                        !llvm::isa<clang::BinaryOperator>(expression) && !IsPartOrIncrement(expression);
  if (expression.isLValue() && is_named) return ReadElementValue(expression);
  if (depth_ >= kDeepest) return TooDeep(expression);
  ++depth_;
  Accepted<v1::Expression> result = ReadNode(expression);
  --depth_;
  return result;
}

Accepted<v1::Expression> ValueReader::ReadNode(const clang::Expr& expression) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression)) return ReadCast(*cast);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression)) return ReadUnary(*unary);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression)) return ReadBinary(*binary);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&expression))
    return ReadChoice(*choice);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) return ReadCall(*call);
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(&expression)) {
    TUNE_ASSIGN_OR_REFUSE(Definition value, ValueOfBlock(region_, *scope_, *block));
    return ReadDefinition(value, block->getType());
  }
  return Unsupported(expression);
}

Accepted<v1::Expression> ValueReader::ReadElementValue(const clang::Expr& expression) {
  if (const clang::VarDecl* variable = NamedVariable(&expression)) {
    const auto defined = scope_->definitions.find(variable);
    const bool is_reference = IsReference(*variable) && defined != scope_->definitions.end() &&
                              defined->second.expression->isGLValue();
    if (defined != scope_->definitions.end() && !is_reference)
      return ReadDefinition(defined->second, variable->getType());
    if (region_.derived.count(variable) > 0) region_.data.insert(variable);
    if (region_.variables.IsIterator(variable)) {
      return Refusal{
          expression.getSourceRange(),
          absl::StrCat("the value of the iterator `", variable->getNameAsString(), "` outside of its loop"),
          "use the loop's bound instead"};
    }
  }
  TUNE_ASSIGN_OR_REFUSE(Element element, ReadElement(region_, *scope_, expression, reached_));
  std::vector<v1::Expression> subscripts;
  if (!element.by_data.empty()) {
    TUNE_ASSIGN_OR_REFUSE(subscripts, ReadSubscripts(element));
  }
  v1::Expression result;
  result.set_c_type(ValueTypeName(region_.ast, expression.getType()));
  result.set_access(Add(std::move(element), v1::Access::READ, expression.getSourceRange()));
  if (subscripts.empty()) return result;
  subscripts.insert(subscripts.begin(), result);
  return Operation(result.c_type(), kElementOf, std::move(subscripts));
}

Accepted<std::vector<v1::Expression>> ValueReader::ReadSubscripts(const Element& element) {
  std::vector<v1::Expression> subscripts;
  for (size_t i = 0; i < element.subscripts.size(); ++i) {
    const auto data = element.by_data.find(static_cast<int>(i));
    if (data == element.by_data.end()) {
      v1::Expression affine;
      affine.set_c_type("long");
      affine.set_affine(IslText(BindValue(region_, nest_, statement_, element.subscripts[i])));
      subscripts.push_back(std::move(affine));
      continue;
    }
    if (depth_ >= kDeepest) return TooDeep(*data->second.expression);
    const LoopNest* scope = std::exchange(scope_, data->second.scope);
    ++depth_;
    Accepted<v1::Expression> value = Read(*data->second.expression);
    --depth_;
    scope_ = scope;
    if (IsRefused(value)) return std::get<Refusal>(std::move(value));
    subscripts.push_back(std::get<0>(std::move(value)));
  }
  return subscripts;
}

Accepted<v1::Expression> ValueReader::ReadCast(const clang::CastExpr& cast) {
  const clang::Expr& operand = *cast.getSubExpr();
  if (cast.getCastKind() == clang::CK_LValueToRValue) return Read(operand);
  if (!IsRealOrComplex(operand.getType())) {
    return Refusal{cast.getSourceRange(), absl::StrCat("a conversion from ", operand.getType().getAsString()),
                   "convert between numbers only"};
  }
  TUNE_ASSIGN_OR_REFUSE(v1::Expression value, Read(operand));
  if (cast.getType()->isBooleanType() && !operand.getType()->isBooleanType()) return Truth(std::move(value));
  if (IsComplexConversion(cast))
    return ConvertedTo(ValueTypeName(region_.ast, cast.getType()), std::move(value));
  if (llvm::isa<clang::ImplicitCastExpr>(cast)) return value;
  v1::Expression result;
  result.set_c_type(ValueTypeName(region_.ast, cast.getType()));
  result.mutable_cast()->set_c_type(result.c_type());
  *result.mutable_cast()->mutable_operand() = std::move(value);
  return result;
}

Accepted<v1::Expression> ValueReader::ReadUnary(const clang::UnaryOperator& operation) {
  switch (operation.getOpcode()) {
    case clang::UO_Extension:
      return Read(*operation.getSubExpr());
    case clang::UO_Real:
    case clang::UO_Imag: {
      const bool real = operation.getOpcode() == clang::UO_Real;
      const bool is_complex = operation.getSubExpr()->getType()->isAnyComplexType();
      if (!is_complex && !real) return Unsupported(operation);
      TUNE_ASSIGN_OR_REFUSE(v1::Expression operand, Read(*operation.getSubExpr()));
      if (!is_complex) return operand;
      return Operation(operation, real ? kRealPart : kImaginaryPart, {std::move(operand)});
    }
    case clang::UO_Plus:
    case clang::UO_Minus:
    case clang::UO_Not:
    case clang::UO_LNot: {
      TUNE_ASSIGN_OR_REFUSE(v1::Expression operand, Read(*operation.getSubExpr()));
      return Operation(operation, clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str(),
                       {std::move(operand)});
    }
    default:
      return operation.isIncrementDecrementOp() ? AssignmentInside(operation) : Unsupported(operation);
  }
}

// Integers are converted before they are negated, as C does it before it subtracts them.
Accepted<v1::Expression> ValueReader::ReadSum(const clang::BinaryOperator& sum,
                                              const std::vector<SumTerm>& terms) {
  const std::string c_type = ValueTypeName(region_.ast, sum.getType());
  std::vector<v1::Expression> operands;
  for (const SumTerm& term : terms) {
    const LoopNest* scope = std::exchange(scope_, term.scope);
    Accepted<v1::Expression> read = Read(*term.expression);
    scope_ = scope;
    TUNE_ASSIGN_OR_REFUSE(v1::Expression operand, std::move(read));
    if (term.scope != scope_) operand = ConvertedTo(c_type, std::move(operand));
    if (term.subtracted) {
      const bool floating = term.expression->IgnoreParenImpCasts()->getType()->isRealFloatingType();
      if (!floating) operand = ConvertedTo(c_type, std::move(operand));
      const std::string own_type = operand.c_type();
      operand = Operation(own_type, "-", {std::move(operand)});
    }
    operands.push_back(std::move(operand));
  }
  return Operation(c_type, "+", std::move(operands));
}

Accepted<v1::Expression> ValueReader::ReadBinary(const clang::BinaryOperator& operation) {
  if (operation.isAssignmentOp()) return AssignmentInside(operation);
  const std::vector<SumTerm> terms = TermsOfSum(region_.ast, *scope_, operation);
  if (static_cast<int>(terms.size()) > kLongestNestedSum) return ReadSum(operation, terms);
  if (operation.getOpcode() == clang::BO_Comma || !IsRealOrComplex(operation.getLHS()->getType()))
    return Unsupported(operation);
  TUNE_ASSIGN_OR_REFUSE(v1::Expression left, Read(WithoutImaginaryZero(*operation.getLHS())));
  isl::set reached = reached_;
  const bool certain = certain_;
  if (operation.isLogicalOp()) {
    Accepted<isl::set> affine = ReadCondition(region_, *scope_, *operation.getLHS(), Position::kValue);
    if (!IsRefused(affine)) {
      const isl::set& holds = std::get<0>(affine);
      reached_ = operation.getOpcode() == clang::BO_LAnd ? reached.intersect(holds) : reached.subtract(holds);
    } else {
      Doubt();
    }
  }
  TUNE_ASSIGN_OR_REFUSE(v1::Expression right, Read(WithoutImaginaryZero(*operation.getRHS())));
  reached_ = reached;
  certain_ = certain;
  return Operation(operation, operation.getOpcodeStr().str(), {std::move(left), std::move(right)});
}

Accepted<v1::Expression> ValueReader::ReadChoice(const clang::ConditionalOperator& choice) {
  TUNE_ASSIGN_OR_REFUSE(v1::Expression condition, Read(*choice.getCond()));
  isl::set reached = reached_;
  Accepted<isl::set> affine = ReadCondition(region_, *scope_, *choice.getCond(), Position::kValue);
  const bool certain = certain_;
  if (IsRefused(affine)) Doubt();
  if (!IsRefused(affine)) reached_ = reached.intersect(std::get<0>(affine));
  TUNE_ASSIGN_OR_REFUSE(v1::Expression first, Read(*choice.getTrueExpr()));
  if (!IsRefused(affine)) reached_ = reached.subtract(std::get<0>(affine));
  TUNE_ASSIGN_OR_REFUSE(v1::Expression second, Read(*choice.getFalseExpr()));
  reached_ = reached;
  certain_ = certain;
  return Operation(choice, "?:", {std::move(condition), std::move(first), std::move(second)});
}

// Whether a value that is set to the expression is converted to this type.
bool ValueReader::MayConvert(const clang::Expr& expression, clang::QualType type) const {
  const clang::QualType from = expression.IgnoreParenImpCasts()->getType();
  return type->isBooleanType() || !region_.ast.hasSameUnqualifiedType(from, type);
}

// Conversions at calls and assignments are written out: they may round.
Accepted<v1::Expression> ValueReader::ReadDefinition(const Definition& definition, clang::QualType type) {
  const int more = definition.then == nullptr && !MayConvert(*definition.expression, type) ? 0 : 1;
  if (depth_ + more > kDeepest) return TooDeep(*definition.expression);
  if (++opened_ > kMostOpened) return TooLong(*definition.expression);
  const LoopNest* scope = std::exchange(scope_, definition.scope.get());
  depth_ += more;
  Accepted<v1::Expression> value = Read(*definition.expression);
  Accepted<isl::set> affine = Refusal{};
  if (definition.then != nullptr)
    affine = ReadCondition(region_, *scope_, *definition.expression, Position::kValue);
  scope_ = scope;
  depth_ -= more;
  if (IsRefused(value)) return value;
  const std::string c_type = ValueTypeName(region_.ast, type);
  if (definition.then == nullptr) {
    return ConvertedTo(c_type, std::get<0>(std::move(value)));
  }
  ++depth_;
  isl::set reached = reached_;
  const bool certain = certain_;
  if (IsRefused(affine)) Doubt();
  if (!IsRefused(affine)) reached_ = reached.intersect(std::get<0>(affine));
  Accepted<v1::Expression> first = ReadDefinition(*definition.then, type);
  if (!IsRefused(affine)) reached_ = reached.subtract(std::get<0>(affine));
  Accepted<v1::Expression> second = ReadDefinition(*definition.otherwise, type);
  reached_ = reached;
  certain_ = certain;
  --depth_;
  if (IsRefused(first)) return first;
  if (IsRefused(second)) return second;
  return Operation(
      c_type,
      "?:", {std::get<0>(std::move(value)), std::get<0>(std::move(first)), std::get<0>(std::move(second))});
}

// a < b ? a : b, and the like: both are integers.
Accepted<v1::Expression> ValueReader::ReadExtremum(const clang::CallExpr& call, IntegerFunction function) {
  std::vector<v1::Expression> operands;
  for (const clang::Expr* argument : {call.getArg(0), call.getArg(1), call.getArg(0), call.getArg(1)}) {
    TUNE_ASSIGN_OR_REFUSE(v1::Expression operand, Read(*argument));
    operands.push_back(ConvertedTo(ValueTypeName(region_.ast, argument->getType()), std::move(operand)));
  }
  v1::Expression chooses = Operation("int", function == IntegerFunction::kMin ? "<" : ">",
                                     {std::move(operands[0]), std::move(operands[1])});
  return Operation(call, "?:", {std::move(chooses), std::move(operands[2]), std::move(operands[3])});
}

Accepted<v1::Expression> ValueReader::ReadCall(const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  std::string name = function == nullptr ? "" : function->getNameAsString();
  if (const clang::FunctionDecl* in_sight = FunctionInSight(call)) {
    TUNE_ASSIGN_OR_REFUSE(Definition value, ReturnedValue(region_, *scope_, call, *in_sight));
    return ReadDefinition(value, call.getType());
  }
  const IntegerFunction known = IntegerFunctionOf(region_.ast, call);
  if (known == IntegerFunction::kMin || known == IntegerFunction::kMax) return ReadExtremum(call, known);
  if (IsPartOfComplex(call)) {
    TUNE_ASSIGN_OR_REFUSE(v1::Expression argument, Read(*call.getArg(0)));
    return PartOfComplex(region_.ast, call, std::move(argument));
  }
  if (function == nullptr || !IsPureFunction(name) || function->hasBody()) return RefuseCall(call);
  v1::Expression result;
  result.set_c_type(ValueTypeName(region_.ast, call.getType()));
  result.mutable_call()->set_function(name);
  for (const clang::Expr* argument : call.arguments()) {
    TUNE_ASSIGN_OR_REFUSE(*result.mutable_call()->add_arguments(), Read(*argument));
  }
  return result;
}

}  // namespace tune
