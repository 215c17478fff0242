#include "client/report/units.h"

#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

// Three significant digits of a value below 1000.
std::string ThreeDigits(double value) {
  if (value >= 99.95) return absl::StrFormat("%.0f", value);
  if (value >= 9.995) return absl::StrFormat("%.1f", value);
  return absl::StrFormat("%.2f", value);
}

// Splits "1.5G" into 1.5 and "g".
bool SplitNumber(absl::string_view text, double* number, std::string* unit) {
  text = absl::StripAsciiWhitespace(text);
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  *unit = absl::AsciiStrToLower(absl::StripAsciiWhitespace(text.substr(end)));
  return end > 0 && absl::SimpleAtod(text.substr(0, end), number);
}

bool Measured(const v1::Measurement& measurement) { return measurement.median() > 0; }

}  // namespace

std::string FormatSeconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "-";
  if (seconds == 0) return "0 s";
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  for (const Unit& unit : kUnits) {
    const double value = seconds / unit.seconds;
    if (value >= 0.9995 || unit.seconds == 1e-9) return absl::StrCat(ThreeDigits(value), " ", unit.name);
  }
  return "-";
}

std::string FormatRate(double rate, absl::string_view unit) {
  struct Prefix {
    const char* name;
    double factor;
  };
  constexpr Prefix kPrefixes[] = {{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}};
  for (const Prefix& prefix : kPrefixes) {
    if (rate >= 0.9995 * prefix.factor)
      return absl::StrCat(ThreeDigits(rate / prefix.factor), " ", prefix.name, unit);
  }
  return absl::StrCat(ThreeDigits(rate), " ", unit);
}

std::string FormatClock(absl::Duration duration) {
  if (duration == absl::InfiniteDuration() || duration < absl::ZeroDuration()) return "-";
  const int64_t total = absl::ToInt64Seconds(absl::Ceil(duration, absl::Seconds(1)));
  const int64_t hours = total / 3600, minutes = total / 60 % 60, seconds = total % 60;
  if (hours > 0) return absl::StrFormat("%d:%02d:%02d", hours, minutes, seconds);
  return absl::StrFormat("%d:%02d", minutes, seconds);
}

std::string FormatGain(double gain) {
  if (!std::isfinite(gain) || gain <= 0) return "-";
  if (gain >= 99.95) return absl::StrFormat("%.0fx", gain);
  if (gain >= 0.995) return absl::StrFormat("%.1fx", gain);
  if (gain >= 0.0995) return absl::StrFormat("%.2fx", gain);
  return absl::StrFormat("%.2gx", gain);
}

std::string FormatRatio(double ratio) {
  if (!std::isfinite(ratio) || ratio <= 0) return "-";
  if (ratio >= 99.95) return absl::StrFormat("%.0fx", ratio);
  return absl::StrFormat("%#.3gx", ratio);
}

std::string FormatBytes(int64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double value = bytes;
  int unit = -1;
  while (value >= 1024 && unit < 3) {
    value /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.1f %s", value, kUnits[unit]);
}

std::string FormatAge(int64_t unix_ms, absl::Time now) {
  if (unix_ms == 0) return "-";
  const int64_t seconds = absl::ToInt64Seconds(now - absl::FromUnixMillis(unix_ms));
  if (seconds < 2) return "now";
  if (seconds < 120) return absl::StrCat(seconds, " s ago");
  if (seconds < 2 * 3600) return absl::StrCat(seconds / 60, " min ago");
  if (seconds < 48 * 3600) return absl::StrCat(seconds / 3600, " h ago");
  return absl::StrCat(seconds / 86400, " d ago");
}

std::string FormatMeasurement(const v1::Measurement& measurement) {
  if (!Measured(measurement)) return "-";
  std::string text = FormatSeconds(measurement.median());
  if (measurement.confidence_high() > 0) {
    absl::StrAppend(&text, " (", FormatSeconds(measurement.confidence_low()), " .. ",
                    FormatSeconds(measurement.confidence_high()), ")");
  }
  return text;
}

std::string FormatGain(const v1::Measurement& slow, const v1::Measurement& fast) {
  if (!Measured(slow) || !Measured(fast)) return "-";
  std::string text = FormatGain(slow.median() / fast.median());
  if (slow.confidence_low() > 0 && fast.confidence_low() > 0) {
    absl::StrAppend(&text, " (", FormatGain(slow.confidence_low() / fast.confidence_high()), " .. ",
                    FormatGain(slow.confidence_high() / fast.confidence_low()), ")");
  }
  return text;
}

std::string FormatCount(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

absl::StatusOr<int64_t> ParseBytes(absl::string_view text) {
  double number = 0;
  std::string unit;
  const absl::Status error = absl::InvalidArgumentError(
      absl::StrCat("\"", text, "\" is not a size: write a number with K, M, G or T, such as 2G or 512M"));
  if (!SplitNumber(text, &number, &unit)) return error;
  absl::string_view prefix = unit;
  if (!absl::ConsumeSuffix(&prefix, "ib")) absl::ConsumeSuffix(&prefix, "b");
  const size_t power = std::string("kmgt").find(std::string(prefix));
  if (prefix.size() > 1 || power == std::string::npos) return error;
  const double bytes = number * std::pow(1024.0, prefix.empty() ? 0 : power + 1);
  if (bytes >= 9e18) return error;
  return static_cast<int64_t>(bytes);
}

absl::StatusOr<double> ParseSeconds(absl::string_view text) {
  double number = 0;
  std::string unit;
  if (SplitNumber(text, &number, &unit)) {
    if (unit.empty() || unit == "s") return number;
    if (unit == "ms") return number / 1000;
    if (unit == "m" || unit == "min") return number * 60;
    if (unit == "h") return number * 3600;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", text, "\" is not a time: write seconds, or a number with ms, s, m or h, such as 90s or 5m"));
}

}  // namespace tune
