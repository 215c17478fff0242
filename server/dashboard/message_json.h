// The page's JSON: fields named as `tunectl --json` names them, added to, never renamed.
#pragma once

#include "common/json/message_json.h"
#include "server/dashboard/candidate_table.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Seconds throughout; times are milliseconds since 1970, null when not set. Texts may be anything: see
// PrintJsonLine.
Json DeviceJson(const v1::Device& device);
Json EvaluationJson(const v1::Evaluation& evaluation);  // without log, code and device_file
Json WorkerJson(const v1::WorkerView& worker);
// Everything of a study, and what a list shows of it: medians in place of measurements.
Json StudyJson(const v1::Study& study);
Json StudyRowJson(const v1::Study& study);
// "search", "replay", "online": why a candidate exists.
std::string OriginText(v1::Origin origin);

Json CandidateRowJson(const CandidateTable& table, const CandidateRow& row);  // one of its rows

// Best, default and sequential time of a study; 0 where there is none. Confirmed ones where they are.
double BestSeconds(const v1::Study& study);
double DefaultSeconds(const v1::Study& study);
double SequentialSeconds(const v1::Study& study);

// "cpu", "cuda", "" while it is open.
std::string TargetName(v1::Target target);

}  // namespace tune
