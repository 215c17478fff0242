// Loops that count a variable down to nothing, or up to a bound, in integers of any kind.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

void WriteCountingLoop(FormWriter& writer) {
  if (!writer.MayLoop()) return writer.Assignment();
  const std::vector<std::string> types = {"int", "unsigned", "size_t", "unsigned char", "short", "long"};
  const std::string t = writer.Fresh("n");
  std::string type = writer.expressions().One(types);
  const Bounded& size = writer.expressions().One(writer.sizes());
  writer.Open();
  const bool is_plain = type == "int" || type == "long";
  const int kind = is_plain && writer.Chance(20) ? 3 : std::vector<int>{0, 1, 2, 4, 5}[writer.Pick(5)];
  const bool up = kind >= 4;
  // What a narrow variable is when a size is converted is not known.
  if (!up && (type == "unsigned char" || type == "short")) type = "unsigned";
  writer.Line(type, " ", t, " = ", up ? absl::StrCat(writer.Pick(3)) : size.text, ";");
  const auto open = [&](const std::string& head) { writer.OpenLoop(size.high, head); };
  switch (kind) {
    case 0:
      open(absl::StrCat("while (", t, "--)"));
      break;
    case 1:
      open(absl::StrCat("while (", t, "-- > ", writer.Pick(2), ")"));
      break;
    case 2:
      open(absl::StrCat("for (; ", t, "-- > 0;)"));
      break;
    case 3:
      open("do");
      writer.Line(t, "--;");
      break;
    default:
      open(absl::StrCat("while (", t, " < ", size.text, ")"));
  }
  writer.scope().Loop({t, 0, size.high - 1, true});
  writer.Body();
  if (kind >= 4) writer.Line(t, writer.Chance(50) ? "++;" : " += 1;");
  writer.CloseLoop(kind == 3 ? absl::StrCat(" while (", t, writer.Chance(50) ? ");" : " > 0);") : "");
  writer.Close();
}

}  // namespace tune::testing
