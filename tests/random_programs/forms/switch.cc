// Choices among constants, whose cases run into one another.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteSwitch(FormWriter& writer) {
  std::string value = absl::StrCat(writer.expressions().Affine().text);
  if (writer.Chance(40)) value = writer.expressions().Integer(1);
  if (writer.Chance(50)) value = absl::StrCat("(", value, ") % 3");
  writer.Open("switch (", value, ")");
  int next = writer.Pick(2) - 1;
  const int cases = 1 + writer.Pick(3), others = writer.Pick(2 * cases);
  for (int i = 0; i < cases; ++i) {
    if (i == others) writer.Line("default:");
    if (writer.Chance(20)) {
      writer.Line("case ", next, " ... ", next + 2, ":");
      next += 3;
    } else {
      writer.Line("case ", next++, ":");
    }
    writer.Chance(25) ? writer.Part() : writer.Assignment();
    if (i + 1 == cases || writer.Chance(70)) writer.Line("break;");
  }
  writer.Close();
}

}  // namespace tune::testing
