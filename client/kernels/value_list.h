// The values of a tuning parameter as people write them.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

inline constexpr int kMostParameterValues = 100'000;

// Commas between items: a value (`16`, `0.5`, `True`), a text as it stands or in quotes (`float`,
// `'a b'`), a range whose both ends belong to it (`1..8`, `8..64..8`, `64..8..-8`), or an expression for a
// value or a list (`[2**i for i in range(6)]`). INVALID_ARGUMENT with the item, also where there are more
// than kMostParameterValues.
absl::StatusOr<std::vector<v1::TuningValue>> ReadValueList(absl::string_view text);

// The values of an expression for a list.
absl::StatusOr<std::vector<v1::TuningValue>> EvaluateValueList(absl::string_view expression);

// What ReadValueList reads as the same values.
std::string WriteValueList(const google::protobuf::RepeatedPtrField<v1::TuningValue>& values);
std::string WriteTuningValue(const v1::TuningValue& value);

}  // namespace tune
