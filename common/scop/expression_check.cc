#include "common/scop/expression_check.h"

#include "absl/strings/escaping.h"
#include "common/array/element_type.h"
#include "common/isl/spaces.h"
#include "common/program/statement_value.h"
#include "common/scop/c_functions.h"
#include "common/scop/c_tokens.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

constexpr int kDeepest = 200;

// Number of operands of a C operator: bit 1 set when one is possible, bit 2 for two, bit 3 for three.
int PossibleOperands(const std::string& op) {
  static const std::map<std::string, int> kOperands = {
      {"-", 6},  {"+", 6}, {"!", 2},  {"~", 2},  {"*", 4},  {"/", 4},       {"%", 4},           {"<", 4},
      {"<=", 4}, {">", 4}, {">=", 4}, {"==", 4}, {"!=", 4}, {"&&", 4},      {"||", 4},          {"&", 4},
      {"|", 4},  {"^", 4}, {"<<", 4}, {">>", 4}, {"?:", 8}, {kRealPart, 2}, {kImaginaryPart, 2}};
  const auto found = kOperands.find(op);
  return found == kOperands.end() ? 0 : found->second;
}

class ExpressionCheck {
 public:
  ExpressionCheck(const ParsedStatement& statement, const AffineParser& parse)
      : statement_(statement), parse_(parse) {}

  absl::Status Check(const v1::Expression& value, int depth) const {
    if (depth > kDeepest) return Invalid(absl::StrCat("nested deeper than ", kDeepest));
    if (!value.c_type().empty()) TUNE_RETURN_IF_ERROR(CheckType(value.c_type()));
    switch (value.kind_case()) {
      case v1::Expression::kLiteral:
        if (IsCConstant(value.literal()) || IsSpecialNumber(value.literal())) return absl::OkStatus();
        return Invalid(absl::StrCat("no C constant: \"", absl::CHexEscape(value.literal()), "\""));
      case v1::Expression::kAccess:
        return CheckAccess(value.access(), /*of_data=*/false);
      case v1::Expression::kAffine:
        return CheckAffine(value.affine());
      case v1::Expression::kOperation:
        if (value.operation().op() == kElementOf) return CheckElement(value.operation(), depth);
        if (value.operation().op() == kUpdateOf) return CheckUpdate(value.operation(), depth);
        TUNE_RETURN_IF_ERROR(CheckOperator(value.operation()));
        return CheckAll(value.operation().operands(), depth);
      case v1::Expression::kCall:
        TUNE_RETURN_IF_ERROR(CheckFunction(value.call()));
        return CheckAll(value.call().arguments(), depth);
      case v1::Expression::kCast:
        TUNE_RETURN_IF_ERROR(CheckType(value.cast().c_type()));
        return Check(value.cast().operand(), depth + 1);
      case v1::Expression::KIND_NOT_SET:
        break;
    }
    return Invalid("missing, or has an empty operand");
  }

 private:
  absl::Status Invalid(const std::string& why) const {
    return absl::InvalidArgumentError(absl::StrCat("scop, statement ", statement_.name, ", value: ", why));
  }

  absl::Status CheckAll(const google::protobuf::RepeatedPtrField<v1::Expression>& values, int depth) const {
    for (const v1::Expression& value : values) TUNE_RETURN_IF_ERROR(Check(value, depth + 1));
    return absl::OkStatus();
  }

  absl::Status CheckAccess(int index, bool of_data) const {
    if (index < 0 || index >= statement_.proto->accesses_size()) {
      return Invalid(absl::StrCat("there is no access ", index));
    }
    if (statement_.proto->accesses(index).kind() != v1::Access::READ)
      return Invalid(absl::StrCat("access ", index, " is not a read"));
    if (statement_.accesses[index].of_data == of_data) return absl::OkStatus();
    return Invalid(absl::StrCat("access ", index, " stands with subscripts here, and without elsewhere"));
  }

  // (access, subscript...)
  absl::Status CheckElement(const v1::Operation& operation, int depth) const {
    if (operation.operands_size() < 2 || !operation.operands(0).has_access())
      return Invalid("an element without subscripts, or of what is no access");
    const int access = operation.operands(0).access();
    TUNE_RETURN_IF_ERROR(CheckAccess(access, /*of_data=*/true));
    return CheckSubscripts(operation, access, depth);
  }

  // (value, subscript...)
  absl::Status CheckUpdate(const v1::Operation& operation, int depth) const {
    const v1::Statement& proto = *statement_.proto;
    if (depth > 0) return Invalid("subscripts of what is no statement's target");
    if (operation.operands_size() < 2) return Invalid("a target without subscripts");
    TUNE_RETURN_IF_ERROR(Check(operation.operands(0), depth + 1));
    return CheckSubscripts(operation, proto.target(), depth);
  }

  // All operands but the first.
  absl::Status CheckSubscripts(const v1::Operation& operation, int access, int depth) const {
    const auto dimensions = static_cast<int>(statement_.accesses[access].relation.range_tuple_dim());
    if (operation.operands_size() != dimensions + 1)
      return Invalid(absl::StrCat("access ", access, " has ", dimensions, " subscripts"));
    for (int i = 1; i <= dimensions; ++i) {
      const v1::Expression& subscript = operation.operands(i);
      const std::string& type = subscript.c_type();
      if (type.empty() || type == "float" || type == "double" || type == kHalfType || IsComplexType(type))
        return Invalid("a subscript is no integer");
      TUNE_RETURN_IF_ERROR(Check(subscript, depth + 1));
    }
    return absl::OkStatus();
  }

  absl::Status CheckAffine(const std::string& text) const {
    TUNE_ASSIGN_OR_RETURN(const isl::pw_aff affine, parse_(text));
    const isl::set domain = affine.domain();
    const isl::set& instances = statement_.domain;
    const bool defined = IsParameterDomain(domain)
                             ? instances.params().is_subset(domain)
                             : HasEqualSpace(domain, instances) && instances.is_subset(domain);
    if (defined) return absl::OkStatus();
    return Invalid(absl::StrCat("not defined for every instance of the statement: ", text));
  }

  absl::Status CheckType(const std::string& type) const {
    if (IsArithmeticType(type)) return absl::OkStatus();
    return Invalid(absl::StrCat("no type of numbers: \"", absl::CHexEscape(type), "\""));
  }

  absl::Status CheckFunction(const v1::Call& call) const {
    const std::string name = absl::CHexEscape(call.function());
    const int arguments = ArgumentsOf(call.function());
    if (arguments == 0) return Invalid(absl::StrCat("\"", name, "\" is no function that a region may call"));
    if (call.arguments_size() == arguments) return absl::OkStatus();
    return Invalid(absl::StrCat(name, "() with ", call.arguments_size(), " arguments"));
  }

  absl::Status CheckOperator(const v1::Operation& operation) const {
    const int possible = PossibleOperands(operation.op());
    if (possible == 0) return Invalid(absl::StrCat("unknown operator \"", operation.op(), "\""));
    const int count = operation.operands_size();
    if (count <= 3 && (possible & (1 << count)) != 0) return absl::OkStatus();
    if (count >= 3 && operation.op() == "+") return absl::OkStatus();  // from left to right
    return Invalid(absl::StrCat("operator \"", operation.op(), "\" with ", count, " operands"));
  }

  const ParsedStatement& statement_;
  const AffineParser& parse_;
};

}  // namespace

absl::Status CheckExpression(const ParsedStatement& statement, const v1::Expression& value,
                             const AffineParser& parse) {
  return ExpressionCheck(statement, parse).Check(value, 0);
}

}  // namespace tune
