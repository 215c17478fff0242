// Triangles whose rows are packed.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WritePackedTriangle(FormWriter& writer) {
  if (!writer.MayLoop()) return writer.Assignment();
  const Bounded& size = writer.sizes()[0];
  writer.Outside(absl::StrCat("static double packed[", size.high * (size.high + 1) / 2, "];"));
  writer.Fill("fill(packed, sizeof packed / sizeof *packed);");
  writer.Print("print(\"packed\", packed, sizeof packed / sizeof *packed);");
  const std::string i = writer.Fresh("i"), j = writer.Fresh("j");
  const bool strict = writer.Chance(30);
  writer.OpenLoop(size.high, "for (int ", i, " = 0; ", i, " < ", size.text, "; ", i, "++)");
  writer.scope().Loop({i, 0, size.high - 1, true});
  writer.OpenLoop(size.high, "for (int ", j, " = 0; ", j, strict ? " < " : " <= ", i, "; ", j, "++)");
  writer.scope().Loop({j, 0, size.high - 1, true});
  const std::string element = absl::StrCat("packed[", i, " * (", i, " + 1) / 2 + ", j, "]");
  switch (writer.Pick(2)) {
    case 0:
      writer.Line(element, " += ", writer.Value(1), ";");
      writer.Part();
      break;
    default: {
      const std::optional<std::string> target =
          writer.expressions().Access(/*integer=*/false, /*write=*/true);
      if (target) writer.Line(*target, " += 0.5 * ", element, ";");
    }
  }
  writer.CloseLoop();
  writer.CloseLoop();
}

}  // namespace tune::testing
