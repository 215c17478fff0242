#include "common/work/statement_operations.h"

#include <algorithm>
#include <functional>
#include <set>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/isl/relations.h"
#include "common/isl/value.h"
#include "common/program/statement_value.h"
#include "common/scop/expression_parts.h"
#include "common/work/point_count.h"

namespace tune {
namespace {

// Instances whose operands are the same are counted of expressions with so many operands at most.
constexpr size_t kMostCounted = 16;

enum class Precision { kNone, kFloat, kDouble };

Precision PrecisionOf(absl::string_view c_type) {
  if (c_type == "float" || c_type == kHalfType || c_type == kComplexFloatType) return Precision::kFloat;
  return c_type == "double" || c_type == kComplexDoubleType || c_type == "long double" ? Precision::kDouble
                                                                                       : Precision::kNone;
}

bool IsComparison(const std::string& op) {
  static const std::set<std::string>* const kOperators =
      new std::set<std::string>{"<", "<=", ">", ">=", "==", "!="};
  return kOperators->count(op) > 0;
}

// What is calculated in, kNone: nothing is, or in integers.
Precision PrecisionOf(const v1::Expression& expression) {
  if (expression.has_call()) return PrecisionOf(expression.c_type());
  if (!expression.has_operation()) return Precision::kNone;
  const v1::Operation& operation = expression.operation();
  if (IsComparison(operation.op())) {
    return std::max(PrecisionOf(operation.operands(0).c_type()), PrecisionOf(operation.operands(1).c_type()));
  }
  const bool arithmetic = operation.operands_size() >= 2 &&
                          absl::string_view("+-*/").find(operation.op()) != absl::string_view::npos;
  return arithmetic ? PrecisionOf(expression.c_type()) : Precision::kNone;
}

// Real operations of one on complex numbers: a product has four and their two sums, but with a real number
// two.
int RealOperations(const v1::Operation& operation) {
  if (operation.op() != "*" && operation.op() != "/") return 2;
  const bool mixed =
      !IsComplexType(operation.operands(0).c_type()) || !IsComplexType(operation.operands(1).c_type());
  return mixed ? 2 : 6;
}

// What one evaluation of it calculates besides its parts: a sum of many terms is one expression.
int CalculationsOf(const v1::Expression& expression) {
  if (PrecisionOf(expression) == Precision::kNone) return 0;
  const bool is_complex = expression.has_operation() && IsComplexType(expression.c_type());
  return std::max(1, expression.operation().operands_size() - 1) *
         (is_complex ? RealOperations(expression.operation()) : 1);
}

int AsWritten(const v1::Expression& expression) {
  const std::string& op = expression.operation().op();
  const auto operand = [&](int index) { return AsWritten(expression.operation().operands(index)); };
  if (op == "?:") return operand(0) + std::min(operand(1), operand(2));
  if (op == "&&" || op == "||") return operand(0);
  int count = CalculationsOf(expression);
  ForEachPart(expression, [&](const v1::Expression& each) { count += AsWritten(each); });
  return count;
}

// Of the operator of an update.
Precision PrecisionOfUpdate(const ParsedScop& scop, const ParsedStatement& statement) {
  const v1::Statement& proto = *statement.proto;
  if (proto.update() == v1::NONE) return Precision::kNone;
  const v1::ElementType type = scop.array(statement.target().array).element_type();
  return std::max(PrecisionOf(AssignedValue(proto).c_type()), PrecisionOf(ElementCType(type)));
}

// Of an update that PrecisionOfUpdate has.
int CalculationsOfUpdate(const ParsedScop& scop, const ParsedStatement& statement) {
  if (!IsComplex(scop.array(statement.target().array).element_type())) return 1;
  const bool product = statement.proto->update() == v1::MULTIPLY;
  return product && IsComplexType(AssignedValue(*statement.proto).c_type()) ? 6 : 2;
}

class OperationCounter {
 public:
  OperationCounter(const ParsedScop& scop, const ParsedStatement& statement, const isl::set& values)
      : scop_(scop), statement_(statement), values_(values), domain_(At(statement.domain)) {}

  OperationCounts Count() {
    instances_ = Points(domain_);
    Add(PrecisionOfUpdate(scop_, statement_), instances_ * CalculationsOfUpdate(scop_, statement_));
    Visit(statement_.proto->value());
    return counts_;
  }

 private:
  isl::set At(const isl::set& set) const { return set.intersect_params(values_).project_out_all_params(); }
  static double Points(const isl::set& set) { return ToDouble(CountPoints(set)); }

  void Add(Precision precision, double count) {
    if (precision == Precision::kFloat) counts_.in_float += count;
    if (precision == Precision::kDouble) counts_.in_double += count;
  }

