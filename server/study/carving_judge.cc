#include "server/study/carving_judge.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "common/space/cuda_device_options.h"
#include "server/search/search_options.h"
#include "server/study/inspected_kernels.h"

namespace tune {
namespace {

// CUDA C++ Programming Guide, the sections "Architecture": each has four schedulers; of compute
// capability 6.0 two.
Multiprocessors MultiprocessorsOf(const v1::Device& device) {
  const v1::CudaDevice& cuda = device.cuda();
  const bool has_two = cuda.compute_capability_major() == 6 && cuda.compute_capability_minor() == 0;
  return {.count = static_cast<int>(device.cores()), .schedulers = has_two ? 2 : 4};
}

// Of single threads, all multiprocessors together: a warp a clock and scheduler.
double InstructionsPerSecond(const v1::Device& device) {
  const Multiprocessors multiprocessors = MultiprocessorsOf(device);
  return 1e3 * device.cuda().clock_khz() * multiprocessors.count * multiprocessors.schedulers * 32;
}

absl::StatusOr<CarvingOptions> OptionsOf(const v1::CarveOptions& options, const v1::Device& device) {
  CarvingOptions carving;
  carving.multiprocessors = MultiprocessorsOf(device);
  carving.margin = options.margin();
  carving.most_uncoalesced.reset();
  if (options.has_uncoalesced()) carving.most_uncoalesced = options.uncoalesced();
  if (options.has_bytes()) carving.most_bytes = options.bytes();
  if (!options.has_bandwidth()) return carving;
  carving.most_bandwidth = options.bandwidth();
  carving.device_instructions_per_second = InstructionsPerSecond(device);
  carving.device_bytes_per_second = FactsOf(device).memory_bandwidth;
  if (carving.device_instructions_per_second <= 0 || carving.device_bytes_per_second <= 0)
    return absl::FailedPreconditionError(
        absl::StrCat("the driver of ", device.model(),
                     " does not tell its clock or its memory's: a limit of bandwidth cannot be applied; "
                     "leave --carve-bandwidth out"));
  return carving;
}

// Of what has no metrics; no value: it has some.
std::optional<CarvingVerdict> VerdictWithoutMetrics(const v1::Inspection& inspection) {
  const std::string name = InspectionName(inspection.index());
  CarvingVerdict verdict;
  verdict.removed = !inspection.failure().empty();
  if (verdict.removed) {
    verdict.reason = absl::StrCat(name, " is removed: it cannot be built: ", inspection.failure());
  } else if (!inspection.unknown().empty()) {
    verdict.reason = absl::StrCat(name, " is kept: nothing is known of it: ", inspection.unknown());
  } else {
    return std::nullopt;
  }
  return verdict;
}

// "inspection 17" -> 17.
int64_t IndexOf(const StaticMetrics& metrics) {
  int64_t index = -1;
  const size_t blank = metrics.configuration.rfind(' ');
  return absl::SimpleAtoi(metrics.configuration.substr(blank + 1), &index) ? index : -1;
}

CarvingVerdict VerdictAt(const Carving& carving, const std::vector<StaticMetrics>& all, size_t i) {
  CarvingVerdict verdict;
  verdict.removed = carving.removed[i].has_value();
  verdict.reason = Explain(carving, all, i);
  verdict.metrics = carving.metrics[i];
  if (verdict.removed) {
    if (const auto* surpassed = std::get_if<IsSurpassed>(&*carving.removed[i]))
      verdict.by = IndexOf(all[surpassed->by]);
  }
  return verdict;
}

}  // namespace

absl::StatusOr<CarvingJudge> CarvingJudge::Make(const v1::CarveOptions& options, const v1::Device& device,
                                                std::vector<v1::Inspection> surveyed) {
  TUNE_RETURN_IF_ERROR(CheckCarveOptions(options));
  CarvingJudge judge;
  TUNE_ASSIGN_OR_RETURN(judge.options_, OptionsOf(options, device));
  TUNE_RETURN_IF_ERROR(judge.Judge(surveyed));
  return judge;
}

absl::Status CarvingJudge::Judge(const std::vector<v1::Inspection>& surveyed) {
  verdicts_.resize(surveyed.size());
  std::vector<size_t> positions;  // of known_ among all
  for (size_t i = 0; i < surveyed.size(); ++i) {
    if (std::optional<CarvingVerdict> verdict = VerdictWithoutMetrics(surveyed[i])) {
      verdicts_[i] = *std::move(verdict);
    } else {
      known_.push_back(MetricsOf(surveyed[i]));
      positions.push_back(i);
    }
  }
  TUNE_ASSIGN_OR_RETURN(const Carving carving, Carve(known_, options_));
  CarvingOptions without_margin = options_;
  without_margin.margin = 0;
  TUNE_ASSIGN_OR_RETURN(const Carving front, Carve(known_, without_margin));
  for (size_t i = 0; i < positions.size(); ++i) {
    verdicts_[positions[i]] = VerdictAt(carving, known_, i);
    verdicts_[positions[i]].on_front = !front.removed[i].has_value();
  }
  for (const size_t i : BestFirst(carving)) kept_.push_back(positions[i]);
  for (size_t i = 0; i < surveyed.size(); ++i) {
    if (!surveyed[i].unknown().empty() && !verdicts_[i].removed) kept_.push_back(i);
  }
  return absl::OkStatus();
}

CarvingVerdict CarvingJudge::VerdictOn(const v1::Inspection& other) const {
  if (std::optional<CarvingVerdict> verdict = VerdictWithoutMetrics(other)) return *std::move(verdict);
  std::vector<StaticMetrics> all = known_;
  all.push_back(MetricsOf(other));
  const absl::StatusOr<Carving> carving = Carve(all, options_);
  CarvingVerdict verdict;
  if (!carving.ok()) {
    verdict.reason = absl::StrCat(all.back().configuration, " is kept: ", carving.status().message());
    return verdict;
  }
  return VerdictAt(*carving, all, all.size() - 1);
}

}  // namespace tune
