#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/array/element_type.h"
#include "common/base/file.h"
#include "common/evaluation/measurement.h"
#include "worker/reference/index_inputs.h"
#include "worker/reference/original_region.h"
#include "worker/reference/seeded_inputs.h"

namespace tune {
namespace {

absl::Status WriteInputs(const v1::StudySetup& setup, const ReferenceData& data) {
  int64_t total = 0;
  int index = 0;
  for (const bool write : {false, true}) {
    index = 0;
    for (const v1::Array& array : setup.scop().arrays()) {
      if (array.declared_inside()) continue;
      const v1::ArrayExtents& entry = data.reference.arrays(index);
      const std::vector<int64_t> extents(entry.extents().begin(), entry.extents().end());
      TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), extents));
      if (!write && (__builtin_add_overflow(total, bytes, &total) || total > setup.limits().memory_bytes())) {
        return absl::ResourceExhaustedError(
            absl::StrFormat("the region's arrays need more than the %.1f MiB allowed (up to array %s: %.1f "
                            "MiB); allow more with "
                            "--memory, or give smaller values with --param",
                            setup.limits().memory_bytes() / 1048576.0, array.name(), total / 1048576.0));
      }
      if (write) {
        std::string values = SeededValues(array.element_type(), extents, setup.seed(), index);
        if (array.is_truth()) std::for_each(values.begin(), values.end(), [](char& value) { value &= 1; });
        TUNE_RETURN_IF_ERROR(
            WriteFile(absl::StrCat(data.folder, "/in/", array.name(), ".bin"), std::move(values)));
      }
      ++index;
    }
  }
  return absl::OkStatus();
}

// Nobody but the program knows which values stay inside of the arrays.
absl::Status CheckIndices(const v1::Scop& scop) {
  const std::set<std::string> indices = ArraysThatIndex(scop);
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside() || indices.count(array.name()) == 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the values of `", array.name(),
        "` say which elements the region accesses, and the file has no main that sets them: add a "
        "main that calls the function with fitting data"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunSeededRegion(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log) {
  TUNE_RETURN_IF_ERROR(CheckIndices(setup.scop()));
  TUNE_RETURN_IF_ERROR(WriteInputs(setup, *data));
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_ASSIGN_OR_RETURN(const std::string library,
                        CompileRegionAlone(setup, tools, data->reference, folder.path() + "/program", log));
  RunRequest request;
  request.wall_seconds = setup.limits().reference_seconds();
  request.cancellation = tools.cancellation;
  request.job.add_candidates()->set_library(library);
  request.job.set_record_folder(data->folder + "/out");
  request.job.set_memory_bytes(setup.limits().memory_bytes());
  request.job.set_file_bytes(std::max(setup.limits().file_bytes(), setup.limits().memory_bytes()));
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::RunnerArray> arrays,
                        RunnerArrays(setup.scop().arrays(), *data, false));
  for (const v1::RunnerArray& array : arrays) *request.job.add_arrays() = array;
  TUNE_ASSIGN_OR_RETURN(const RunOutcome outcome, tools.runner->Run(request));
  *log = outcome.log;
  const v1::RunnerVerdict& verdict = outcome.verdicts.at(0);
  if (verdict.outcome() == v1::CANCELLED) return absl::CancelledError("cancelled");
  if (verdict.outcome() != v1::CORRECT) {
    return absl::FailedPreconditionError(
        absl::StrCat("the region, run alone on seeded inputs, failed: ", verdict.message(),
                     verdict.outcome() == v1::TIMEOUT
                         ? "; give smaller values with --param, or more time with --reference-time"
                         : "; add a main to the file that calls it with fitting data"));
  }
  data->reference.set_sequential_seconds(Median({verdict.samples().begin(), verdict.samples().end()}));
  data->reference.set_executions(1);
  data->reference.set_seeded(true);
  return absl::OkStatus();
}

}  // namespace tune
