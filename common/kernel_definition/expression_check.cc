#include "common/kernel_definition/expression_check.h"

#include "absl/strings/ascii.h"
#include "common/base/plain_text.h"
#include "common/expression/compiled_expression.h"

namespace tune {

bool IsIdentifier(absl::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

absl::Status CheckExpression(absl::string_view text, const NamedValues& names) {
  const std::string quoted = absl::StrCat("\"", EscapeLine(text), "\"");
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  if (!expression.ok()) return Annotate(expression.status(), quoted);
  std::vector<std::string> known;
  for (const auto& [name, value] : names) known.push_back(name);
  return Annotate(CompiledExpression::Compile(*expression, known).status(), quoted);
}

}  // namespace tune
