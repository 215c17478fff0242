// Loops that leave out the rest of an iteration, or all that follow.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

// "if (c) { ...; continue; }", or in another `if`. `ends_loop`: with break.
void WriteEnd(FormWriter& writer, bool ends_loop) {
  const std::string condition = ends_loop ? writer.IndexCondition() : writer.Condition();
  const char* const word = ends_loop ? "break;" : "continue;";
  if (writer.Chance(40)) return writer.Line("if (", condition, ") ", word);
  writer.Open("if (", condition, ")");
  writer.Assignment();
  if (writer.Chance(30)) {
    writer.Line("if (", writer.IndexCondition(), ") ", word);
    writer.Assignment();
  } else {
    writer.Line(word);
  }
  if (writer.Chance(25)) {
    writer.Otherwise(/*asks=*/false);
    writer.Assignment();
  }
  writer.Close();
}

}  // namespace

void WriteEarlyEnd(FormWriter& writer) {
  if (!writer.MayLoop()) return writer.Assignment();
  const Bounded& size = writer.expressions().One(writer.sizes());
  const std::string name = writer.Fresh("i");
  const bool endless = writer.Chance(20);
  const std::string condition = absl::StrCat(name, " < ", size.text);
  writer.OpenLoop(size.high, "for (int ", name, " = 0; ", endless ? "" : condition, "; ", name, "++)");
  if (endless) writer.Line("if (", name, " >= ", size.text, ") break;");
  writer.scope().Loop({name, 0, size.high - 1, true});
  if (writer.Chance(60)) writer.Assignment();
  const bool ends_loop = writer.Chance(40);
  WriteEnd(writer, ends_loop);
  writer.Part();
  if (writer.Chance(40)) {
    WriteEnd(writer, ends_loop && writer.Chance(40));
    writer.Assignment();
  }
  writer.CloseLoop();
}

}  // namespace tune::testing
