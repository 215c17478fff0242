#include "common/scop/scop_texts.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/scop/isl_bounds.h"
#include "common/scop/isl_grammar.h"
#include "common/scop/schedule_grammar.h"

namespace tune {
namespace {

constexpr int kMostArrays = 1000, kMostStatements = 1000;
constexpr int kMostAccesses = 10'000;      // of all statements
constexpr int kDeepestExpression = 200;    // levels
constexpr size_t kLongestTexts = 4 << 20;  // bytes of all sets and relations
constexpr size_t kShownText = 200;         // bytes of a text in a message

absl::Status BadText(const std::string& where, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("scop, ", where, ": ", why));
}

class TextsCheck {
 public:
  absl::Status Check(const v1::Scop& scop) {
    TUNE_RETURN_IF_ERROR(CheckCounts(scop));
    TUNE_RETURN_IF_ERROR(Text(IslKind::kContext, scop.context(), "context"));
    for (const v1::Array& array : scop.arrays()) TUNE_RETURN_IF_ERROR(Array(array));
    for (const v1::Statement& statement : scop.statements()) TUNE_RETURN_IF_ERROR(Statement(statement));
    if (scop.schedule().empty()) return BadText("schedule", "missing");
    const absl::Status tree = CheckScheduleNotation(scop.schedule());
    if (!tree.ok())
      return BadText("schedule", absl::StrCat("not a tree in isl's notation: ", tree.message()));
    return absl::OkStatus();
  }

 private:
  static absl::Status CheckCounts(const v1::Scop& scop) {
    if (scop.parameters_size() > kMostIslParameters)
      return BadText("parameters", absl::StrCat("more than ", kMostIslParameters));
    if (scop.arrays_size() > kMostArrays) return BadText("arrays", absl::StrCat("more than ", kMostArrays));
    if (scop.statements_size() > kMostStatements)
      return BadText("statements", absl::StrCat("more than ", kMostStatements));
    int accesses = 0;
    for (const v1::Statement& statement : scop.statements()) accesses += statement.accesses_size();
    if (accesses > kMostAccesses)
      return BadText("statements", absl::StrCat("more than ", kMostAccesses, " accesses"));
    return absl::OkStatus();
  }

  absl::Status Text(IslKind kind, const std::string& text, const std::string& where) {
    bytes_ += text.size();
    if (bytes_ > kLongestTexts)
      return BadText(where,
                     absl::StrCat("the scop's sets and relations are longer than ", kLongestTexts, " bytes"));
    if (text.empty()) return BadText(where, "missing");
    const absl::Status status = CheckIslText(kind, text);
    if (status.ok()) return status;
    return BadText(where, absl::StrCat("not in isl's notation: ", status.message(), ": ",
                                       absl::CHexEscape(text.substr(0, kShownText))));
  }

  absl::Status Array(const v1::Array& array) {
    for (int i = 0; i < array.extents_size(); ++i) {
      const std::string& accessed = array.extents(i).accessed();
      if (accessed.empty()) continue;
      TUNE_RETURN_IF_ERROR(Text(IslKind::kAffine, accessed,
                                absl::StrCat("array \"", absl::CHexEscape(array.name()), "\", extent ", i)));
    }
    return absl::OkStatus();
  }

  absl::Status Statement(const v1::Statement& statement) {
    const std::string line = statement.line() > 0 ? absl::StrCat("line ", statement.line(), ", ") : "";
    const std::string where = absl::StrCat(line, "statement ", absl::CHexEscape(statement.name()), ", ");
    TUNE_RETURN_IF_ERROR(Text(IslKind::kSet, statement.domain(), where + "domain"));
    for (int i = 0; i < statement.accesses_size(); ++i) {
      TUNE_RETURN_IF_ERROR(
          Text(IslKind::kRelation, statement.accesses(i).relation(), absl::StrCat(where, "access ", i)));
    }
    return Value(statement.value(), where + "value", 0);
  }

  absl::Status Value(const v1::Expression& value, const std::string& where, int depth) {
    if (depth > kDeepestExpression)
      return BadText(where, absl::StrCat("nested deeper than ", kDeepestExpression));
    if (value.has_affine()) return Text(IslKind::kAffine, value.affine(), where);
    for (const v1::Expression& operand : value.operation().operands())
      TUNE_RETURN_IF_ERROR(Value(operand, where, depth + 1));
    for (const v1::Expression& argument : value.call().arguments())
      TUNE_RETURN_IF_ERROR(Value(argument, where, depth + 1));
    return value.has_cast() ? Value(value.cast().operand(), where, depth + 1) : absl::OkStatus();
  }

  size_t bytes_ = 0;
};

}  // namespace

absl::Status CheckScopTexts(const v1::Scop& scop) { return TextsCheck().Check(scop); }

}  // namespace tune
