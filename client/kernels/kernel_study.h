// From the definition of hand-written kernels and the user's wishes to the study that is submitted.
#pragma once

#include <vector>

#include "client/submit/front_end.h"
#include "client/submit/sizes.h"
#include "client/submit/study_request.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// Whether the file is a definition, by its name: ".tune".
bool IsKernelDefinition(absl::string_view path);

// The study of a definition, whose files lie in the folder of request.file or below. What the command line
// says of search, limits and tolerance comes before what the definition says; --param gives the problem's
// sizes other values. Whether the source has the functions is the compiler's to tell. INVALID_ARGUMENT: a
// line for each fault; options that only regions have; a size that is not there. NOT_FOUND: a file that is
// not there.
absl::StatusOr<v1::StudySpec> MakeKernelSpec(v1::KernelDefinition definition, const FrontEndRequest& request,
                                             const StudyWishes& wishes);

// The same at each of several sizes, which --param does not give; their names are followed by SizeText.
absl::StatusOr<std::vector<v1::StudySpec>> MakeSizedKernelSpecs(const v1::KernelDefinition& definition,
                                                                const FrontEndRequest& request,
                                                                const StudyWishes& wishes,
                                                                const std::vector<ProgramSize>& sizes);

}  // namespace tune
