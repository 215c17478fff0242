#include "common/expression/number_conversions.h"

#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

absl::Status NoNumber(const Value& value, absl::string_view function) {
  return absl::InvalidArgumentError(absl::StrCat(function, " takes a number, not ", KindName(value.kind())));
}

// `whole` is a whole number, infinite or none at all.
absl::StatusOr<Value> Fitting(double whole) {
  constexpr double kPastLargest = 9223372036854775808.0;  // 2^63
  if (whole >= -kPastLargest && whole < kPastLargest) return Value::Integer(static_cast<int64_t>(whole));
  return absl::InvalidArgumentError("the float does not fit into an integer of 64 bits");
}

// Without blanks around it and underscores between digits; "" where there are others.
std::string DigitsOf(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  std::string digits;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool between =
        i > 0 && i + 1 < text.size() && absl::ascii_isdigit(text[i - 1]) && absl::ascii_isdigit(text[i + 1]);
    if (text[i] == '_' && !between) return "";
    if (text[i] != '_') digits += text[i];
  }
  return digits;
}

absl::Status NoNumberIn(const Value& value) {
  return absl::InvalidArgumentError(absl::StrCat("\"", EscapeLine(value.string()), "\" is no number"));
}

template <typename Rounding>
absl::StatusOr<Value> Round(const Value& value, absl::string_view function, Rounding rounding) {
  if (value.IsWhole()) return Value::Integer(value.whole());
  if (!value.IsFloat()) return NoNumber(value, function);
  return Fitting(rounding(value.AsDouble()));
}

// To the nearest multiple of 10^zeros, to the even one of two.
absl::StatusOr<Value> RoundToZeros(int64_t value, int64_t zeros) {
  if (zeros > 19) return Value::Integer(0);
  __int128 unit = 1;
  for (int64_t i = 0; i < zeros; ++i) unit *= 10;
  __int128 quotient = value / unit;
  __int128 rest = value % unit;
  if (rest < 0) {
    rest += unit;
    --quotient;
  }
  if (2 * rest > unit || (2 * rest == unit && quotient % 2 != 0)) ++quotient;
  const __int128 rounded = quotient * unit;
  const auto fitting = static_cast<int64_t>(rounded);
  if (fitting == rounded) return Value::Integer(fitting);
  return absl::InvalidArgumentError("the rounded number does not fit into 64 bits");
}

}  // namespace

absl::StatusOr<Value> ToInteger(const Value& value) {
  if (!value.IsString()) return Round(value, "int", [](double number) { return std::trunc(number); });
  int64_t number = 0;
  if (!absl::SimpleAtoi(DigitsOf(value.string()), &number)) return NoNumberIn(value);
  return Value::Integer(number);
}

absl::StatusOr<Value> ToFloat(const Value& value) {
  if (value.IsNumber()) return Value::Float(value.AsDouble());
  if (!value.IsString()) return NoNumber(value, "float");
  const std::string digits = DigitsOf(value.string());
  double number = 0;
  // Hexadecimal ones, and "nan" with more behind it, are none in Python.
  const bool other = digits.find_first_of("xX") != std::string::npos || absl::StrContains(digits, "(");
  if (digits.empty() || other || !absl::SimpleAtod(digits, &number)) return NoNumberIn(value);
  return Value::Float(number);
}

absl::StatusOr<Value> RoundUp(const Value& value) {
  return Round(value, "ceil", [](double number) { return std::ceil(number); });
}

absl::StatusOr<Value> RoundDown(const Value& value) {
  return Round(value, "floor", [](double number) { return std::floor(number); });
}

absl::StatusOr<Value> RoundToWhole(const Value& value) {
  return Round(value, "round", [](double number) { return std::nearbyint(number); });
}

absl::StatusOr<Value> RoundToPlaces(const Value& value, const Value& places) {
  if (!places.IsWhole()) return NoNumber(places, "round, as its second argument,");
  if (value.IsWhole() && places.whole() >= 0) return Value::Integer(value.whole());
  if (value.IsWhole()) return RoundToZeros(value.whole(), places.whole() < -20 ? 20 : -places.whole());
  if (!value.IsFloat()) return NoNumber(value, "round");
  if (places.whole() < 0)
    return absl::InvalidArgumentError("round takes no negative number of places of a float");
  constexpr int64_t kMostPlaces = 323;  // all that a float has
  if (!std::isfinite(value.AsDouble()) || places.whole() > kMostPlaces) return value;
  const std::string text = absl::StrFormat("%.*f", static_cast<int>(places.whole()), value.AsDouble());
  return Value::Float(std::strtod(text.c_str(), nullptr));
}

}  // namespace tune