  // An expression that every instance evaluates.
  void Visit(const v1::Expression& expression) {
    if (!seen_.insert(Key(expression)).second) return;
    const std::string& op = expression.operation().op();
    if (op == "?:") {
      Visit(expression.operation().operands(0));
      const OperationCounts least = OfBranch(expression);
      counts_.in_float += instances_ * least.in_float;
      counts_.in_double += instances_ * least.in_double;
    } else if (op == "&&" || op == "||") {
      Visit(expression.operation().operands(0));
    } else {
      ForEachPart(expression, [&](const v1::Expression& operand) { Visit(operand); });
      const Precision precision = PrecisionOf(expression);
      if (precision != Precision::kNone) Add(precision, CalculationsOf(expression) * Executions(expression));
    }
  }

  // The least that one instance does for the second and third operand of a ?:. What depends on read-only
  // arrays alone may have been done for another instance.
  OperationCounts OfBranch(const v1::Expression& choice) const {
    const OperationCounts first = OfInstance(choice.operation().operands(1));
    const OperationCounts second = OfInstance(choice.operation().operands(2));
    return {std::min(first.in_float, second.in_float), std::min(first.in_double, second.in_double)};
  }

  OperationCounts OfInstance(const v1::Expression& expression) const {
    std::set<std::string> seen = seen_;
    OperationCounts counts;
    const std::function<void(const v1::Expression&)> visit = [&](const v1::Expression& part) {
      if (!seen.insert(Key(part)).second || IsConstant(part)) return;
      const std::string& op = part.operation().op();
      if (op == "?:" || op == "&&" || op == "||") return visit(part.operation().operands(0));
      ForEachPart(part, visit);
      (PrecisionOf(part) == Precision::kFloat ? counts.in_float : counts.in_double) += CalculationsOf(part);
    };
    visit(expression);
    return counts;
  }

  // Equal for expressions that have one value in an instance.
  std::string Key(const v1::Expression& expression) const {
    std::vector<std::string> parts = {expression.c_type(), expression.literal(), expression.affine(),
                                      expression.operation().op(), expression.call().function()};
    if (expression.kind_case() == v1::Expression::kAccess)
      parts.push_back(statement_.proto->accesses(expression.access()).relation());
    ForEachPart(expression, [&](const v1::Expression& operand) { parts.push_back(Key(operand)); });
    return absl::StrCat("(", absl::StrJoin(parts, ";"), ")");
  }

  // Whether its value depends only on iterators, parameters and arrays that the region does not write.
  bool IsConstant(const v1::Expression& expression) const {
    if (expression.kind_case() == v1::Expression::kAccess)
      return scop_.array(statement_.accesses[expression.access()].array).read_only();
    bool constant = true;
    ForEachPart(expression,
                [&](const v1::Expression& operand) { constant = constant && IsConstant(operand); });
    return constant;
  }

  double Executions(const v1::Expression& expression) const {
    if (!IsConstant(expression)) return instances_;
    std::vector<isl::map> operands;
    CollectOperands(expression, &operands);
    if (operands.empty()) return 0;  // the compiler knows its value
    if (operands.size() > kMostCounted) return instances_;
    isl::map all = operands[0];
    for (size_t i = 1; i < operands.size(); ++i) all = FlatRangeProduct(all, operands[i]);
    return Points(At(all.intersect_domain(statement_.domain).range()));
  }

  // { S -> A } and { S -> [value] } of all that it is made of.
  void CollectOperands(const v1::Expression& expression, std::vector<isl::map>* operands) const {
    if (expression.kind_case() == v1::Expression::kAccess) {
      const ParsedAccess& access = statement_.accesses[expression.access()];
      if (!access.of_data) operands->push_back(access.relation);
    } else if (!expression.affine().empty()) {
      operands->push_back(isl::pw_aff(domain_.ctx(), expression.affine()).as_map());
    }
    ForEachPart(expression, [&](const v1::Expression& operand) { CollectOperands(operand, operands); });
  }

  const ParsedScop& scop_;
  const ParsedStatement& statement_;
  const isl::set& values_;
  const isl::set domain_;
  double instances_ = 0;
  OperationCounts counts_;
  std::set<std::string> seen_;
};

}  // namespace

OperationCounts CountOperations(const ParsedScop& scop, const ParsedStatement& statement,
                                const isl::set& values) {
  if (statement.kind == v1::Statement::KILL) return {};
  return OperationCounter(scop, statement, values).Count();
}

int OperationsAsWritten(const ParsedScop& scop, const ParsedStatement& statement) {
  if (statement.kind == v1::Statement::KILL) return 0;
  const int update =
      PrecisionOfUpdate(scop, statement) == Precision::kNone ? 0 : CalculationsOfUpdate(scop, statement);
  return update + AsWritten(statement.proto->value());
}

}  // namespace tune
