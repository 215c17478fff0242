// Integers that are functions of iterators, and those that advance in loops.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

void WriteFunction(FormWriter& writer) {
  const Bounded value = writer.expressions().Affine();
  const std::string name = writer.Fresh("k");
  if (writer.Chance(50)) {
    writer.Line(writer.Chance(30) ? "const int " : "int ", name, " = ", value.text, ";");
    writer.scope().Loop({name, value.low, value.high, true});
  } else {
    const int other = writer.Pick(4);
    writer.Line("int ", name, " = ", value.text, ";");
    writer.Line("if (", writer.IndexCondition(), ") ", name, writer.Chance(50) ? " = " : " += ", other, ";");
    writer.scope().Loop({name, std::min<int64_t>(value.low, other), value.high + other, true});
  }
  writer.Body();
}

// "int k = 1; for (...) { ...; k += 2; }": what it is behind the loop is used there.
void WriteAdvance(FormWriter& writer) {
  const std::string counter = writer.Fresh("k"), iterator = writer.Fresh("i");
  const Bounded& size = writer.expressions().One(writer.sizes());
  const int64_t trips = writer.Chance(30) ? 3 + writer.Pick(3) : size.high;
  const int step = 1 + writer.Pick(2);
  const int first = writer.Pick(3);
  const bool down = writer.Chance(25), before = writer.Chance(30);
  const int64_t last = first + step * trips;
  writer.Line("int ", counter, " = ", down ? last : first, ";");
  writer.OpenLoop(trips, "for (int ", iterator, " = 0; ", iterator, " < ",
                  trips == size.high ? size.text : absl::StrCat(trips), "; ", iterator, "++)");
  writer.scope().Loop({iterator, 0, trips - 1, true});
  const std::string advance = step == 1 && writer.Chance(50)
                                  ? absl::StrCat(counter, down ? "--;" : "++;")
                                  : absl::StrCat(counter, down ? " -= " : " += ", step, ";");
  if (before) writer.Line(advance);
  writer.scope().Loop({counter, first, last, true});
  writer.Body();
  writer.Assignment();
  if (!before) writer.Line(advance);
  writer.CloseLoop();
  writer.scope().Loop({counter, first, last, true});
  writer.Assignment();
}

// "a[k++] = v;"
void WriteIncrement(FormWriter& writer) {
  const std::optional<ProgramArray> array = writer.Array(1, /*written=*/true);
  if (!array) return writer.Assignment();
  const std::string counter = writer.Fresh("k"), iterator = writer.Fresh("i");
  const int64_t trips = array->extents[0] - 1;
  writer.Line("int ", counter, " = 0;");
  writer.OpenLoop(trips, "for (int ", iterator, " = 0; ", iterator, " < ",
                  writer.expressions().Constant(trips), "; ", iterator, "++)");
  writer.scope().Loop({iterator, 0, trips - 1, true});
  const std::string value =
      IsInteger(array->type) ? "(" + writer.expressions().Integer(1) + ") % 97" : writer.Value(1);
  writer.Line(array->name,
              writer.Chance(50) ? absl::StrCat("[", counter, "++]") : absl::StrCat("[++", counter, "]"),
              " = ", value, ";");
  writer.Assignment();
  writer.CloseLoop();
}

}  // namespace

void WriteDerivedIndex(FormWriter& writer) {
  const bool in_block = writer.Chance(50);
  if (in_block) writer.Open();
  if (!writer.MayLoop() || writer.Chance(40))
    WriteFunction(writer);
  else
    writer.Chance(60) ? WriteAdvance(writer) : WriteIncrement(writer);
  if (in_block) writer.Close();
}

}  // namespace tune::testing
