// Calls of functions whose bodies the file has.
#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

constexpr char kBlend[] =
    "static inline double blend(double x, double y) {\n"
    "  double t = 0.5 * x;\n  if (t > y) t = y;\n  return t + 0.25 * y;\n}";
constexpr char kSquare[] = "static float square(float x) { return x * x; }";
constexpr char kBound[] =
    "static int bound(int v, int low, int high) {\n"
    "  if (v < low) return low;\n  return v > high ? high : v;\n}";
constexpr char kLeast[] = "static inline int least(int a, int b) { return a < b ? a : b; }";
constexpr char kSmooth[] =
    "static void smooth(int from, int to, double f, double *v) {\n"
    "  for (int s = from; s < to; s++) {\n    if (s == 0) continue;\n"
    "    v[s] = f * (v[s] + v[s - 1]);\n  }\n}";
constexpr char kRaise[] =
    "static void raise(double *x, double by) {\n  double t = *x + by;\n  if (t < 3) *x = t;\n}";

void WriteValueCall(FormWriter& writer) {
  const std::optional<std::string> target = writer.expressions().Access(/*integer=*/false, /*write=*/true);
  if (!target) return writer.Assignment();
  if (writer.Chance(70) || !writer.exact()) {
    writer.Outside(kSquare);
    return writer.Line(*target, " = 0.1f * square(0.5f * sin(", writer.Value(1), "));");
  }
  writer.Outside(kBlend);
  writer.Line(*target, " = blend(", writer.Value(1), ", ", writer.Value(1), ");");
}

void WriteIndexCall(FormWriter& writer) {
  const std::optional<ProgramArray> array = writer.Array(1, /*written=*/true);
  if (!array) return writer.Assignment();
  const Bounded index = writer.expressions().Affine();
  const std::string high = writer.expressions().Constant(array->extents[0] - 1);
  writer.Outside(kBound);
  writer.Line(array->name, "[bound(", index.text, ", 0, ", high, ")] += 2;");
}

std::optional<ProgramArray> ArrayOfDoubles(FormWriter& writer) {
  for (int i = 0; i < 6; ++i) {
    const std::optional<ProgramArray> array = writer.Array(1, /*written=*/true);
    if (array && array->type == v1::ELEMENT_TYPE_DOUBLE) return array;
  }
  return std::nullopt;
}

}  // namespace

void WriteCall(FormWriter& writer) {
  const std::optional<ProgramArray> array = ArrayOfDoubles(writer);
  switch (writer.Pick(5)) {
    case 0:
      return WriteIndexCall(writer);
    case 1: {
      if (!array || !writer.MayLoop()) return WriteValueCall(writer);
      writer.Outside(kSmooth);
      const Bounded end = writer.expressions().Index(0, array->extents[0]);
      return writer.Line("smooth(", writer.Pick(3), ", ", end.text, ", 0.4, ", array->name, ");");
    }
    case 2: {
      if (!array || !writer.exact()) return WriteValueCall(writer);
      writer.Outside(kRaise);
      const Bounded index = writer.expressions().Index(0, array->extents[0] - 1);
      return writer.Line("raise(&", array->name, "[", index.text, "], ", writer.Value(1), ");");
    }
    case 3: {
      if (!writer.MayLoop()) return WriteValueCall(writer);
      writer.Outside(kLeast);
      const std::string name = writer.Fresh("i");
      const std::vector<Bounded>& sizes = writer.sizes();
      const int64_t end = std::min(sizes[0].high, sizes[1].high);
      writer.OpenLoop(end, "for (int ", name, " = 0; ", name, " < least(", sizes[0].text, ", ", sizes[1].text,
                      "); ", name, "++)");
      writer.scope().Loop({name, 0, end - 1, true});
      writer.Body();
      return writer.CloseLoop();
    }
    default:
      return WriteValueCall(writer);
  }
}

}  // namespace tune::testing
