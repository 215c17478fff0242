// One region as tuned code, without server, study, program run or GPU.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/evaluation/generator.h"
#include "common/space/schedule_space.h"
#include "tune/v1/archive.pb.h"
#include "worker/codegen/given_trees.h"

namespace tune {

struct GenerateRequest {
  v1::Device device;                      // cpu, or cuda as of DeviceOfArchitecture
  std::map<std::string, int64_t> values;  // of parameters, and of names in array extents
  std::string generator = kBuiltinGenerator;
  std::string ppcg;  // path of ppcg; empty: TUNE_PPCG, or the one in PATH
  // How to decide: as recorded; else at random by a seed; else by default but for settings, key to option.
  std::optional<v1::Configuration> configuration;
  std::optional<uint64_t> seed;
  std::map<std::string, std::string> settings;
  ScheduleLevel level = ScheduleLevel::kO1;  // without a configuration, which has its own
  v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED;
  v1::Diagnosis diagnosis;
  TreeTexts trees;  // in place of those that mapping makes; cuda
};

// The region as a study that was never measured: its device, reference and rounding, and one candidate with
// configuration, code, device_file and the findings of the diagnosis. `notes` as AssumeReference.
// INVALID_ARGUMENT: the request is not possible for this region, target or generator; FAILED_PRECONDITION:
// the mapping is wrong, or there is no ppcg; RESOURCE_EXHAUSTED, INTERNAL: from isl.
absl::StatusOr<v1::ArchivedStudy> GenerateRegion(const v1::Scop& scop, const GenerateRequest& request,
                                                 std::vector<std::string>* notes);

}  // namespace tune
