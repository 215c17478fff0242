// How much work polyhedral analyses may be.
#pragma once

namespace tune {

// Of the environment: a whole number from 1 to kMostAnalysisLimit.
inline constexpr char kAnalysisLimitVariable[] = "TUNE_ANALYSIS_LIMIT";
inline constexpr int kMostAnalysisLimit = 1000;

// How many times the usual work and time every IslContext allows: what the environment says when it is asked
// first, else 1.
int AnalysisLimit();

}  // namespace tune
