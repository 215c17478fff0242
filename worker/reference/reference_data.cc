#include "worker/reference/reference_data.h"

#include <filesystem>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/scop/outside_access.h"
#include "common/scop/parameter_values.h"
#include "common/work/region_work.h"
#include "worker/reference/executed_statements.h"
#include "worker/reference/fresh_inputs.h"
#include "worker/reference/program_reference.h"
#include "worker/reference/seeded_inputs.h"
#include "worker/run/guarded_memory.h"

namespace tune {
namespace {

constexpr char kReferenceFile[] = "reference.pb";

absl::StatusOr<std::vector<int64_t>> ExtentsOf(const v1::Array& array, const v1::Reference& reference) {
  for (const v1::ArrayExtents& entry : reference.arrays()) {
    if (entry.name() == array.name())
      return std::vector<int64_t>(entry.extents().begin(), entry.extents().end());
  }
  return absl::InternalError(absl::StrCat("the reference lacks array ", array.name()));
}

// Of name, extents and bytes of the arrays in their order; `written`: of those that are written.
absl::StatusOr<std::string> FingerprintArrays(const StudyArrays& arrays, const ReferenceData& data,
                                              const std::string& subfolder, bool written) {
  Fingerprinter fingerprinter;
  for (const v1::Array& array : arrays) {
    if (array.declared_inside() || (written && array.read_only())) continue;
    TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> extents, ExtentsOf(array, data.reference));
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), extents));
    fingerprinter.Add(absl::StrCat(array.name(), "[", absl::StrJoin(extents, "]["), "]\n"));
    const std::string path = absl::StrCat(data.folder, "/", subfolder, "/", array.name(), ".bin");
    TUNE_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path, bytes));
    fingerprinter.Add(absl::string_view(static_cast<const char*>(file.data()), file.size()));
  }
  return fingerprinter.Finish();
}

absl::StatusOr<int64_t> TotalBytes(const StudyArrays& arrays, const v1::Reference& reference) {
  int64_t total = 0;
  for (const v1::Array& array : arrays) {
    if (array.declared_inside()) continue;
    TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> extents, ExtentsOf(array, reference));
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), extents));
    total += bytes;
  }
  return total;
}

// FAILED_PRECONDITION where the region's first execution does nothing, or leaves an array; what isl cannot
// tell in its limits is taken for right.
absl::Status CheckRun(const v1::Scop& scop, const v1::Reference& reference) {
  const absl::StatusOr<std::string> why = WhyNothingIsExecuted(scop, reference);
  if (why.ok() && !why->empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the region's first execution executes no statement: ", *why));
  }
  return CheckInside(scop, reference);
}

}  // namespace

absl::StatusOr<ReferenceData> BeginReference(const std::string& folder) {
  ReferenceData data;
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  data.folder = std::filesystem::absolute(folder, error).string();
  TUNE_RETURN_IF_ERROR(MakeFolder(data.folder + "/in"));
  TUNE_RETURN_IF_ERROR(MakeFolder(data.folder + "/out"));
  return data;
}

absl::Status CompleteReference(const StudyArrays& arrays, ReferenceData* data) {
  TUNE_ASSIGN_OR_RETURN(const std::string inputs, FingerprintArrays(arrays, *data, "in", false));
  TUNE_ASSIGN_OR_RETURN(const std::string outputs, FingerprintArrays(arrays, *data, "out", true));
  TUNE_ASSIGN_OR_RETURN(const int64_t bytes, TotalBytes(arrays, data->reference));
  data->reference.set_input_fingerprint(inputs);
  data->reference.set_output_fingerprint(outputs);
  data->reference.set_memory_bytes(bytes);
  return WriteFile(absl::StrCat(data->folder, "/", kReferenceFile), data->reference.SerializeAsString());
}

absl::StatusOr<ReferenceData> RunReference(const v1::StudySetup& setup, const ReferenceTools& tools,
                                           const std::string& folder, std::string* log) {
  // 1. An empty folder.
  TUNE_ASSIGN_OR_RETURN(ReferenceData data, BeginReference(folder));
  // 2. The program's own run, or the region on seeded inputs.
  if (setup.program().has_main()) {
    TUNE_RETURN_IF_ERROR(RunInstrumentedProgram(setup, tools, &data, log));
  } else {
    TUNE_RETURN_IF_ERROR(EvaluateExtents(setup, tools, &data, log));
    TUNE_RETURN_IF_ERROR(RunSeededRegion(setup, tools, &data, log));
  }
  // 3. What no candidate could be compared with.
  TUNE_RETURN_IF_ERROR(CheckRun(setup.scop(), data.reference));
  // 4. The region on inputs that differ a little.
  TUNE_RETURN_IF_ERROR(MakeFreshInputs(setup, tools, &data, log));
  // 5. A region whose work cannot be counted in the time there is has results without a bound.
  if (const absl::StatusOr<v1::RegionWork> work =
          CountRegionWork(setup.scop(), ParameterValueMap(data.reference));
      work.ok()) {
    *data.reference.mutable_work() = *work;
  }
  // 6. What the server needs to recognise the data.
  TUNE_RETURN_IF_ERROR(CompleteReference(setup.scop().arrays(), &data));
  return data;
}

absl::StatusOr<ReferenceData> LoadReference(const std::string& folder) {
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(absl::StrCat(folder, "/", kReferenceFile)));
  ReferenceData data;
  std::error_code error;
  data.folder = std::filesystem::absolute(folder, error).string();
  while (std::filesystem::is_directory(absl::StrCat(data.folder, "/fresh/", data.fresh_sets), error)) {
    ++data.fresh_sets;
  }
  if (!data.reference.ParseFromString(bytes))
    return absl::NotFoundError(absl::StrCat(folder, ": not a reference"));
  return data;
}

absl::StatusOr<std::vector<v1::RunnerArray>> RunnerArrays(const StudyArrays& arrays,
                                                          const ReferenceData& data, bool compare_outputs) {
  std::vector<v1::RunnerArray> entries;
  for (const v1::Array& array : arrays) {
    v1::RunnerArray& entry = entries.emplace_back();
    entry.set_name(array.name());
    entry.set_element_type(array.element_type());
    entry.set_read_only(array.read_only());
    *entry.mutable_others() = array.structure().others();
    if (array.declared_inside()) continue;
    TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> extents, ExtentsOf(array, data.reference));
    entry.mutable_extents()->Add(extents.begin(), extents.end());
    const std::string file = absl::StrCat(array.name(), ".bin");
    entry.set_input_file(absl::StrCat(data.folder, "/in/", file));
    if (!compare_outputs) continue;
    if (!array.read_only()) entry.set_expected_file(absl::StrCat(data.folder, "/out/", file));
    for (int set = 0; set < data.fresh_sets; ++set) {
      const std::string folder = absl::StrCat(data.folder, "/fresh/", set);
      v1::FreshInput& fresh = *entry.add_fresh();
      fresh.set_input_file(absl::StrCat(folder, "/in/", file));
      if (!array.read_only()) fresh.set_expected_file(absl::StrCat(folder, "/out/", file));
    }
  }
  return entries;
}

}  // namespace tune
