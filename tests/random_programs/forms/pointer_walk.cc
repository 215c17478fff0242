// Pointers that walk along arrays.
#include "common/array/element_type.h"
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

std::string ValueFor(FormWriter& writer, const ProgramArray& array) {
  return IsInteger(array.type) ? absl::StrCat("(", writer.expressions().Integer(1), ") % 97")
                               : writer.Value(1);
}

// "while (p < a + n) { *p = ...; p += 2; }"
void WalkToItsEnd(FormWriter& writer, const ProgramArray& array) {
  const std::string type(ElementCType(array.type)), p = writer.Fresh("p");
  const int64_t length = array.extents[0];
  const std::string end = absl::StrCat(array.name, " + (", writer.expressions().Constant(length), ")");
  const int step = 1 + (writer.Chance(30) ? 1 : 0);
  const std::string advance = step == 1 ? p + "++" : absl::StrCat(p, " += ", step);
  const bool in_head = writer.Chance(50);
  if (in_head) {
    writer.OpenLoop(length, "for (", type, " *", p, " = ", array.name, "; ", p, " < ", end, "; ", advance,
                    ")");
  } else {
    writer.Line(type, " *", p, " = ", array.name, ";");
    writer.OpenLoop(length, "while (", p, " < ", end, ")");
  }
  writer.Line("*", p, writer.Chance(50) ? " = " : " += ", ValueFor(writer, array), ";");
  if (writer.Chance(40)) writer.Assignment();
  if (!in_head) writer.Line(advance, ";");
  writer.CloseLoop();
}

void WalkBesideAnIterator(FormWriter& writer, const ProgramArray& array) {
  const std::string type(ElementCType(array.type)), p = writer.Fresh("p"), iterator = writer.Fresh("i");
  const int step = 1 + (writer.Chance(30) ? 1 : 0);
  const bool down = writer.Chance(25);
  const int64_t trips = array.extents[0] / step;
  const std::string place =
      down ? absl::StrCat(array.name, " + (", writer.expressions().Constant(array.extents[0]), ")")
           : array.name;
  writer.Line(type, " *", p, " = ", place, ";");
  writer.OpenLoop(trips, "for (int ", iterator, " = 0; ", iterator, " < ",
                  writer.expressions().Constant(trips), "; ", iterator, "++)");
  writer.scope().Loop({iterator, 0, trips - 1, true});
  const std::string element = down        ? absl::StrCat("*--", p)
                              : step == 2 ? "*" + p
                                          : absl::StrCat("*", p, "++");
  if (!down && writer.Chance(25)) {
    writer.Line(type, " ", p, "v = ", element, ";");
    writer.scope().Declare({p + "v", array.type, {}, true});
  } else {
    writer.Line(element, writer.Chance(50) ? " = " : " += ", ValueFor(writer, array), ";");
  }
  if (step == 2 && !down && writer.Chance(50)) writer.Line(p, "[1] = ", p, "[0];");
  if (step == 2) writer.Line(p, down ? " -= 1;" : " += 2;");
  writer.Chance(60) ? writer.Assignment() : writer.Part();
  writer.CloseLoop();
}

}  // namespace

void WritePointerWalk(FormWriter& writer) {
  const std::optional<ProgramArray> array = writer.Array(1, /*written=*/true);
  if (!array || !writer.MayLoop()) return writer.Assignment();
  writer.Open();
  writer.Chance(40) ? WalkToItsEnd(writer, *array) : WalkBesideAnIterator(writer, *array);
  writer.Close();
}

}  // namespace tune::testing
