// Lines of fields, as libtune's files have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace libtune {

// Fields are separated by tabs; in a field, %, control characters and "=" and "," stand as %XX, so that names
// and values can be put together by the latter two.
std::string EncodedField(std::string_view text);
std::optional<std::string> DecodedField(std::string_view field);

std::vector<std::string_view> SplitAt(std::string_view text, char separator);

// All of the text is a finite number, or an integer.
std::optional<double> ParsedNumber(std::string_view text);
std::optional<long> ParsedInteger(std::string_view text);
// Reads back as the same number, whatever the locale.
std::string NumberText(double number);

// FNV-1a of 64 bits, as 16 digits.
std::string Checksum(std::string_view text);

}  // namespace libtune
