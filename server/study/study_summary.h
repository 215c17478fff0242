// What a study's evaluations amount to.
#pragma once

#include <map>
#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {

// By index. Evaluations may lack log and code.
using CandidateMap = std::map<int64_t, v1::Candidate>;

// Candidate of the search (not a replay) with an evaluation that counts (not CANCELLED).
bool CountsAsEvaluated(const v1::Candidate& candidate);

// Sets evaluated, outcomes, duplicates, best_index, best, default_measurement and the gains from the
// candidates and study->reference. The best is the smallest median of a CORRECT candidate, the lowest index
// of equal ones.
void Summarize(const CandidateMap& candidates, v1::Study* study);

// The `best` fastest CORRECT candidates of the search, duplicates left out, fastest first; and
// candidate 0 after them when it is CORRECT and not among them. Empty when nothing is CORRECT.
std::vector<int64_t> ChooseForConfirmation(const CandidateMap& candidates, int best);

// Orders the confirmed candidates, fastest first, those without measurement last; sets equal_to_best; then
// replaces the study's best and gains by the confirmed ones. Without any measurement the summary stays.
void ApplyConfirmation(v1::Confirmation confirmation, v1::Study* study);

}  // namespace tune
