#include "tests/random_programs/forms/form_writer.h"

#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {
namespace {

constexpr int kMostParts = 12;  // of a program: statements with others inside

}  // namespace

FormWriter::FormWriter(uint64_t seed, std::vector<Bounded> sizes, bool exact)
    : random_(seed, /*stream=*/3),
      data_(seed, /*stream=*/4),
      expressions_(&random_, &data_, &scope_),
      sizes_(std::move(sizes)),
      exact_(exact) {
  for (const Bounded& size : sizes_) expressions_.Name(size.text, size.high);
}

void FormWriter::Close(const std::string& tail) {
  --indent_;
  scope_.Leave(marks_.back());
  marks_.pop_back();
  Line("}", tail);
}

void FormWriter::Otherwise(bool asks) {
  scope_.Leave(marks_.back());
  --indent_;
  Line(asks ? absl::StrCat("} else if (", Condition(), ") {") : "} else {");
  ++indent_;
}

void FormWriter::CloseLoop(const std::string& tail) {
  instances_ /= trips_.back();
  trips_.pop_back();
  --loops_;
  Close(tail);
}

std::optional<ProgramArray> FormWriter::Array(size_t rank, bool written) {
  std::vector<ProgramArray> found;
  for (const ProgramArray& variable : scope_.Visible()) {
    if (variable.extents.size() == rank && variable.row.empty() && (variable.written || !written))
      found.push_back(variable);
  }
  if (found.empty()) return std::nullopt;
  return expressions_.One(found);
}

std::string FormWriter::Condition() {
  if (!exact_ || Chance(40)) return Chance(60) ? expressions_.DataCondition() : expressions_.Condition();
  const std::string comparison =
      absl::StrCat(Value(1), Chance(50) ? " > " : " <= ", Chance(50) ? "0.5" : Value(1));
  switch (Pick(5)) {
    case 0:
      return absl::StrCat(comparison, " && ", expressions_.Condition());
    case 1:
      return absl::StrCat("(", expressions_.Condition(), ") || ", comparison);
    case 2:
      return absl::StrCat("!(", comparison, ")");
    default:
      return comparison;
  }
}

void FormWriter::Assignment() {
  const bool wanted = Chance(20);
  v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE;
  std::optional<std::string> target = expressions_.Access(wanted, /*write=*/true, &type);
  if (!target) target = expressions_.Access(!wanted, /*write=*/true, &type);
  if (!target) return;
  if (IsInteger(type)) {
    const std::string value = expressions_.Integer(1);
    if (Chance(30)) return Line(*target, " = (", *target, " + ", value, ") % 1009;");
    return Line(*target, " = (", value, ") % 103;");
  }
  switch (Pick(8)) {
    case 0:
    case 1:
      return Line(*target, " += ", Value(1), ";");
    case 2:
      return Line(*target, " *= ", Chance(50) ? "0.9;" : "-1.01f;");
    case 3:
      return Line(*target, " = fmax(", *target, ", ", Value(1), ");");
    default:
      return Line(*target, " = ", Value(), ";");
  }
}

void FormWriter::Form() { expressions_.One(AllForms()).write(*this); }

void FormWriter::Part() {
  if (++parts_ > kMostParts || Chance(35)) return Assignment();
  if (MayLoop() && Chance(25)) return Loop();
  Form();
}

void FormWriter::Body() {
  const int parts = 1 + (Chance(50) ? 1 : 0) + (Chance(20) ? 1 : 0);
  for (int i = 0; i < parts; ++i) Part();
}

void FormWriter::Loop() {
  const Bounded& size = expressions_.One(sizes_);
  const std::vector<Bounded>& outer = scope_.iterators();
  const std::string name = Fresh("i");
  Bounded iterator{name, Pick(3), size.high - 1 - Pick(2), true};
  std::string first = absl::StrCat(iterator.low), end = expressions_.Constant(iterator.high + 1);
  if (!outer.empty() && Chance(30)) {
    const Bounded& other = expressions_.One(outer);
    if (Chance(50) && other.high < size.high && other.low >= 0)
      first = other.text, iterator.low = other.low;
    else if (other.high > iterator.low)
      end = other.text, iterator.high = other.high - 1;
  }
  const int step = Chance(20) ? 2 + Pick(2) : 1;
  const int64_t trips = (iterator.high - iterator.low) / step + 1;
  if (Chance(20)) {
    OpenLoop(trips, "for (int ", name, " = ", end, " - 1; ", name, " >= ", first, "; ", name, " -= ", step,
             ")");
  } else {
    OpenLoop(trips, "for (int ", name, " = ", first, "; ", name, " < ", end, "; ", name, " += ", step, ")");
  }
  scope_.Loop(iterator);
  Body();
  CloseLoop();
}

}  // namespace tune::testing
