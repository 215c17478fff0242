// Results of other tools as studies without code.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/archive.pb.h"

namespace tune {

// Candidate `index`, of a search unless something else is said of its origin, evaluated; its configuration
// and its evaluation are for the caller to set.
v1::Candidate ResultCandidate(int64_t index);

// Makes the evaluation CORRECT with these samples in seconds. Where there are none, or one is no number above
// 0, as some tools write what they have not measured, it has no time.
void SetSamples(const std::vector<double>& samples, v1::Evaluation* evaluation);

// A study that has ended, from `source`, a file or an address; `format`: of its provenance.
v1::Study ResultStudy(const std::string& format, const std::string& source);

// `study` with its best candidate, by its objective, and its counts of outcomes, and its fingerprint.
v1::ArchivedStudy ArchiveOfResults(v1::Study study, std::vector<v1::Candidate> candidates);

}  // namespace tune
