// What a study's evaluations amount to.
#pragma once

#include <map>
#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {

// What is kept in memory of a candidate that has its evaluation; all of it is in the store.
struct CandidateRecord {
  double seconds = 0;  // median; 0: not CORRECT
  double cost = 0;     // by the objective, less is better; 0: not known
  v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;
  bool counts = false;  // CountsAsEvaluated
  bool duplicate = false;
  int64_t arrival = 0;  // evaluations of the study that had come before, in this run of the server
};
using CandidateRecords = std::map<int64_t, CandidateRecord>;  // by index

CandidateRecord RecordOf(const v1::SearchOptions& search, const v1::Candidate& candidate);

// Candidate of a search, an application's own among them (not a replay), with an evaluation that counts
// (IsOfARun).
bool CountsAsEvaluated(const v1::Candidate& candidate);

// Takes a candidate that has just got its evaluation into the summary of all before it: evaluated, outcomes,
// duplicates, best_index, best, default_measurement, the metrics of both, and the gains, these by
// study->reference. The best is the CORRECT candidate with the least cost by the objective of study->search,
// the lowest index of equal ones. Candidates of replays do not count; each other one must be taken in once,
// in any order.
void CountEvaluation(const v1::Candidate& candidate, v1::Study* study);

// The summary as it is before the first evaluation.
void ForgetEvaluations(v1::Study* study);

// The `best` CORRECT candidates of the search with the least costs, duplicates left out, the best first; and
// candidate 0 after them when it is CORRECT and not among them. Empty when nothing is CORRECT.
std::vector<int64_t> ChooseForConfirmation(const CandidateRecords& candidates, int best);

// Orders the confirmed candidates, fastest first, those without measurement last; sets equal_to_best; then
// replaces the study's best and gains by the confirmed ones. Without any measurement the summary stays; also
// with another objective than time, which the confirmation does not measure.
void ApplyConfirmation(v1::Confirmation confirmation, v1::Study* study);

}  // namespace tune
