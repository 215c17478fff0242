// What studies found as formats for files with cases.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Of each kernel of the configuration that has blocks: the block's threads along each axis, points of a
// thread along the last one, and the innermost tile as strip. None for studies that are not of a GPU, or have
// no best candidate: `best` is that one's configuration.
v1::CaseFormats CaseFormatsOf(const v1::Study& study, const v1::Configuration& best);

// As JSON text, and back: INVALID_ARGUMENT names what is wrong in it.
std::string PrintCaseFormats(const v1::CaseFormats& formats);
absl::StatusOr<v1::CaseFormats> ParseCaseFormats(absl::string_view text);

}  // namespace tune
