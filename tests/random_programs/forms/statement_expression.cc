// Statements in parentheses that have a value.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteStatementExpression(FormWriter& writer) {
  const std::optional<std::string> target = writer.expressions().Access(/*integer=*/false, /*write=*/true);
  if (!target) return writer.Assignment();
  const std::string t = writer.Fresh("t");
  switch (writer.Pick(3)) {
    case 0:
      return writer.Line(*target, " = ({ double ", t, " = ", writer.Value(1), "; 0.5 * ", t, " + ", t,
                         "; });");
    case 1: {
      const std::optional<ProgramArray> array = writer.Array(1, /*written=*/false);
      if (!array) return writer.Assignment();
      const Bounded index = writer.expressions().Index(0, array->extents[0] - 1);
      return writer.Line(*target, " += ", array->name, "[({ int ", t, " = ", index.text, "; if (", t,
                         " > 4) ", t, " = 4; ", t, "; })];");
    }
    default:
      return writer.Line("({ double ", t, " = ", writer.Value(1), "; ", *target, " = ", t, "; });");
  }
}

}  // namespace tune::testing
