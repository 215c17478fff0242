// Tables of constants, as distances and as factors.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteConstantTable(FormWriter& writer) {
  const std::optional<ProgramArray> array = writer.Array(1, /*written=*/true);
  if (!array || !writer.MayLoop()) return writer.Assignment();
  const std::string distance = writer.Fresh("d"), factor = writer.Fresh("w"), k = writer.Fresh("k");
  const std::string distances =
      absl::StrCat("static const ", writer.Chance(50) ? "int " : "signed char ", distance, "[3] = {",
                   writer.Pick(3), ", ", writer.Pick(3), ", ", -writer.Pick(2), "};");
  const std::string factors = absl::StrCat("static const ", writer.Chance(50) ? "float " : "double ", factor,
                                           "[] = {0.25f, -0.5f, 0.125};");
  writer.Open();
  const bool inside = writer.Chance(30);
  for (const std::string& table : {distances, factors}) inside ? writer.Line(table) : writer.Outside(table);
  const Bounded index = writer.expressions().Index(1, array->extents[0] - 3);
  writer.OpenLoop(3, "for (int ", k, " = 0; ", k, " < 3; ", k, "++)");
  writer.scope().Loop({k, 0, 2, true});
  if (IsInteger(array->type))
    writer.Line(array->name, "[", index.text, " + ", distance, "[", k, "]] += ", distance, "[2 - ", k, "];");
  else
    writer.Line(array->name, "[", index.text, " + ", distance, "[", k, "]] += ", factor, "[", k, "] * ",
                writer.Value(1), ";");
  if (writer.Chance(30)) {
    writer.Open("if (", distance, "[", k, "] > 0)");
    writer.Assignment();
    writer.Close();
  }
  writer.CloseLoop();
  writer.Close();
}

}  // namespace tune::testing
