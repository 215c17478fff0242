// What tells a compiler something, and ends of the program that never come.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteHint(FormWriter& writer) {
  const Bounded index = writer.expressions().Affine();
  switch (writer.Pick(7)) {
    case 0:
      writer.Line("assert(", index.text, " <= ", index.high, ");");
      break;
    case 1:
      writer.Line("if (", index.text, " < ", index.low, ") abort();");
      break;
    case 2:
      writer.Line("if (", index.text, " > ", index.high, ") __builtin_unreachable();");
      break;
    case 3: {
      const std::optional<ProgramArray> array = writer.Array(1, /*written=*/false);
      if (array) writer.Line("__builtin_prefetch(&", array->name, "[0]);");
      break;
    }
    case 4:
      writer.Line("assert(", index.text, " >= ", index.low, " && \"small\");");
      break;
    default:
      writer.Open("if (__builtin_expect(!!(", writer.Condition(), "), ", writer.Pick(2), "))");
      writer.Body();
      return writer.Close();
  }
  writer.Part();
}

}  // namespace tune::testing
