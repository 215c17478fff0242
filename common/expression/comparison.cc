#include "common/expression/comparison.h"

#include <algorithm>
#include <cmath>
#include <compare>

namespace tune {
namespace {

std::partial_ordering OrderWholeAndFloat(int64_t whole, double number) {
  if (std::isnan(number)) return std::partial_ordering::unordered;
  constexpr double kPastLargest = 9223372036854775808.0;  // 2^63
  if (number >= kPastLargest) return std::partial_ordering::less;
  if (number < -kPastLargest) return std::partial_ordering::greater;
  const double floor = std::floor(number);
  const auto below = static_cast<int64_t>(floor);
  if (whole != below) return whole <=> below;
  return floor < number ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering OrderNumbers(const Value& a, const Value& b) {
  if (a.IsWhole() && b.IsWhole()) return a.whole() <=> b.whole();
  if (a.IsFloat() && b.IsFloat()) return a.AsDouble() <=> b.AsDouble();
  if (a.IsWhole()) return OrderWholeAndFloat(a.whole(), b.AsDouble());
  return 0 <=> OrderWholeAndFloat(b.whole(), a.AsDouble());
}

bool IsOrder(Comparison comparison, std::partial_ordering order) {
  switch (comparison) {
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

absl::StatusOr<bool> CompareOrder(Comparison comparison, const Value& a, const Value& b) {
  if (a.IsNumber() && b.IsNumber()) return IsOrder(comparison, OrderNumbers(a, b));
  if (a.IsString() && b.IsString()) return IsOrder(comparison, a.string().compare(b.string()) <=> 0);
  if (!a.IsList() || !b.IsList()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no order of ", KindName(a.kind()), " and ", KindName(b.kind())));
  }
  const auto [left, right] =
      std::mismatch(a.list().begin(), a.list().end(), b.list().begin(), b.list().end(), AreEqual);
  if (left != a.list().end() && right != b.list().end()) return CompareOrder(comparison, *left, *right);
  return IsOrder(comparison, a.list().size() <=> b.list().size());
}

absl::StatusOr<bool> Contains(const Value& whole, const Value& part) {
  if (whole.IsList()) {
    return std::any_of(whole.list().begin(), whole.list().end(),
                       [&](const Value& item) { return AreEqual(item, part); });
  }
  if (whole.IsString() && part.IsString()) return whole.string().find(part.string()) != std::string::npos;
  return absl::InvalidArgumentError(
      absl::StrCat("\"in\" looks through a list or for a string in a string, not for ", KindName(part.kind()),
                   " in ", KindName(whole.kind())));
}

}  // namespace

bool AreEqual(const Value& a, const Value& b) {
  if (a.IsNumber() && b.IsNumber()) return OrderNumbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  if (a.IsString()) return a.string() == b.string();
  return std::equal(a.list().begin(), a.list().end(), b.list().begin(), b.list().end(), AreEqual);
}

absl::StatusOr<bool> Compare(Comparison comparison, const Value& a, const Value& b) {
  switch (comparison) {
    case Comparison::kEqual:
      return AreEqual(a, b);
    case Comparison::kNotEqual:
      return !AreEqual(a, b);
    case Comparison::kIn:
      return Contains(b, a);
    case Comparison::kNotIn: {
      TUNE_ASSIGN_OR_RETURN(const bool contains, Contains(b, a));
      return !contains;
    }
    default:
      return CompareOrder(comparison, a, b);
  }
}

}  // namespace tune
