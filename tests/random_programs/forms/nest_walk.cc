// Pointers that walk through nests, over the rows of a matrix with gaps between what they reach.
#include "common/array/element_type.h"
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

// The size's name, as the array is declared: other sums that have its value may not in another call.
std::string Length(FormWriter& writer, int64_t extent) {
  for (const Bounded& size : writer.sizes())
    if (size.high == extent) return size.text;
  return absl::StrCat(extent);
}

}  // namespace

void WriteNestWalk(FormWriter& writer) {
  const std::optional<ProgramArray> array = writer.Array(2, /*written=*/true);
  if (!array || !writer.MayLoop() || writer.InLoop()) return writer.Assignment();
  const std::string type(ElementCType(array->type)), p = writer.Fresh("p");
  const std::string i = writer.Fresh("i"), j = writer.Fresh("j");
  const int gap = writer.Chance(40) ? 1 + writer.Pick(2) : 0;
  const int64_t rows = array->extents[0], columns = array->extents[1] - gap;
  writer.Open();
  writer.Line(type, " *", p, " = &", array->name, "[0][0];");
  writer.OpenLoop(rows, "for (int ", i, " = 0; ", i, " < ", Length(writer, rows), "; ", i, "++)");
  writer.scope().Loop({i, 0, rows - 1, true});
  writer.OpenLoop(columns, "for (int ", j, " = 0; ", j, " < ", Length(writer, array->extents[1]),
                  gap > 0 ? absl::StrCat(" - ", gap) : "", "; ", j, "++)");
  writer.scope().Loop({j, 0, columns - 1, true});
  const std::string value =
      IsInteger(array->type) ? absl::StrCat("(", writer.expressions().Integer(1), ") % 97") : writer.Value(1);
  writer.Line("*", p, "++", writer.Chance(50) ? " = " : " += ", value, ";");
  if (writer.Chance(40)) writer.Assignment();
  writer.CloseLoop();
  if (gap > 0) writer.Line(p, " += ", gap, ";");
  if (writer.Chance(40)) writer.Assignment();
  writer.CloseLoop();
  writer.Close();
}

}  // namespace tune::testing
