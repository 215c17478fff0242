#include "common/kernel_definition/expression_check.h"

#include "common/base/plain_text.h"
#include "common/expression/compiled_expression.h"

namespace tune {

absl::Status CheckExpression(absl::string_view text, const NamedValues& names) {
  const std::string quoted = absl::StrCat("\"", EscapeLine(text), "\"");
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  if (!expression.ok()) return Annotate(expression.status(), quoted);
  std::vector<std::string> known;
  for (const auto& [name, value] : names) known.push_back(name);
  return Annotate(CompiledExpression::Compile(*expression, known).status(), quoted);
}

}  // namespace tune
