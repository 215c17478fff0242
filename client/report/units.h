// Numbers as people read and write them.
#pragma once

#include <string>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

// Three significant digits and a unit: "1.32 ms", "850 ns", "12.3 s". "-" when not a number or negative.
std::string FormatSeconds(double seconds);

// Hours, minutes and seconds, rounded up: "0:41", "1:02:03". "-" when infinite.
std::string FormatClock(absl::Duration duration);

// "4.1x", "0.83x", "120x". "-" when it is not positive.
std::string FormatGain(double gain);

// The same with three digits, for ratios near one: "8.13x", "0.998x", "120x".
std::string FormatRatio(double ratio);

// Three significant digits and a prefix of powers of 1000: "4.10 TB/s", "512 MB/s", of `unit` "B/s".
std::string FormatRate(double rate, absl::string_view unit);

// "512 B", "2.0 GiB".
std::string FormatBytes(int64_t bytes);

// How long ago: "now", "5 min ago", "3 h ago", "12 d ago". "-" when unix_ms is 0.
std::string FormatAge(int64_t unix_ms, absl::Time now);

// Median and 95% interval: "1.32 ms (1.30 ms .. 1.35 ms)"; without samples "-".
std::string FormatMeasurement(const v1::Measurement& measurement);

// How many times `slow` is slower than `fast`, with the range that their intervals allow: "4.1x (4.0x
// .. 4.3x)".
// "-" when one of them has no samples.
std::string FormatGain(const v1::Measurement& slow, const v1::Measurement& fast);

// A count with its noun: "1 candidate", "3 candidates". The plural adds "s".
std::string FormatCount(int64_t count, absl::string_view noun);

// "2G", "512M", "64K", "4096", "2GiB", "1.5g": units are powers of 1024. INVALID_ARGUMENT with what is
// accepted.
absl::StatusOr<int64_t> ParseBytes(absl::string_view text);

// "30", "30s", "1.5m", "2h", "500ms": seconds. INVALID_ARGUMENT with what is accepted.
absl::StatusOr<double> ParseSeconds(absl::string_view text);

}  // namespace tune
