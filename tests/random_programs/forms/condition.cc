// Conditions about data, with other branches, inside one another.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteCondition(FormWriter& writer) {
  writer.Open("if (", writer.Condition(), ")");
  if (writer.Chance(30)) {
    const ProgramArray local{writer.Fresh("t"), v1::ELEMENT_TYPE_DOUBLE, {}, true};
    writer.Line("double ", local.name, " = ", writer.Value(1), ";");
    writer.scope().Declare(local);
  }
  writer.Chance(30) ? writer.Body() : writer.Assignment();
  if (writer.Chance(25)) {
    writer.Otherwise(/*asks=*/true);
    writer.Assignment();
  }
  if (writer.Chance(50)) {
    writer.Otherwise(/*asks=*/false);
    writer.Chance(30) ? writer.Part() : writer.Assignment();
  }
  writer.Close();
}

}  // namespace tune::testing
