// Iterators of unsigned and narrow types, and conversions between them.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteNarrowLoop(FormWriter& writer) {
  if (!writer.MayLoop()) return writer.Assignment();
  const std::vector<std::string> types = {"unsigned", "size_t",      "unsigned char",
                                          "short",    "signed char", "long"};
  const std::string type = writer.expressions().One(types), name = writer.Fresh("u");
  const Bounded& size = writer.expressions().One(writer.sizes());
  const bool down = (type == "unsigned" || type == "size_t" || type == "long") && writer.Chance(40);
  const int first = writer.Pick(3), step = 1 + (writer.Chance(20) ? 1 : 0);
  const std::string end =
      type == "unsigned" && writer.Chance(30) ? absl::StrCat("(unsigned)", size.text) : size.text;
  if (down)
    writer.OpenLoop(size.high, "for (", type, " ", name, " = ", end, " - 1; ", name, " > ", first, "; ", name,
                    "--)");
  else
    writer.OpenLoop(size.high, "for (", type, " ", name, " = ", first, "; ", name, " < ", end, "; ", name,
                    " += ", step, ")");
  writer.scope().Loop({name, first, size.high - 1, true});
  writer.Body();
  const std::optional<ProgramArray> array = writer.Array(1, /*written=*/true);
  if (array && array->extents[0] >= size.high && writer.Chance(50)) {
    switch (writer.Pick(3)) {
      case 0:
        writer.Line(array->name, "[(", name, " + ", size.text, " - 1) % ", size.text, "] += 1;");
        break;
      case 1:
        writer.Line("if (", name, " > 0) ", array->name, "[", name, " - 1] += 1;");
        break;
      default:
        writer.Line(array->name, "[(unsigned)", name, "] += (", type, ")(", name, " * 2);");
    }
  }
  writer.CloseLoop();
}

}  // namespace tune::testing
