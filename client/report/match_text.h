// How a stored result matches what was asked for, for people and as JSON.
#pragma once

#include <string>

#include "client/report/json.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// "same device (NVIDIA H200), other sizes (n = 4000 there)".
std::string MatchText(const v1::Match& match);

// Whether it is the same computation of the same sizes on the same device.
bool IsExact(const v1::Match& match);

// "n = 1000, m = 2000": the sizes that a study ran with; where it has no parameters, its arrays' extents.
// Empty when neither is known.
std::string SizesText(const v1::Reference& reference);

// "s3 (gemm) of ann@lab, 2 h ago: 173 us (172 us .. 174 us), 1.2x over default, 40x over sequential".
std::string KnownResultText(const v1::Study& study, absl::Time now);

// "archive lab:7410 s4": where a study comes from; empty when it was made here.
std::string ProvenanceText(const v1::Study& study);

// device ("same", "architecture", "other", "not compared"), sizes ("same", "settings", "unknown", "other"),
// exact, study as `show` prints it, configuration.
Json ToJson(const v1::Match& match);

}  // namespace tune
