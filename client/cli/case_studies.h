// Studies whose regions are written for all sizes and GPUs.
#pragma once

#include <string>
#include <vector>

#include "client/cli/tuned_output.h"

namespace tune {

// The file of the studies' regions, each once, with code for all sizes (StudySpec.cases; all of them have
// it). Formats are those that the server knows of the same computation, on whatever device and with whatever
// sizes. FAILED_PRECONDITION: a study has no cases, as its warnings tell; errors of the generator.
absl::StatusOr<TunedOutput> PrintCaseStudies(Session& session, StudyClient& client,
                                             const std::vector<TunedStudy>& studies,
                                             const std::string& output);

}  // namespace tune
