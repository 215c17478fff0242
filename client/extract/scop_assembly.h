// One region as one Scop message.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "client/extract/region/region_finder.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/source/file_facts.h"
#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct AssembledScop {
  v1::Scop scop;  // complete when `refusals` is empty; region.file is left to the caller
  std::vector<Refusal> refusals;
  // The elements of each array that accesses reach, isl's text of a set, [params] -> { A[i, j] : }: fewer
  // than the relations have where conditions in values keep accesses from being made.
  std::map<std::string, std::string> reached = {};
  // Parameters that the file sets to one constant (known_value.h), as decimal numbers.
  std::map<std::string, std::string> known = {};
};

// RESOURCE_EXHAUSTED or INTERNAL when isl gives up.
absl::StatusOr<AssembledScop> AssembleScop(const clang::ASTContext& ast, const FoundRegion& found,
                                           const FileFacts& facts);

// What the user is told of a region on which AssembleScop gave up.
Refusal GivenUp(const FoundRegion& found, const absl::Status& error);

}  // namespace tune
