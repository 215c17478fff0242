#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/program/statement_value.h"
#include "common/scop/schedule_grammar.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

std::string PrintArray(const v1::Array& array) {
  std::string text = absl::StrCat("  ", ElementCType(array.element_type()), " ", array.name());
  for (const v1::Extent& extent : array.extents()) {
    absl::StrAppend(&text, "[", extent.c_expression().empty() ? extent.accessed() : extent.c_expression(),
                    "]");
  }
  if (array.has_structure()) absl::StrAppend(&text, ", in structures");
  if (!array.object().empty()) absl::StrAppend(&text, " of ", array.object());
  if (array.is_pointer()) absl::StrAppend(&text, ", behind a pointer");
  if (array.declared_inside()) absl::StrAppend(&text, ", local");
  if (array.read_only()) absl::StrAppend(&text, ", read-only");
  return text + "\n";
}

std::string PrintExpression(const v1::Statement& statement, const v1::Expression& value);

std::string PrintList(const v1::Statement& statement,
                      const google::protobuf::RepeatedPtrField<v1::Expression>& list) {
  return absl::StrJoin(list, ", ", [&](std::string* out, const v1::Expression& each) {
    out->append(PrintExpression(statement, each));
  });
}

// "[e0][e1]" of all operands but the first.
std::string PrintSubscripts(const std::vector<std::string>& operands) {
  return absl::StrCat("[", absl::StrJoin(operands.begin() + 1, operands.end(), "]["), "]");
}

std::string PrintOperation(const v1::Statement& statement, const v1::Operation& operation) {
  std::vector<std::string> operands;
  for (const v1::Expression& operand : operation.operands())
    operands.push_back(PrintExpression(statement, operand));
  if (operation.op() == kElementOf && operands.size() > 1) return operands[0] + PrintSubscripts(operands);
  if (operation.op() == kUpdateOf && operands.size() > 1)
    return absl::StrCat(operands[0], " at ", PrintSubscripts(operands));
  if (operands.size() == 1) return absl::StrCat(operation.op(), "(", operands[0], ")");
  if (operation.op() == "?:" && operands.size() == 3)
    return absl::StrCat("(", operands[0], " ? ", operands[1], " : ", operands[2], ")");
  return absl::StrCat("(", absl::StrJoin(operands, absl::StrCat(" ", operation.op(), " ")), ")");
}

std::string PrintExpression(const v1::Statement& statement, const v1::Expression& value) {
  switch (value.kind_case()) {
    case v1::Expression::kLiteral:
      return value.literal();
    case v1::Expression::kAccess:
      if (value.access() < 0 || value.access() >= statement.accesses_size()) return "?";
      return absl::StrCat(statement.accesses(value.access()).array(), "#", value.access());
    case v1::Expression::kAffine:
      return value.affine();
    case v1::Expression::kOperation:
      return PrintOperation(statement, value.operation());
    case v1::Expression::kCall:
      return absl::StrCat(value.call().function(), "(", PrintList(statement, value.call().arguments()), ")");
    case v1::Expression::kCast:
      return absl::StrCat("(", value.cast().c_type(), ")",
                          PrintExpression(statement, value.cast().operand()));
    case v1::Expression::KIND_NOT_SET:
      return "?";
  }
  return "?";
}

std::string UpdateText(v1::UpdateOperator update) {
  switch (update) {
    case v1::ADD:
      return " += ";
    case v1::MULTIPLY:
      return " *= ";
    case v1::MIN:
      return " min= ";
    case v1::MAX:
      return " max= ";
    default:
      return " = ";
  }
}

std::string PrintStatement(const v1::Statement& statement) {
  std::string text = absl::StrCat("  ", statement.name(), " (line ", statement.line(), "): ");
  if (statement.kind() == v1::Statement::KILL) {
    absl::StrAppend(&text, "declares ", statement.accesses_size() > 0 ? statement.accesses(0).array() : "?",
                    "\n");
  } else {
    const bool known = statement.target() >= 0 && statement.target() < statement.accesses_size();
    absl::StrAppend(&text, known ? statement.accesses(statement.target()).array() : "?", "#",
                    statement.target(), UpdateText(statement.update()),
                    PrintExpression(statement, statement.value()), "\n");
  }
  absl::StrAppend(&text, "    domain  ", statement.domain(), "\n");
  for (int i = 0; i < statement.accesses_size(); ++i) {
    const v1::Access& access = statement.accesses(i);
    const char* kind = access.kind() == v1::Access::READ    ? "read  "
                       : access.kind() == v1::Access::WRITE ? "write "
                                                            : "update";
    absl::StrAppend(&text, "    ", kind, " #", i, " ", access.relation(), "\n");
  }
  return text;
}

// The tree in isl's indented form; the text itself when it is not a schedule tree.
std::string PrintSchedule(const std::string& schedule) {
  if (!CheckScheduleNotation(schedule).ok()) return absl::StrCat(schedule, "\n");
  IslContext context;
  const absl::StatusOr<std::string> text = context.Run("printing", [&]() -> absl::StatusOr<std::string> {
    return IndentedText(isl::schedule(context.ctx(), schedule));
  });
  return text.ok() ? *text : absl::StrCat(schedule, "\n");
}

}  // namespace

std::string PrintScop(const v1::Scop& scop) {
  std::string text = absl::StrCat("scop ", scop.name(), "\nparameters\n");
  for (const v1::Parameter& parameter : scop.parameters()) {
    const std::string product =
        parameter.factors().empty() ? "" : absl::StrCat(" = ", absl::StrJoin(parameter.factors(), " * "));
    absl::StrAppend(&text, "  ", parameter.c_type(), " ", parameter.name(), product, "\n");
  }
  absl::StrAppend(&text, "context\n  ", scop.context(), "\narrays\n");
  for (const v1::Array& array : scop.arrays()) text += PrintArray(array);
  absl::StrAppend(&text, "statements\n");
  for (const v1::Statement& statement : scop.statements()) text += PrintStatement(statement);
  absl::StrAppend(&text, "schedule\n", PrintSchedule(scop.schedule()));
  return text;
}

}  // namespace tune
