#include "worker/print/statement_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/array/element_type.h"
#include "common/program/atomic_update.h"
#include "common/program/guarded_update.h"
#include "common/program/statement_value.h"
#include "common/scop/c_functions.h"
#include "common/scop/c_tokens.h"
#include "common/scop/expression_parts.h"
#include "worker/print/atomic_text.h"
#include "worker/print/bit_function_text.h"
#include "worker/print/complex_text.h"
#include "worker/print/half_text.h"

namespace tune {
namespace {

bool HasCall(const v1::Expression& expression) {
  const auto any = [](const auto& parts) { return std::any_of(parts.begin(), parts.end(), HasCall); };
  switch (expression.kind_case()) {
    case v1::Expression::kCall:
      return true;
    case v1::Expression::kOperation:
      return any(expression.operation().operands());
    case v1::Expression::kCast:
      return HasCall(expression.cast().operand());
    default:
      return false;
  }
}

}  // namespace

StatementPrinter::StatementPrinter(const v1::Scop& scop, IndexPrinter* indices) : indices_(indices) {
  for (const v1::Array& array : scop.arrays()) types_[array.name()] = array.element_type();
  for (const v1::Statement& statement : scop.statements()) {
    statements_[statement.name()] = &statement;
    if (statement.accesses_size() > 0 && IsAtomicUpdate(scop, statement)) atomic_.insert(statement.name());
    if (const v1::Expression* guard = tune::GuardOf(scop, statement)) guards_[statement.name()] = guard;
    size_t place = 0;
    for (const v1::Expression* expression : AffineExpressions(statement.value()))
      affine_[expression] = place++;
  }
}

std::string StatementPrinter::Print(const Instance& instance) {
  const std::string guard = Guard(instance);
  return guard.empty() ? Change(instance) : absl::StrCat(guard, " ", Change(instance));
}

std::string StatementPrinter::Guard(const Instance& instance) {
  const v1::Expression* const guard = GuardOf(instance);
  return guard == nullptr ? "" : absl::StrCat("if (", Value(instance, *guard).text, ")");
}

std::string StatementPrinter::Change(const Instance& instance) {
  held_ = GuardOf(instance);
  std::string text = ChangeText(instance);
  held_ = nullptr;
  return text;
}

// A scalar of a device is in a register.
const v1::Expression* StatementPrinter::GuardOf(const Instance& instance) const {
  const auto guard = guards_.find(instance.statement);
  if (guard == guards_.end()) return nullptr;
  const v1::Statement& statement = this->statement(instance);
  const bool is_element =
      !instance.accesses[statement.target()].subscripts.empty() || !TargetSubscripts(statement).empty();
  const bool wanted = for_device_ ? is_element : instance.guarded;
  return wanted && TouchesOwnTarget(statement, instance) ? guard->second : nullptr;
}

std::string StatementPrinter::ChangeText(const Instance& instance) {
  const v1::Statement& statement = this->statement(instance);
  const CText target = Target(instance);
  const v1::Expression& value = AssignedValue(statement);
  if (for_device_ && IsAtomic(instance)) {
    return AtomicUpdateText(statement.update(), types_.at(statement.accesses(statement.target()).array()),
                            target.text, Value(instance, value).text);
  }
  switch (statement.update()) {
    case v1::MULTIPLY:
      return Assign(instance, "*", target, Value(instance, value));
    case v1::MIN:
    case v1::MAX:
      return Extremum(instance, target);
    case v1::ADD:
      if (value.kind_case() == v1::Expression::kOperation && value.operation().op() == "-" &&
          value.operation().operands_size() == 1) {
        return Assign(instance, "-", target, Value(instance, value.operation().operands(0)));
      }
      return Assign(instance, "+", target, Value(instance, value));
    default:
      return Assign(instance, "", target, Value(instance, value));
  }
}

CText StatementPrinter::Target(const Instance& instance) {
  const v1::Statement& statement = this->statement(instance);
  const ElementAccess& access = instance.accesses[statement.target()];
  const std::vector<const v1::Expression*> subscripts = TargetSubscripts(statement);
  if (subscripts.empty()) return indices_->PrintAccess(access);
  std::vector<CText> texts;
  for (const v1::Expression* subscript : subscripts) texts.push_back(Value(instance, *subscript));
  return indices_->PrintElement(access.array, texts);
}

CText StatementPrinter::Element(const Instance& instance, const v1::Operation& element) {
  std::vector<CText> subscripts;
  for (int i = 1; i < element.operands_size(); ++i)
    subscripts.push_back(Value(instance, element.operands(i)));
  return indices_->PrintElement(instance.accesses[element.operands(0).access()].array, subscripts);
}

std::string StatementPrinter::Assign(const Instance& instance, absl::string_view op, const CText& target,
                                     const CText& value) const {
  if (!instance.atomic || !for_device_) return absl::StrCat(target.text, " ", op, "= ", value.text, ";");
  const v1::Statement& statement = this->statement(instance);
  const v1::ElementType type = types_.at(statement.accesses(statement.target()).array());
  return AtomicStoreText(type, target.text, op.empty() ? value.text : BinaryText(op, target, value).text);
}

// x = e < x ? e : x, which keeps x where e is no number; a value that calls functions is computed once,
// before.
std::string StatementPrinter::Extremum(const Instance& instance, const CText& target) {
  const v1::Statement& statement = this->statement(instance);
  const absl::string_view op = statement.update() == v1::MIN ? "<" : ">";
  const CText value = Value(instance, AssignedValue(statement));
  const bool once = HasCall(AssignedValue(statement));
  const CText compared = once ? CText{indices_->names().value} : value;
  std::string assignment =
      Assign(instance, "", target, ConditionalText(BinaryText(op, compared, target), compared, target));
  if (!once) return assignment;
  return absl::StrCat("{ const ", AssignedValue(statement).c_type(), " ", indices_->names().value, " = ",
                      value.text, "; ", assignment, " }");
}

CText StatementPrinter::Value(const Instance& instance, const v1::Expression& expression) {
  switch (expression.kind_case()) {
    case v1::Expression::kLiteral:
      return Literal(expression);
    case v1::Expression::kAccess:
      return indices_->PrintAccess(instance.accesses[expression.access()]);
    case v1::Expression::kAffine:
      return Affine(instance, expression);
    case v1::Expression::kCast:
      return Cast(instance, expression.cast());
    case v1::Expression::kCall:
      return Call(instance, expression.call());
    default:
      return OperationText(instance, expression);
  }
}

CText StatementPrinter::Cast(const Instance& instance, const v1::Cast& cast) {
  const std::string& c_type = cast.c_type();
  CText value = Value(instance, cast.operand());
  if (!for_device_) return CastText(c_type, value);
  if (IsComplexType(c_type)) return ComplexOf(c_type, value, indices_->names());
  if (IsComplexType(cast.operand().c_type())) value = PartText(kRealPart, value);
  return c_type == kHalfType ? NearestHalf(value, indices_->names()) : CastText(c_type, value);
}

// On the device those of _Float16, of which intermediate values are floats, are floats as well.
CText StatementPrinter::Literal(const v1::Expression& expression) const {
  absl::string_view text = expression.literal();
  if (IsSpecialNumber(text)) return SpecialNumber(std::string(text));
  if (for_device_ && IsComplexType(expression.c_type())) return ImaginaryText(expression.c_type(), text);
  if (for_device_ && expression.c_type() == kHalfType) absl::ConsumeSuffix(&text, "16");
  return {std::string(text), text[0] == '-' || text[0] == '+' ? CText::kUnary : CText::kPostfix};
}

// Without the macro, whose header the user's file may not have; on the device by its bits.
CText StatementPrinter::SpecialNumber(const std::string& name) const {
  const bool infinity = name == "INFINITY";
  if (for_device_) return CallText("__int_as_float", {CText{infinity ? "0x7f800000" : "0x7fc00000"}});
  return CallText(infinity ? "__builtin_inff" : "__builtin_nanf",
                  infinity ? std::vector<CText>() : std::vector<CText>{CText{"\"\""}});
}

CText StatementPrinter::Call(const Instance& instance, const v1::Call& call) {
  const std::vector<absl::string_view> types = ParameterTypes(call.function());
  std::vector<CText> arguments;
  for (int i = 0; i < call.arguments_size(); ++i) {
    const CText text = Value(instance, call.arguments(i));
    // What takes numbers of several types would on the device have to choose one for those of _Float16.
    const absl::string_view type = i < static_cast<int>(types.size())                       ? types[i]
                                   : for_device_ && call.arguments(i).c_type() == kHalfType ? "float"
                                                                                            : "";
    const bool converts = !type.empty() && call.arguments(i).c_type() != type;
    const bool to_complex = for_device_ && IsComplexType(type);
    arguments.push_back(!converts    ? text
                        : to_complex ? ComplexOf(std::string(type), text, indices_->names())
                                     : CastText(type, text));
  }
  // Without <complex.h>, whose words may be names of the program.
  const bool is_complex = !types.empty() && IsComplexType(types[0]);
  if (!for_device_ && is_complex)
    return CallText(absl::StrCat("__builtin_", absl::StripPrefix(call.function(), "__builtin_")), arguments);
  if (!for_device_) return CallText(call.function(), arguments);
  if (const auto bits = BitFunctionText(call.function(), arguments[0])) return *bits;
  const absl::string_view name = absl::StripPrefix(call.function(), "__builtin_");
  if (is_complex) return ComplexCall(name, arguments[0], indices_->names());
  if (name != "isinf_sign") return CallText(name, arguments);
  const CText sign = ConditionalText(BinaryText("<", arguments[0], {"0"}), {"-1", CText::kUnary}, {"1"});
  return ConditionalText(CallText("isinf", arguments), sign, {"0"});
}

CText StatementPrinter::OperationText(const Instance& instance, const v1::Expression& expression) {
  const v1::Operation& operation = expression.operation();
  if (operation.op() == kElementOf) return Element(instance, operation);
  if (held_ != nullptr && operation.op() == "?:" && IsSame(operation.operands(0), *held_))
    return Value(instance, operation.operands(1));
  std::vector<CText> operands;
  for (const v1::Expression& operand : operation.operands()) operands.push_back(Value(instance, operand));
  if (operation.op() == "?:") return Choice(expression, operands);
  if (operation.op() == kRealPart || operation.op() == kImaginaryPart)
    return for_device_ ? PartText(operation.op(), operands[0]) : CallText(operation.op(), operands);
  if (operands.size() == 1) return UnaryText(operation.op(), operands[0]);
  CText text = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) text = BinaryText(operation.op(), text, operands[i]);
  return text;
}

// Where one value is an integer, C++ would make an integer of the device's _Float16; C has a float. Of a
// complex and a real number C++ makes nothing.
CText StatementPrinter::Choice(const v1::Expression& choice, std::vector<CText> operands) const {
  const auto type_of = [&](int operand) { return choice.operation().operands(operand).c_type(); };
  const auto is_half = [&](int operand) { return type_of(operand) == kHalfType; };
  if (for_device_ && is_half(1) != is_half(2)) {
    CText& half = operands[is_half(1) ? 1 : 2];
    half = CastText("float", half);
  }
  for (const int operand : {1, 2}) {
    if (for_device_ && IsComplexType(choice.c_type()) && type_of(operand) != choice.c_type())
      operands[operand] = ComplexOf(choice.c_type(), operands[operand], indices_->names());
  }
  return ConditionalText(operands[0], operands[1], operands[2]);
}

CText StatementPrinter::Affine(const Instance& instance, const v1::Expression& expression) {
  const IndexExpression& value = instance.affine[affine_.at(&expression)];
  if (value.IsConstant()) return IntegerText(value.value, expression.c_type());
  const CText text = indices_->Print(value);
  return expression.c_type() == indices_->index_type() ? text : CastText(expression.c_type(), text);
}

}  // namespace tune
