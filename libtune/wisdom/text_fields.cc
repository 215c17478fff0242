#include "libtune/wisdom/text_fields.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace libtune {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

int DigitOf(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  return -1;
}

template <typename Number>
std::optional<Number> Parsed(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string EncodedField(std::string_view text) {
  std::string field;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7f || letter == '%' || letter == '=' || letter == ',') {
      field += '%';
      field += kDigits[byte >> 4];
      field += kDigits[byte & 15];
    } else {
      field += letter;
    }
  }
  return field;
}

std::optional<std::string> DecodedField(std::string_view field) {
  std::string text;
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '%') {
      text += field[i];
      continue;
    }
    if (i + 2 >= field.size()) return std::nullopt;
    const int high = DigitOf(field[i + 1]);
    const int low = DigitOf(field[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<double> ParsedNumber(std::string_view text) {
  const std::optional<double> number = Parsed<double>(text);
  return number.has_value() && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<long> ParsedInteger(std::string_view text) { return Parsed<long>(text); }

std::string NumberText(double number) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), number);
  return {text, end};
}

std::string Checksum(std::string_view text) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (const char letter : text) sum = (sum ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[sum >> shift & 15];
  return digits;
}

}  // namespace libtune
