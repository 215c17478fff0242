#include "common/transform/split_extrema/extremum_form.h"

#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

bool HasOperator(const v1::Expression& expression, const std::string& op, int operands) {
  return expression.has_operation() && expression.operation().op() == op &&
         expression.operation().operands_size() == operands;
}

bool IsZero(const v1::Expression& expression) {
  return expression.kind_case() == v1::Expression::kLiteral && expression.literal() == "0";
}

bool IsAccessTo(const v1::Statement& statement, const v1::Expression& expression, const std::string& array) {
  return expression.kind_case() == v1::Expression::kAccess &&
         statement.accesses(expression.access()).array() == array;
}

void AppendConjuncts(const v1::Expression& condition, std::vector<v1::Expression>* all) {
  if (HasOperator(condition, "!=", 2) && IsZero(condition.operation().operands(1)))
    return AppendConjuncts(condition.operation().operands(0), all);
  if (!HasOperator(condition, "&&", 2)) return all->push_back(condition);
  for (const v1::Expression& operand : condition.operation().operands()) AppendConjuncts(operand, all);
}

struct IntegerType {
  absl::string_view name;
  int size;
  bool has_sign;  // of char, of which C does not say, also: it may have one
};
constexpr IntegerType kIntegerTypes[] = {
    {"char", 1, true},  {"signed char", 1, true},     {"unsigned char", 1, false},
    {"short", 2, true}, {"unsigned short", 2, false}, {"int", 4, true},
    {"long", 8, true},  {"unsigned int", 4, false},   {"unsigned long", 8, false}};

const IntegerType* FindInteger(absl::string_view name) {
  for (const IntegerType& type : kIntegerTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

// Whether the second type has all values of the first, and comparing numbers of both compares their values.
bool Holds(absl::string_view narrow, absl::string_view wide) {
  if (narrow == wide || (narrow == "float" && wide == "double")) return true;
  const IntegerType *first = FindInteger(narrow), *second = FindInteger(wide);
  return first != nullptr && second != nullptr && first->size < second->size &&
         (second->has_sign || !first->has_sign);
}

std::string Mirrored(const std::string& op) { return (op[0] == '<' ? ">" : "<") + op.substr(1); }

}  // namespace

v1::Expression AccessOf(int access, const std::string& c_type) {
  v1::Expression expression;
  expression.set_access(access);
  expression.set_c_type(c_type);
  return expression;
}

std::vector<v1::Expression> Conjuncts(const v1::Expression& condition) {
  std::vector<v1::Expression> all;
  AppendConjuncts(condition, &all);
  return all;
}

std::optional<KeepingForm> ReadKeepingForm(const v1::Statement& statement, const std::string& flag) {
  if (statement.kind() != v1::Statement::ASSIGN || statement.update() != v1::NONE ||
      !HasOperator(statement.value(), "?:", 3))
    return std::nullopt;
  const auto& operands = statement.value().operation().operands();
  const v1::Access& target = statement.accesses(statement.target());
  if (!IsAccessTo(statement, operands[2], target.array()) ||
      statement.accesses(operands[2].access()).relation() != target.relation())
    return std::nullopt;
  KeepingForm form;
  form.value = operands[1];
  bool has_flag = false;
  for (const v1::Expression& condition : Conjuncts(operands[0])) {
    const bool negated = HasOperator(condition, "!", 1);
    if (has_flag || !IsAccessTo(statement, negated ? condition.operation().operands(0) : condition, flag)) {
      form.besides.push_back(condition);
      continue;
    }
    has_flag = true;
    form.negated = negated;
  }
  if (!has_flag) return std::nullopt;
  return form;
}

std::optional<ExtremumComparison> ReadComparison(const v1::Statement& statement,
                                                 const v1::Expression& condition,
                                                 const std::string& extremum) {
  if (!condition.has_operation() || condition.operation().operands_size() != 2) return std::nullopt;
  const std::string& op = condition.operation().op();
  if (op != "<" && op != "<=" && op != ">" && op != ">=") return std::nullopt;
  const v1::Expression &left = condition.operation().operands(0), &right = condition.operation().operands(1);
  if (IsAccessTo(statement, right, extremum)) return ExtremumComparison{op, left};
  if (IsAccessTo(statement, left, extremum)) return ExtremumComparison{Mirrored(op), right};
  return std::nullopt;
}

std::optional<ExtremumComparison> Negated(const ExtremumComparison& comparison, v1::ElementType type) {
  if (IsFloating(type)) return std::nullopt;
  ExtremumComparison negated = comparison;
  negated.op = comparison.IsLargest() ? "<" : ">";
  if (comparison.KeepsFirst()) negated.op += "=";
  return negated;
}

bool HasValuesOf(const v1::Expression& value, v1::ElementType type) {
  if (MayExceedType(value)) return false;
  if (Holds(value.c_type(), ElementCType(type))) return true;
  // A double whose value is that of a float.
  return type == v1::ELEMENT_TYPE_FLOAT && value.has_call() && value.call().function() == "fabs" &&
         value.call().arguments_size() == 1 && value.call().arguments(0).c_type() == "float";
}

const v1::Expression& Unconverted(const v1::Expression& value, v1::ElementType type) {
  const bool converts = value.has_cast() && value.cast().c_type() == ElementCType(type);
  return converts ? value.cast().operand() : value;
}

}  // namespace tune
