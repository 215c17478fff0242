// Recorded arrays of members of one type, of structures that have others.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// In the files of in/ and out/ below `records`, of arrays that have some of an object's members
// (Array.object), sets to zero what is no member of theirs: another array has it, and what the program makes
// of it there is none of their values. Errors: those of files, and of ones with more than `limit` bytes.
absl::Status KeepOwnMembers(const v1::Scop& scop, const std::string& records, int64_t limit);

}  // namespace tune
