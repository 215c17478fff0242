// Elements that are packed together, at a place that data decide: if (x[i] > 0) { b[k] = x[i]; k++; }.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

struct Packing {
  std::string type, array, place;  // names
  bool by_pointer, down;
};

// The element, and what moves on to the next one; `first`: before the element is set.
void WriteStore(FormWriter& writer, const Packing& packing, bool first) {
  const std::string value = writer.exact() ? writer.Value() : writer.Chance(50) ? "q" : "q % 7 - 3";
  const std::string step = absl::StrCat(packing.place, packing.down ? "--" : "++");
  if (packing.by_pointer) {
    writer.Line("*", step, " = ", value, ";");
  } else if (first) {
    writer.Line(step, ";");
    writer.Line(packing.array, "[", packing.place, "] = ", value, ";");
  } else if (writer.Chance(40)) {
    writer.Line(packing.array, "[", step, "] = ", value, ";");
  } else {
    writer.Line(packing.array, "[", packing.place, "] = ", value, ";");
    writer.Line(step, ";");
  }
}

}  // namespace

void WritePackedElements(FormWriter& writer) {
  if (!writer.MayLoop()) return writer.Assignment();
  const int trips = 3 + writer.Pick(10), length = 2 * trips + 2;
  const std::string data = writer.Fresh("kept");
  Packing packing{writer.Chance(50) ? "int" : "double", writer.Fresh("packed"), writer.Fresh("place"),
                  writer.Chance(20), false};
  packing.down = !packing.by_pointer && writer.Chance(25);
  writer.Outside(absl::StrCat("static int ", data, "[", trips, "], ", packing.place, "_end;\nstatic ",
                              packing.type, " ", packing.array, "[", length, "];"));
  writer.Fill(absl::StrCat("for (int i = 0; i < ", trips, "; i++) ", data, "[i] = i * 29 % 17 - 6;"));
  writer.Print(absl::StrCat("for (int i = 0; i < ", length, "; i++) printf(\"", packing.array,
                            " %.9g\\n\", (double)", packing.array, "[i]);"));
  writer.Print(absl::StrCat("printf(\"", packing.place, " %d\\n\", ", packing.place, "_end);"));
  writer.Open();
  const bool first = writer.Chance(50);
  if (packing.by_pointer) {
    writer.Line(packing.type, " *", packing.place, " = ", packing.array, ";");
  } else {
    writer.Line("int ", packing.place, " = ", packing.down ? length - (first ? 1 : 2) : (first ? 0 : 1), ";");
  }
  writer.OpenLoop(trips, "for (int q = 0; q < ", trips, "; q++)");
  const std::string condition =
      absl::StrCat(data, "[q] ", writer.Chance(50) ? "> " : "<= ", writer.Pick(9) - 4);
  if (writer.Chance(25)) {
    writer.Line("if (", condition, ") continue;");
    WriteStore(writer, packing, first);
  } else {
    if (writer.Chance(25)) WriteStore(writer, packing, first);
    writer.Open("if (", condition, ")");
    WriteStore(writer, packing, first);
    writer.Close();
  }
  writer.CloseLoop();
  if (!packing.by_pointer) writer.Line(packing.place, "_end += ", packing.place, ";");
  writer.Close();
}

}  // namespace tune::testing
