// A schedule of ours in the form that PPCG loads.
#pragma once

#include <map>
#include <string>

#include "common/isl/isl.h"

namespace tune {

// The text of `schedule`, over { S[i, j] }, as a schedule tree over the range of `iterations`, { S[i] -> S[c]
// }, with the parameters' values written into it. To be called inside IslContext::Run; throws isl::exception.
std::string ScheduleForPpcg(const isl::schedule& schedule, const isl::union_map& iterations,
                            const std::map<std::string, int64_t>& parameter_values);

// isl's text without parameters: `[n] -> { S[i] : 2i < n }` becomes `{ S[i] : 2i < 33 }`.
std::string WithParameterValues(const std::string& isl_text,
                                const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
