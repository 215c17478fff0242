// Names of rows and of parts of arrays.
#include "common/array/element_type.h"
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteRowPointer(FormWriter& writer) {
  const std::optional<ProgramArray> array = writer.Array(1 + writer.Pick(2), /*written=*/true);
  if (!array) return writer.Assignment();
  ProgramArray part{writer.Fresh("p"), array->type, {array->extents.back()}, true};
  const std::string type(ElementCType(array->type));
  writer.Open();
  if (array->extents.size() == 2) {
    const std::string row = writer.expressions().Index(0, array->extents[0] - 1).text;
    switch (writer.Pick(3)) {
      case 0: {
        const int column = writer.Pick(3);
        part.extents[0] -= column;
        writer.Line(type, " *", part.name, " = &", array->name, "[", row, "][", column, "];");
        break;
      }
      case 1:
        writer.Line(type, " *", part.name, " = *(", array->name, " + ", row, ");");
        break;
      default:
        writer.Line(type, " *", part.name, " = ", array->name, "[", row, "];");
    }
  } else {
    const Bounded offset = writer.expressions().Index(0, array->extents[0] / 2);
    part.extents[0] -= offset.high;
    if (writer.Chance(50)) {
      writer.Line(type, " *", part.name, ";");
      writer.Line(part.name, " = ", array->name, " + ", offset.simple ? offset.text : "(" + offset.text + ")",
                  ";");
    } else {
      writer.Line(type, " *const ", part.name, " = &", array->name, "[", offset.text, "];");
    }
  }
  writer.scope().Declare(part);
  writer.Body();
  writer.Close();
}

}  // namespace tune::testing
