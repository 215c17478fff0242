// Schedule trees of a plan's stages, as a person gets them.
#pragma once

#include <string>
#include <vector>

#include "worker/codegen/cuda_generator.h"

namespace tune::testing {

// Those of which trees can be given.
inline std::vector<std::string> MappingStages() { return {"block", "threads", "tiles", "copies", "host"}; }

// Printed and read again; none when no kernel has the stages.
inline absl::StatusOr<TreeTexts> PrintedTrees(const CudaPlan& plan, const CudaSpaceOptions& options,
                                              const v1::Reference& reference,
                                              const std::vector<std::string>& stages) {
  v1::Diagnosis diagnosis;
  diagnosis.mutable_stages()->Add(stages.begin(), stages.end());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Finding> findings,
                        DiagnoseCuda(plan, options, reference, diagnosis));
  std::string text;
  for (const v1::Finding& finding : findings) text += PrintTreeText(finding.title(), finding.text());
  if (text.empty()) return TreeTexts();
  return ReadTreeTexts(text);
}

}  // namespace tune::testing
