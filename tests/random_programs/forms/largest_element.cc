// A largest or smallest element of an array that nothing writes, with where it is, in one loop or two; with
// equal elements, and some that are no numbers.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

// Enough for parts that have no order, where no loop is around.
constexpr int kRows = 50, kColumns = 60;

struct Search {
  std::string type, array, most, place, second;  // names
  std::string element;
};

void WriteChoice(FormWriter& writer, const Search& search) {
  const char* const kOps[] = {">", ">=", "<", "<="};
  const std::string op = kOps[writer.Pick(4)];
  std::string element = search.element;
  if (writer.Chance(30)) {
    element = writer.Fresh("t");
    writer.Line(search.type, " ", element, " = ", search.element, ";");
  }
  std::string condition = writer.Chance(50) ? absl::StrCat(element, " ", op, " ", search.most)
                                            : absl::StrCat(search.most, " ", op, " ", element);
  if (writer.Chance(25)) condition = absl::StrCat(search.element, " != 4 && ", condition);
  writer.Open("if (", condition, ")");
  const bool places_first = writer.Chance(50);
  if (!places_first) writer.Line(search.most, " = ", element, ";");
  writer.Line(search.place, " = q;");
  if (!search.second.empty()) writer.Line(search.second, " = r;");
  if (places_first) writer.Line(search.most, " = ", element, ";");
  writer.Close();
}

}  // namespace

void WriteLargestElement(FormWriter& writer) {
  const bool small = writer.InLoop(), matrix = writer.Chance(40);
  const int rows = small ? 5 : kRows, columns = small ? 4 : kColumns;
  Search search{writer.Chance(30) ? "int" : "double",
                writer.Fresh("values"),
                writer.Fresh("most"),
                writer.Fresh("place"),
                "",
                ""};
  if (matrix) search.second = writer.Fresh("column");
  search.element = search.array + (matrix ? "[q][r]" : "[q]");
  const int count = rows * columns;
  writer.Outside(
      absl::StrCat("static ", search.type, " ", search.array,
                   matrix ? absl::StrCat("[", rows, "][", columns, "]") : absl::StrCat("[", count, "]"), ", ",
                   search.most, ";\nstatic int ", search.place, ";"));
  const std::string seldom = search.type == "double" && writer.Chance(50) ? "i % 7 == 3 ? NAN : " : "";
  writer.Fill(absl::StrCat("for (int i = 0; i < ", count, "; i++) ((", search.type, " *)", search.array,
                           ")[i] = ", seldom, "i * 37 % 101 - 50;"));
  writer.Print(absl::StrCat("printf(\"", search.most, " %.9g %d\\n\", (double)", search.most, ", ",
                            search.place, ");"));
  if (matrix) {
    writer.Outside(absl::StrCat("static int ", search.second, ";"));
    writer.Print(absl::StrCat("printf(\"", search.second, " %d\\n\", ", search.second, ");"));
  }
  if (writer.Chance(50)) writer.Line(search.most, " = ", writer.Pick(3) - 1, ";");
  const std::string up = absl::StrCat("int q = 0; q < ", matrix ? rows : count, "; q++");
  const std::string down = absl::StrCat("int q = ", (matrix ? rows : count) - 1, "; q >= 0; q--");
  writer.Open("for (", writer.Chance(60) ? up : down, ")");
  if (matrix) writer.Open("for (int r = 0; r < ", columns, "; r++)");
  if (!matrix && writer.Chance(25)) {
    writer.Line("if (", search.element, writer.Chance(50) ? " > " : " <= ", search.array, "[", search.place,
                "]) ", search.place, " = q;");
  } else {
    WriteChoice(writer, search);
  }
  if (matrix) writer.Close();
  writer.Close();
}

}  // namespace tune::testing
