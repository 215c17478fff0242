#include "client/extract/tree/constant_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/statements/refused_type.h"
#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

v1::Expression Literal(const clang::ASTContext& ast, clang::QualType type, std::string text) {
  v1::Expression expression;
  expression.set_literal(std::move(text));
  expression.set_c_type(ValueTypeName(ast, type));
  return expression;
}

v1::Expression Negated(v1::Expression operand) {
  const std::string type = operand.c_type();
  return MakeOperation(type, "-", {std::move(operand)});
}

// As spelled in the source, also where a macro pasted it together.
std::optional<std::string> Spelling(const clang::ASTContext& ast, clang::SourceLocation location) {
  const clang::SourceManager& manager = ast.getSourceManager();
  bool invalid = false;
  llvm::SmallString<32> buffer;
  llvm::StringRef text = clang::Lexer::getSpelling(manager.getSpellingLoc(location), buffer, manager,
                                                   ast.getLangOpts(), &invalid);
  // A number of C: not one that stands for an argument of a template, or has what C++ alone allows.
  const bool is_number = !text.empty() && (llvm::isDigit(text[0]) || text[0] == '.');
  if (invalid || !is_number || text.contains('\'')) return std::nullopt;
  return text.str();
}

std::string IntegerSuffix(const clang::ASTContext& ast, clang::QualType type) {
  std::string suffix = type->isUnsignedIntegerType() ? "U" : "";
  if (ast.getTypeSize(type) > ast.getTypeSize(ast.IntTy)) suffix += "L";
  return suffix;
}

// `type` is int or wider.
v1::Expression Integer(const clang::ASTContext& ast, clang::QualType type, const llvm::APSInt& value) {
  llvm::SmallString<40> digits;
  std::string suffix = IntegerSuffix(ast, type);
  if (!value.isNegative()) {
    value.toString(digits, 10);
    return Literal(ast, type, absl::StrCat(digits.c_str(), suffix));
  }
  if (value.isMinSignedValue()) {  // has no positive counterpart
    llvm::APSInt next = value;
    ++next;
    return MakeOperation(ValueTypeName(ast, type), "-",
                         {Integer(ast, type, next), Literal(ast, type, "1" + suffix)});
  }
  (-value).toString(digits, 10);
  return Negated(Literal(ast, type, absl::StrCat(digits.c_str(), suffix)));
}

v1::Expression Floating(const clang::ASTContext& ast, clang::QualType type, llvm::APFloat value) {
  if (type->isFloat16Type()) {  // each such number is a float
    bool loses = false;
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return ConvertedTo(kHalfType, Floating(ast, ast.FloatTy, value));
  }
  bool negative = value.isNegative();
  if (negative) value.changeSign();
  llvm::SmallString<40> digits;
  value.toString(digits);
  std::string text = digits.str().str();
  if (text.find_first_of(".eE") == std::string::npos) text += ".0";
  if (type.getCanonicalType().getUnqualifiedType() == ast.FloatTy) text += "f";
  v1::Expression literal = Literal(ast, type, text);
  return negative ? Negated(literal) : literal;
}

// The number times the imaginary unit, in the complex type of such numbers: "0.5fi", a constant of gcc and
// clang.
v1::Expression Imaginary(const clang::ASTContext& ast, clang::QualType type, const llvm::APFloat& value) {
  v1::Expression number = Floating(ast, type, value);
  v1::Expression& literal = value.isNegative() ? *number.mutable_operation()->mutable_operands(0) : number;
  const std::string complex = ValueTypeName(ast, ast.getComplexType(type));
  literal.mutable_literal()->append("i");
  literal.set_c_type(complex);
  number.set_c_type(complex);
  return number;
}

v1::Expression Complex(const clang::ASTContext& ast, clang::QualType type, const clang::APValue& value) {
  const clang::QualType component = type->castAs<clang::ComplexType>()->getElementType();
  return MakeOperation(ValueTypeName(ast, type), "+",
                       {Floating(ast, component, value.getComplexFloatReal()),
                        Imaginary(ast, component, value.getComplexFloatImag())});
}

// What INFINITY, NAN and HUGE_VAL of <math.h> stand for, in the type that they have there.
std::optional<v1::Expression> SpecialNumber(const clang::ASTContext& ast, const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr || function->getBuiltinID() == 0) return std::nullopt;
  const std::string name = function->getNameAsString();
  std::string word;
  if (name == "__builtin_inff" || name == "__builtin_inf" || name == "__builtin_huge_val" ||
      name == "__builtin_huge_valf") {
    word = "INFINITY";
  } else if (name == "__builtin_nanf" || name == "__builtin_nan") {
    const auto* kind = llvm::dyn_cast<clang::StringLiteral>(call.getArg(0)->IgnoreParenImpCasts());
    if (kind == nullptr || kind->getLength() > 0) return std::nullopt;
    word = "NAN";
  } else {
    return std::nullopt;
  }
  v1::Expression number = Literal(ast, ast.FloatTy, word);
  const std::string type = ValueTypeName(ast, call.getType());
  return ConvertedTo(type, std::move(number));
}

}  // namespace

std::optional<v1::Expression> ConstantExpression(const clang::ASTContext& ast, const clang::Expr& written) {
  const clang::Expr& expression = *written.IgnoreParens();
  clang::QualType type = expression.getType();
  if (llvm::isa<clang::IntegerLiteral>(expression) || llvm::isa<clang::FloatingLiteral>(expression)) {
    if (std::optional<std::string> text = Spelling(ast, expression.getBeginLoc()))
      return Literal(ast, type, *text);
  }
  if (type->isIntegerType()) {
    // Types below int have no literals: int stands for them, as in any C expression.
    clang::QualType wide =
        ast.getTypeSize(type) < ast.getTypeSize(ast.IntTy) ? clang::QualType(ast.IntTy) : type;
    clang::Expr::EvalResult result;
    if (expression.EvaluateAsInt(result, ast)) return Integer(ast, wide, result.Val.getInt());
  }
  if (type->isRealFloatingType() && llvm::isa<clang::FloatingLiteral>(expression)) {
    return Floating(ast, type, llvm::cast<clang::FloatingLiteral>(expression).getValue());
  }
  if (const auto* imaginary = llvm::dyn_cast<clang::ImaginaryLiteral>(&expression)) {
    const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(imaginary->getSubExpr()->IgnoreParens());
    if (number != nullptr) return Imaginary(ast, number->getType(), number->getValue());
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) return SpecialNumber(ast, *call);
  const clang::VarDecl* variable = NamedVariable(&expression);
  const clang::Expr* initializer = variable == nullptr ? nullptr : ConstantInitializer(ast, variable);
  if (initializer == nullptr) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!initializer->EvaluateAsRValue(result, ast) || result.HasSideEffects) return std::nullopt;
  if (result.Val.isInt() && variable->getType()->isIntegerType()) {
    clang::QualType wide =
        ast.getTypeSize(type) < ast.getTypeSize(ast.IntTy) ? clang::QualType(ast.IntTy) : type;
    return Integer(ast, wide, result.Val.getInt());
  }
  if (result.Val.isFloat() && result.Val.getFloat().isFinite())
    return Floating(ast, variable->getType(), result.Val.getFloat());
  if (result.Val.isComplexFloat() && result.Val.getComplexFloatReal().isFinite() &&
      result.Val.getComplexFloatImag().isFinite() && IsComplexOfFloats(variable->getType()))
    return Complex(ast, variable->getType(), result.Val);
  return std::nullopt;
}

}  // namespace tune
