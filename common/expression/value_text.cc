#include "common/expression/value_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tune {
namespace {

// The fewest digits that read back as the same number, with an exponent where the point would be more than
// sixteen digits from the first or four zeros before it.
std::string PrintFloat(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), std::fabs(value), std::chars_format::scientific).ptr;
  const std::string text(buffer, end);
  const size_t mark = text.find('e');
  std::string digits = text.substr(0, 1);
  if (mark > 2) digits += text.substr(2, mark - 2);
  const int exponent = std::atoi(text.c_str() + mark + 1);
  if (exponent < -4 || exponent >= 16) {
    const std::string fraction = digits.size() > 1 ? "." + digits.substr(1) : "";
    return absl::StrFormat("%s%s%se%+03d", sign, digits.substr(0, 1), fraction, exponent);
  }
  if (exponent < 0) return absl::StrCat(sign, "0.", std::string(-exponent - 1, '0'), digits);
  const size_t whole = exponent + 1;
  if (digits.size() <= whole)
    return absl::StrCat(sign, digits, std::string(whole - digits.size(), '0'), ".0");
  return absl::StrCat(sign, digits.substr(0, whole), ".", digits.substr(whole));
}

std::string PrintString(const std::string& value) {
  const bool single = value.find('\'') == std::string::npos || value.find('"') != std::string::npos;
  const char quote = single ? '\'' : '"';
  std::string text(1, quote);
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppendFormat(&text, "\\x%02x", byte);
    } else {
      text += c;
    }
  }
  return text + quote;
}

}  // namespace

std::string PrintValue(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kBoolean:
      return value.IsTrue() ? "True" : "False";
    case Value::Kind::kInteger:
      return absl::StrCat(value.whole());
    case Value::Kind::kFloat:
      return PrintFloat(value.AsDouble());
    case Value::Kind::kString:
      return PrintString(value.string());
    case Value::Kind::kList:
      break;
  }
  std::string text = "[";
  for (const Value& item : value.list()) {
    if (text.size() > 1) text += ", ";
    text += PrintValue(item);
  }
  return text + "]";
}

std::string TextOfValue(const Value& value) { return value.IsString() ? value.string() : PrintValue(value); }

}  // namespace tune
