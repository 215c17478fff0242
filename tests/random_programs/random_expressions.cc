#include "tests/random_programs/random_expressions.h"

#include <algorithm>

namespace tune::testing {
namespace {

constexpr int kTries = 8;

std::string Inside(const Bounded& value) {
  return value.simple ? value.text : absl::StrCat("(", value.text, ")");
}

Bounded Sum(const Bounded& a, int64_t factor, const Bounded& b) {
  const std::string product = factor == 1 ? b.text : absl::StrCat(factor, " * ", Inside(b));
  return {absl::StrCat(a.text, " + ", product), a.low + factor * b.low, a.high + factor * b.high, false};
}

Bounded Difference(const Bounded& a, const Bounded& b) {
  return {absl::StrCat(a.text, " - ", Inside(b)), a.low - b.high, a.high - b.low, false};
}

Bounded Shifted(const Bounded& a, int64_t by) {
  if (by == 0) return a;
  return {absl::StrCat(a.text, by > 0 ? " + " : " - ", std::abs(by)), a.low + by, a.high + by, false};
}

}  // namespace

std::string RandomExpressions::Constant(int64_t value) {
  std::vector<std::string> texts = {absl::StrCat(value)};
  for (const Bounded& name : names_) {
    if (std::abs(name.low - value) <= 2) texts.push_back(Shifted(name, value - name.low).text);
  }
  return texts.back() != texts.front() && Chance(85) ? One(texts) : texts.front();
}

Bounded RandomExpressions::Affine() {
  const std::vector<Bounded>& iterators = scope_.iterators();
  if (iterators.empty()) {
    const int value = Pick(5);
    return {absl::StrCat(value), value, value, true};
  }
  const Bounded first = One(iterators);
  const Bounded second = One(iterators);
  switch (Pick(22)) {
    case 0:
      return Shifted(first, 1 + Pick(2));
    case 1:
      return Shifted(first, -1 - Pick(2));
    case 2: {
      const Bounded& name = One(names_);
      return Shifted(Difference(name, first), -1);
    }
    case 3:
      return {absl::StrCat("2 * ", first.text), 2 * first.low, 2 * first.high, false};
    case 4:
      if (first.low < 0) return first;
      return {absl::StrCat(first.text, " / 2"), first.low / 2, first.high / 2, false};
    case 5: {
      const int divisor = 2 + Pick(3);
      if (first.low < 0) return first;
      return {absl::StrCat(first.text, " % ", divisor), 0, std::min<int64_t>(first.high, divisor - 1), false};
    }
    case 6:
      return Sum(first, 1 + Pick(2), second);
    case 7:
      return Difference(first, second);
    case 8: {
      const Bounded sum = Sum(first, 1, second);
      if (sum.low < 0) return first;
      return {absl::StrCat("(", sum.text, ") / 2"), sum.low / 2, sum.high / 2, false};
    }
    default:
      return first;
  }
}

Bounded RandomExpressions::Index(int64_t low, int64_t high) {
  for (int i = 0; i < kTries; ++i) {
    Bounded index = Affine();
    if (index.low < low && index.high - index.low <= high - low && Chance(60))
      index = Shifted(index, low - index.low);
    if (index.high > high && index.high - index.low <= high - low && Chance(60))
      index = Shifted(index, high - index.high);
    if (index.low >= low && index.high <= high) return index;
  }
  const int64_t value = low + Pick(static_cast<int>(high - low + 1));
  return {Constant(value), value, value, false};
}

std::optional<std::string> RandomExpressions::DataIndex(int64_t extent, const std::string& other) {
  std::vector<ProgramArray> found;
  for (const ProgramArray& variable : scope_.Visible()) {
    if (IsInteger(variable.type) && variable.extents.size() == 1 && variable.name != other)
      found.push_back(variable);
  }
  if (found.empty()) return std::nullopt;
  const ProgramArray& array = found[data_->Below(found.size())];
  const std::vector<Bounded>& iterators = scope_.iterators();
  std::string place = absl::StrCat(data_->Below(array.extents[0]));
  if (!iterators.empty()) {
    const Bounded& iterator = iterators[data_->Below(iterators.size())];
    if (iterator.low >= 0 && iterator.high < array.extents[0]) place = iterator.text;
  }
  return absl::StrCat("abs((int)(", array.name, "[", place, "] % ", extent, "))");
}

std::string RandomExpressions::Access(const ProgramArray& variable, bool write) {
  std::string text = variable.name;
  if (!write && variable.row.empty() && !variable.extents.empty() && data_->Below(100) < 5) {
    if (const std::optional<std::string> place = DataIndex(variable.extents[0], "")) {
      absl::StrAppend(&text, "[", *place, "]");
      for (size_t d = 1; d < variable.extents.size(); ++d)
        absl::StrAppend(&text, "[", data_->Below(variable.extents[d]), "]");
      return text;
    }
  }
  if (!variable.row.empty()) {
    const std::string row = Index(0, variable.extents[0] - 1).text;
    return absl::StrCat(text, "[(", row, ") * (", variable.row, ") + ",
                        Index(0, variable.extents[1] - 1).text, "]");
  }
  for (const int64_t extent : variable.extents) absl::StrAppend(&text, "[", Index(0, extent - 1).text, "]");
  return text;
}

std::optional<std::string> RandomExpressions::Access(bool integer, bool write, v1::ElementType* type) {
  std::vector<ProgramArray> found;
  for (const ProgramArray& variable : scope_.Visible()) {
    if (IsInteger(variable.type) == integer && (variable.written || !write)) found.push_back(variable);
  }
  if (found.empty()) return std::nullopt;
  const ProgramArray variable = One(found);
  if (type != nullptr) *type = variable.type;
  return Access(variable, write);
}

std::string RandomExpressions::Condition() {
  static const std::vector<std::string>* const operators =
      new std::vector<std::string>{"<", "<=", ">", ">=", "==", "!="};
  const auto comparison = [&] {
    const Bounded left = Affine();
    const int64_t value = left.low + Pick(static_cast<int>(std::min<int64_t>(left.high - left.low, 40) + 1));
    if (Chance(30)) return absl::StrCat(left.text, " ", One(*operators), " ", Affine().text);
    return absl::StrCat(left.text, " ", One(*operators), " ", Constant(value));
  };
  if (!Chance(20)) return comparison();
  return absl::StrCat(comparison(), Chance(50) ? " && " : " || ", comparison());
}

std::string RandomExpressions::DataCondition() {
  // Of a scalar that the region does not write it would be a size.
  std::vector<ProgramArray> found;
  for (const ProgramArray& variable : scope_.Visible()) {
    if (IsInteger(variable.type) && !variable.extents.empty()) found.push_back(variable);
  }
  if (found.empty()) return Condition();
  const std::string access = Access(One(found), /*write=*/false);
  const auto comparison = [&]() -> std::string {
    switch (Pick(4)) {
      case 0:
        return absl::StrCat(access, " > ", Pick(7) - 3);
      case 1:
        return absl::StrCat(access, " % 3 == ", Pick(2));
      case 2:
        return absl::StrCat(access, " <= ", Integer(1));
      default:
        return absl::StrCat("!(", access, " & 1)");
    }
  };
  if (!Chance(35)) return comparison();
  const std::string other = Chance(60) ? Condition() : comparison();
  const std::string operation = Chance(60) ? " && " : " || ";
  return Chance(50) ? absl::StrCat(comparison(), operation, other)
                    : absl::StrCat(other, operation, comparison());
}

std::string RandomExpressions::Integer(int depth) {
  if (depth == 0 || Chance(25)) {
    const std::optional<std::string> access = Access(/*integer=*/true, /*write=*/false);
    if (access && Chance(60)) return *access;
    if (Chance(70)) return absl::StrCat("(", Affine().text, ")");
    return absl::StrCat(1 + Pick(9));
  }
  const std::string a = Integer(depth - 1), b = Integer(depth - 1);
  switch (Pick(8)) {
    case 0:
      return absl::StrCat("(", a, " + 3 * ", b, ") % 101");
    case 1:
      return absl::StrCat("(", a, " - ", b, ")");
    case 2:
      return absl::StrCat("(", a, " < ", b, " ? ", a, " : ", b, ")");
    case 3:
      return absl::StrCat("(", a, ") / ", 2 + Pick(3));
    case 4:
      return absl::StrCat("(", a, ") % ", 5 + Pick(4));
    case 5:
      return absl::StrCat("abs((int)(", a, "))");
    case 6:
      return absl::StrCat("(", Condition(), " ? ", a, " : ", b, ")");
    default:
      return absl::StrCat("(", a, " + ", b, ") % 1009");
  }
}

std::string RandomExpressions::Literal() {
  static const std::vector<std::string>* const literals =
      new std::vector<std::string>{"0.5", "1.0", "0.25f", "2", "0.1", "1.5", "3.0f", "-0.75"};
  return One(*literals);
}

std::string RandomExpressions::Number(int depth) {
  if (depth == 0 || Chance(15)) {
    const std::optional<std::string> access = Access(/*integer=*/false, /*write=*/false);
    if (access && Chance(80)) return *access;
    switch (Pick(4)) {
      case 0:
        return absl::StrCat("0.01 * (", Affine().text, ")");
      case 1:
        return absl::StrCat("(double)(", Integer(1), ") * 0.001");
      case 2:
        return absl::StrCat("(float)(", Affine().text, ") * 0.125f");
      default:
        return Literal();
    }
  }
  const std::string a = Number(depth - 1), b = Number(depth - 1);
  switch (Pick(16)) {
    case 0:
      return absl::StrCat("(0.5 * (", a, ") + 0.5 * (", b, "))");
    case 1:
      return absl::StrCat("0.25 * (", a, " - (", b, "))");
    case 2:
      return absl::StrCat("(", a, ") / (2.0 + fabs(", b, "))");
    case 3:
      return absl::StrCat("sin(", a, ")");
    case 4:
      return absl::StrCat("sqrt(fabs(", a, "))");
    case 5:
      return absl::StrCat("exp(-fabs(", a, "))");
    case 6:
      return absl::StrCat(Chance(50) ? "fmin(" : "fmax(", a, ", ", b, ")");
    case 7:
      return absl::StrCat("((", a, ") < (", b, ") ? (", a, ") : (", b, "))");
    case 8:
      return absl::StrCat("(", Condition(), " ? ", a, " : ", b, ")");
    case 9:
      return absl::StrCat("(float)(", a, ")");
    case 10:
      return absl::StrCat("sqrt(", Index(0, 30).text, ") * 0.1");
    case 11:
      return absl::StrCat("cosf(", a, ") * 0.5f");
    case 12:
      return absl::StrCat("-(", a, ")");
    default:
      return absl::StrCat("(", a, " + ", b, ") * ", Chance(50) ? "0.5" : "0.5f");
  }
}

}  // namespace tune::testing
