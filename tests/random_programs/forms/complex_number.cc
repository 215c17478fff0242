// Complex numbers: elements, variables of the region's own, sums, and real operands beside them.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

constexpr char kNumbers[] =
    "#include <complex.h>\nstatic double complex waves[40], spectrum[12][9];\nstatic float complex "
    "tones[40];";
constexpr char kSmall[] = "static double complex norm_sum;";

// A value of a moderate size, which real and complex operands make.
std::string Number(FormWriter& writer, int depth) {
  const auto element = [&]() -> std::string {
    switch (writer.Pick(5)) {
      case 0:
      case 1:
        return absl::StrCat("waves[", writer.expressions().Index(0, 39).text, "]");
      case 2:
        return absl::StrCat("tones[", writer.expressions().Index(0, 39).text, "]");
      case 3:
        return absl::StrCat("spectrum[", writer.expressions().Index(0, 11).text, "][",
                            writer.expressions().Index(0, 8).text, "]");
      default:
        return writer.Chance(50) ? "(0.5 - 0.25 * I)" : "I";
    }
  };
  if (depth == 0) return element();
  const std::string a = Number(writer, depth - 1);
  const std::string b = Number(writer, depth - 1);
  switch (writer.Pick(9)) {
    case 0:
      return absl::StrCat("0.5 * (", a, " + ", b, ")");
    case 1:
      return absl::StrCat("0.25f * (", a, " - ", b, ")");
    case 2:
      return absl::StrCat("(", a, ") * (", b, ") / (4 + cabs(", b, "))");
    case 3:
      return absl::StrCat("conj(", a, ")");
    case 4:
      return absl::StrCat("(", a, ") / (2 + cabs(", b, "))");
    case 5:
      return absl::StrCat("(creal(", a, ") + ", b, ") * 0.5");
    case 6:
      return absl::StrCat("(", writer.Value(1), " - ", a, " * I) * 0.25");
    case 7:
      return absl::StrCat("(", writer.IndexCondition(), " ? ", a, " : ", b, ")");
    default:
      return absl::StrCat("-(", a, ")");
  }
}

std::string Target(FormWriter& writer) {
  switch (writer.Pick(4)) {
    case 0:
      return absl::StrCat("tones[", writer.expressions().Index(0, 39).text, "]");
    case 1:
      return absl::StrCat("spectrum[", writer.expressions().Index(0, 11).text, "][",
                          writer.expressions().Index(0, 8).text, "]");
    default:
      return absl::StrCat("waves[", writer.expressions().Index(0, 39).text, "]");
  }
}

// Complex to real: its parts, its absolute value, comparisons.
void WriteReal(FormWriter& writer) {
  const std::optional<std::string> real = writer.expressions().Access(/*integer=*/false, /*write=*/true);
  if (!real) return writer.Line(Target(writer), " = ", Number(writer, 1), ";");
  const char* const functions[] = {"creal", "cimag", "cabs"};
  writer.Line(*real, " = 0.5 * ", functions[writer.Pick(3)], "(", Number(writer, 1), ");");
}

void WriteLocal(FormWriter& writer) {
  const std::string z = writer.Fresh("z");
  writer.Open();
  writer.Line(writer.Chance(60) ? "double" : "float", " complex ", z, " = ", Number(writer, 1), ";");
  if (writer.exact() && writer.Chance(40)) writer.Line("if (cimag(", z, ") < 0.5) ", z, " = conj(", z, ");");
  writer.Line(Target(writer), " = ", z, " + 0.125 * ", Number(writer, 0), ";");
  writer.Close();
}

void WriteUpdate(FormWriter& writer) {
  const std::string target = writer.Chance(25) ? "norm_sum" : Target(writer);
  switch (writer.Pick(5)) {
    case 0:
      return writer.Line(target, " *= 0.75 + 0.5 * I;");
    case 1:
      return writer.Line(target, " -= 0.25 * ", Number(writer, 0), ";");
    case 2:
      return writer.Line(target, " += ", writer.Value(1), ";");
    default:
      return writer.Line(target, " += 0.5 * ", Number(writer, 1), ";");
  }
}

}  // namespace

void WriteComplexNumber(FormWriter& writer) {
  writer.Outside(kNumbers);
  writer.Outside(kSmall);
  writer.Fill("fill((double *)waves, 80);");
  writer.Fill("fill((double *)spectrum, 216);");
  writer.Fill("for (int i = 0; i < 80; i++) ((float *)tones)[i] = (i * 5 + 1) % 17 * 0.125f - 1;");
  writer.Fill("norm_sum = 0.5;");
  writer.Print("print(\"waves\", (double *)waves, 80);");
  writer.Print("print(\"spectrum\", (double *)spectrum, 216);");
  writer.Print("for (int i = 0; i < 80; i++) printf(\"tones %.7g\\n\", ((float *)tones)[i]);");
  writer.Print("print(\"norm_sum\", (double *)&norm_sum, 2);");
  switch (writer.Pick(5)) {
    case 0:
      return WriteLocal(writer);
    case 1:
      return WriteReal(writer);
    case 2:
      return WriteUpdate(writer);
    default:
      return writer.Line(Target(writer), " = ", Number(writer, 2), ";");
  }
}

}  // namespace tune::testing
