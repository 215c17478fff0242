// Enumerations as the words that people and JSON see, where common/evaluation/outcome.h has none.
#pragma once

#include <string>

#include "common/evaluation/outcome.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Lower-case names of the protocol: "idle", "search", "cpu". A value of a newer server prints as
// "unknown (17)"; unspecified as "-".
std::string WorkerStateWord(v1::WorkerView::State state);
std::string OriginWord(v1::Origin origin);
std::string TargetWord(v1::Target target);

// What a study is called in one line: its name, else its id.
std::string StudyTitle(const v1::Study& study);

// "12 correct, 3 timeout": those that occurred, in the protocol's order. "none" when there are none.
std::string OutcomeCounts(const v1::Study& study);

}  // namespace tune
