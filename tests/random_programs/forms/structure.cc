// Members of structures: of elements, of copies, and sizes that are members.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

constexpr char kPoints[] =
    "struct point {\n  double x, y;\n  struct {\n    double z;\n  } at;\n};\nstatic struct point points[40];";
constexpr char kCells[] = "struct cell {\n  double rho[2], w;\n};\nstatic struct cell cells[30];";
constexpr char kGrid[] =
    "struct grid {\n  int rows, columns;\n  double factor;\n  double *data;\n};\n"
    "static double grid_data[60];\nstatic struct grid grid = {6, 10, 0.75, grid_data};";

// Members of other types beside the numbers, some of them flags.
constexpr char kStations[] =
    "struct station {\n  float level;\n  int visits;\n  _Bool open;\n  double flow[2];\n  long long "
    "age;\n};\n"
    "static struct station stations[30];";
constexpr char kFillStations[] =
    "for (int i = 0; i < 30; i++) stations[i] = (struct station){i * 0.25f - 2, i % 7 - 3, i % 3 == 0, {0.5 "
    "* i, "
    "-0.125 * i}, i * 11};";
constexpr char kPrintStations[] =
    "for (int i = 0; i < 30; i++) printf(\"station %.6g %d %d %.9g %.9g %lld\\n\", stations[i].level, "
    "stations[i].visits, stations[i].open, stations[i].flow[0], stations[i].flow[1], stations[i].age);";

std::string Member(FormWriter& writer) {
  const char* const kMembers[] = {".x", ".y", ".at.z"};
  return kMembers[writer.Pick(3)];
}

std::string Element(FormWriter& writer) {
  return absl::StrCat("points[", writer.expressions().Index(0, 39).text, "]");
}

void UsePoints(FormWriter& writer) {
  writer.Outside(kPoints);
  writer.Fill("fill((double *)points, sizeof points / sizeof(double));");
  writer.Print("print(\"points\", (double *)points, sizeof points / sizeof(double));");
}

void WriteMember(FormWriter& writer) {
  const std::string target = Element(writer) + Member(writer);
  switch (writer.Pick(3)) {
    case 0:
      return writer.Line(target, " = ", writer.Value(1), ";");
    case 1:
      return writer.Line(target, " += 0.5 * ", Element(writer), Member(writer), ";");
    default: {
      const std::optional<std::string> other = writer.expressions().Access(/*integer=*/false, /*write=*/true);
      if (other) writer.Line(*other, " = ", target, " * 0.25;");
    }
  }
}

void WriteMemberArray(FormWriter& writer) {
  writer.Outside(kCells);
  writer.Fill("fill((double *)cells, sizeof cells / sizeof(double));");
  writer.Print("print(\"cells\", (double *)cells, sizeof cells / sizeof(double));");
  const std::string cell = absl::StrCat("cells[", writer.expressions().Index(0, 29).text, "]");
  const std::string other = absl::StrCat("cells[", writer.expressions().Index(0, 29).text, "]");
  writer.Line(cell, ".rho[", writer.expressions().Index(0, 1).text, "] += 0.5 * ", other,
              writer.Chance(50) ? ".w;" : ".rho[1];");
}

void WriteStation(FormWriter& writer) {
  writer.Outside(kStations);
  writer.Fill(kFillStations);
  writer.Print(kPrintStations);
  const auto station = [&] { return absl::StrCat("stations[", writer.expressions().Index(0, 29).text, "]"); };
  const std::string target = station(), other = station();
  switch (writer.Pick(6)) {
    case 0:
      return writer.Line(target, ".visits = (", other, ".visits + ", other, ".age) % 101;");
    case 1:
      return writer.Line("if (", other, ".open) ", target, ".flow[", writer.expressions().Index(0, 1).text,
                         "] += 0.5 * ", other, ".flow[0];");
    case 2:
      return writer.Line(target, ".open = ", other, ".visits % 3 == 0;");
    case 3:
      return writer.Line(target, ".age = (", other, ".age + ", other, ".visits) % 1009;");
    case 4:
      return writer.Line(target, ".level = ", other, ".visits * 0.125f + ", writer.Value(1), ";");
    default:
      return writer.Line(target, ".flow[1] = ", target, ".visits > 0 ? ", other, ".level : ", writer.Value(1),
                         ";");
  }
}

void WriteCopy(FormWriter& writer) {
  const std::string p = writer.Fresh("p");
  writer.Open();
  writer.Line("struct point ", p, " = ", Element(writer), ";");
  writer.Line(p, Member(writer), " += ", writer.Value(1), ";");
  if (writer.exact() && writer.Chance(40)) writer.Line("if (", p, ".x > 1) ", p, ".y = ", p, ".at.z;");
  writer.Line(Element(writer), " = ", p, ";");
  writer.Close();
}

void WriteGrid(FormWriter& writer) {
  writer.Outside(kGrid);
  writer.Before("struct grid *g = &grid;");
  writer.Fill("fill(grid_data, 60);");
  writer.Print("print(\"grid\", grid_data, 60);");
  const std::string i = writer.Fresh("i"), j = writer.Fresh("j");
  writer.OpenLoop(6, "for (int ", i, " = 0; ", i, " < g->rows; ", i, "++)");
  writer.scope().Loop({i, 0, 5, true});
  writer.OpenLoop(10, "for (int ", j, " = 0; ", j, " < g->columns; ", j, "++)");
  writer.scope().Loop({j, 0, 9, true});
  const std::string element = absl::StrCat("g->data[", i, " * g->columns + ", j, "]");
  if (writer.Chance(50))
    writer.Line(element, " *= g->factor;");
  else
    writer.Line(element, " += ", writer.Value(1), ";");
  writer.CloseLoop();
  writer.CloseLoop();
}

}  // namespace

void WriteStructure(FormWriter& writer) {
  if (writer.MayLoop() && !writer.InLoop() && writer.Chance(30)) return WriteGrid(writer);
  if (writer.Chance(30)) return WriteMemberArray(writer);
  if (writer.Chance(40)) return WriteStation(writer);
  UsePoints(writer);
  writer.Chance(60) ? WriteMember(writer) : WriteCopy(writer);
}

}  // namespace tune::testing
