// Several assignments in one statement, and choices that are statements.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteCommaAndChoice(FormWriter& writer) {
  RandomExpressions& expressions = writer.expressions();
  const std::optional<std::string> a = expressions.Access(/*integer=*/false, /*write=*/true);
  const std::optional<std::string> b = expressions.Access(/*integer=*/false, /*write=*/true);
  if (!a || !b) return writer.Assignment();
  const std::string first = absl::StrCat(*a, " = ", writer.Value(1));
  const std::string second = absl::StrCat(*b, writer.Chance(50) ? " += " : " = ", writer.Value(1));
  switch (writer.Pick(4)) {
    case 0:
      return writer.Line(first, ", ", second, ";");
    case 1:
      return writer.Line("(", writer.Condition(), ") ? (", first, ") : (", second, ");");
    case 2:
      return writer.Line("(", writer.Condition(), ") ", writer.Chance(50) ? "&&" : "||", " (", first, ");");
    default:
      return writer.Line("if (", writer.Condition(), ") ", first, ", ", second, ";");
  }
}

}  // namespace tune::testing
