#include "server/study/inspected_kernels.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr int kMostKernels = 10'000;
constexpr size_t kLongestKernelText = 16 << 10;

absl::Status CheckKernel(const v1::InspectedKernel& kernel, const std::string& name) {
  if (kernel.function().size() > kLongestKernelText || !IsPlainLine(kernel.function()))
    return absl::InvalidArgumentError(absl::StrCat(name, " has a kernel whose name is no plain line"));
  const std::pair<const char*, double> numbers[] = {
      {"instructions", kernel.instructions()},
      {"regions", kernel.regions()},
      {"threads", kernel.threads()},
      {"launches", kernel.launches()},
      {"warps of a block", static_cast<double>(kernel.warps_per_block())},
      {"blocks of a multiprocessor", static_cast<double>(kernel.blocks_per_multiprocessor())},
      {"loaded bytes", kernel.loaded_bytes()},
      {"stored bytes", kernel.stored_bytes()},
      {"moved bytes", kernel.moved_bytes()},
      {"accesses", kernel.global_accesses()},
      {"uncoalesced accesses", kernel.uncoalesced_accesses()},
      {"unknown accesses", kernel.unknown_accesses()}};
  // Sums and products of as many of them as there can be stay numbers.
  constexpr double kMost = 1e60;
  for (const auto& [what, number] : numbers) {
    if (!(number >= 0 && number <= kMost))
      return absl::InvalidArgumentError(
          absl::StrCat(name, ", kernel ", kernel.function(), ": ", number, " is no number of ", what));
  }
  return absl::OkStatus();
}

}  // namespace

std::string InspectionName(int64_t index) { return absl::StrCat("inspection ", index); }

absl::Status CheckInspection(const v1::Inspection& inspection) {
  const std::string name = InspectionName(inspection.index());
  for (const std::string* text : {&inspection.failure(), &inspection.unknown()}) {
    if (text->size() > kLongestKernelText || !IsPlainLine(*text))
      return absl::InvalidArgumentError(absl::StrCat(name, " has a reason that is no plain line"));
  }
  const bool has_reason = !inspection.failure().empty() || !inspection.unknown().empty();
  if (has_reason != inspection.kernels().empty())
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must have either kernels or a reason why there are none"));
  if (inspection.kernels_size() > kMostKernels)
    return absl::InvalidArgumentError(absl::StrCat(name, " has ", inspection.kernels_size(), " kernels"));
  for (const v1::InspectedKernel& kernel : inspection.kernels())
    TUNE_RETURN_IF_ERROR(CheckKernel(kernel, name));
  return absl::OkStatus();
}

StaticMetrics MetricsOf(const v1::Inspection& inspection) {
  StaticMetrics metrics;
  metrics.configuration = InspectionName(inspection.index());
  for (const v1::InspectedKernel& inspected : inspection.kernels()) {
    KernelMetrics& kernel = metrics.kernels.emplace_back();
    kernel.kernel = inspected.function();
    kernel.instructions = inspected.instructions();
    kernel.regions = inspected.regions();
    kernel.threads = inspected.threads();
    kernel.launches = inspected.launches();
    kernel.warps_per_block = inspected.warps_per_block();
    kernel.blocks_per_multiprocessor = inspected.blocks_per_multiprocessor();
    kernel.loaded_bytes = inspected.loaded_bytes();
    kernel.stored_bytes = inspected.stored_bytes();
    kernel.moved_bytes = inspected.moved_bytes();
    kernel.global_accesses = inspected.global_accesses();
    kernel.uncoalesced_accesses = inspected.uncoalesced_accesses();
    kernel.unknown_accesses = inspected.unknown_accesses();
  }
  return metrics;
}

}  // namespace tune
