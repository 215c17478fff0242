#include "worker/parts/parts_file.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/isl/ast.h"
#include "common/scop/online_identity.h"
#include "common/scop/scop.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/case_call.h"
#include "worker/cases/case_discussion.h"
#include "worker/cases/case_file.h"
#include "worker/cases/online_file.h"
#include "worker/cases/online_text.h"
#include "worker/cases/plain_expression.h"
#include "worker/lower/expression_lowering.h"
#include "worker/parts/divided_region.h"
#include "worker/parts/host_part.h"
#include "worker/parts/online_parts_text.h"
#include "worker/parts/parts_text.h"
#include "worker/parts/slice_text.h"

namespace tune {
namespace {

constexpr size_t kMostParts = 4;

absl::Status CheckParts(const std::string& text) {
  if (text == "original") return absl::OkStatus();
  const std::vector<std::string> parts = absl::StrSplit(text, ',');
  // It goes into the file as it is.
  bool right = parts.size() <= kMostParts && std::all_of(text.begin(), text.end(), absl::ascii_isgraph);
  double sum = 0;
  for (const std::string& part : parts) {
    const std::pair<std::string, std::string> words = absl::StrSplit(part, absl::MaxSplits(':', 1));
    double share = 1;
    if (words.first.size() < part.size()) right = right && absl::SimpleAtod(words.second, &share);
    right = right && (words.first == "cpu" || words.first == "gpu") && share >= 0 && share <= 1e9;
    sum += share;
  }
  if (right && sum > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--parts ", text, ": write 1 to 4 platforms with shares, such as cpu:1,gpu:3, or original"));
}

// The condition on the region's own parameters.
absl::StatusOr<std::string> RequirementOf(const DividedRegion& divided, const v1::Scop& part) {
  IslContext context;
  return context.Run("sizes of parts", [&]() -> absl::StatusOr<std::string> {
    isl::set sizes(context.ctx(), part.context());
    for (const std::string& name : {divided.first, divided.end}) sizes = sizes.project_out_param(name);
    const isl::ast_build build = MakeBuild(isl::set::universe(sizes.space()), {});
    return UserText(ExpressionLowering({}).Lower(build.expr_from(sizes)), part);
  });
}

// Executions of parts on the device.
std::string PartsOnDevice(const DividedRegion& divided, const ParametricRegion& region,
                          const std::vector<PartSlice>& slices) {
  return SliceText(region, slices) +
         absl::StrReplaceAll(WithHelperPrefix(kPartsOnDevice, region.names),
                             {{"PREFIX", CIdentifier(region.scop.name())},
                              {"ON_HOST", kDevicePartsOnHost},
                              {"COUNT", absl::StrCat(SizeCount(region))},
                              {"DEFINITIONS", SizeDefinitions(region, SizeChoice::kOfCall)},
                              {"LOWEST", PlainText(divided.lowest)},
                              {"HIGHEST", PlainText(divided.highest)}});
}

// `on_device`: what PartsOnDevice gives.
CaseEntry GivenPartsEntry(const std::string& on_device, const ParametricRegion& region,
                          const std::string& parts, int64_t fewer_threads) {
  const std::string entry = absl::StrReplaceAll(kPartsEntry, {{"PREFIX", CIdentifier(region.scop.name())},
                                                              {"\"PARTS\"", absl::StrCat("\"", parts, "\"")},
                                                              {"DIVISOR", absl::StrCat(fewer_threads)}});
  return {"#include <cstring>\n#include <new>\n#include <vector>\n", "", absl::StrCat(on_device, entry)};
}

CaseEntry OnlinePartsEntry(const v1::Scop& scop, const std::string& on_device, const ParametricRegion& region,
                           const FeedbackMetrics& metrics) {
  std::string define;
  if (HasFormats(region)) {
    define = absl::StrCat(
        "    if (tune_add_nominal(region, \"formats\", kFormatChoices, 2, &formats) != TUNE_OK) return "
        "false;\n"
        "    if (!Where(formats, divisions, [](int i) { return Uses(i, true); })) return false;\n",
        FormatParameters(region, metrics, "formats, 1"));
  }
  const std::string entry =
      absl::StrReplaceAll(kOnlinePartsEntry, {{"PREFIX", CIdentifier(scop.name())},
                                              {"IDENTITY", OnlineIdentity(scop) + kPartsOfIdentity},
                                              {"RULES", DeviceRules(region, metrics, "choice, i")},
                                              {"DEFINE", define}});
  return {absl::StrCat(kOnlineIncludes, "#include <new>\n#include <thread>\n"), kOnlineDeclarations,
          absl::StrCat(on_device, OnlineCheckText(scop), OnlineRegionText(scop, region, metrics), entry,
                       OnlineOriginalText(scop, "WholeSizes(sizes).values")),
          /*picks=*/true};
}

// OpenMP's functions under names of their own, as the file may include omp.h.
constexpr char kSetThreads[] = R"(#ifdef _OPENMP
  extern int tune_most_threads(void) __asm__("omp_get_max_threads");
  extern void tune_set_threads(int) __asm__("omp_set_num_threads");
  const int tune_threads_before = tune_most_threads();
  if (tune_range[2] > 0) tune_set_threads((int)tune_range[2]);
  if (tune_range[2] < 0) tune_set_threads(1 + (tune_threads_before - 1) / (int)-tune_range[2]);
#endif
)";
constexpr char kResetThreads[] = R"(#ifdef _OPENMP
  if (tune_range[2] != 0) tune_set_threads(tune_threads_before);
#endif
)";

// The C block in the region's place; `host`: runs a part.
std::string PartsCall(const ParametricRegion& region, const std::string& host) {
  const CallArguments call = ArgumentsOfCall(region);
  const std::string name = absl::StrCat("tune_part_", CIdentifier(region.scop.name()));
  return absl::StrCat("{\n  extern int ", name,
                      "(void *const *arrays, const long long *sizes, void **call, long long *range);\n",
                      call.definitions,
                      "  void *tune_call = 0;\n  long long tune_range[3] = {0, 0, 0};\n  int tune_left;\n  "
                      "while ((tune_left = ",
                      name, "(tune_arrays, tune_sizes, &tune_call, tune_range)) > 0) {\n", kSetThreads, host,
                      kResetThreads, "  }\n  tune_done = tune_left == 0;\n}\n");
}

}  // namespace

const char kDevicePartsOnHost[] = ": the CPU runs the GPU's parts, too: ";

bool RunsOriginal(const std::string& device_file) {
  return absl::StrContains(device_file, "_PARTS \"original\"\n");
}

absl::StatusOr<DiscussedParts> DiscussedParts::Make(const v1::Scop& scop, const std::string& architecture,
                                                    bool exact, std::vector<std::string>* notes) {
  DiscussedParts parts;
  parts.scop_ = scop;
  TUNE_ASSIGN_OR_RETURN(parts.divided_, DivideRegion(scop));
  TUNE_ASSIGN_OR_RETURN(parts.region_, MakeParametricRegion(parts.divided_.part, /*further=*/2, exact));
  TUNE_ASSIGN_OR_RETURN(parts.slices_, SlicesOfPart(scop, parts.divided_, parts.region_.scop));
  TUNE_ASSIGN_OR_RETURN(parts.host_, PrintHostPart(parts.region_.scop, "tune_range[0]", "tune_range[1]"));
  TUNE_ASSIGN_OR_RETURN(parts.kernels_,
                        DiscussKernels(parts.region_, architecture, notes, &parts.discussion_));
  TUNE_ASSIGN_OR_RETURN(const std::string requirement, RequirementOf(parts.divided_, parts.region_.scop));
  parts.discussion_.set_requirement(requirement);
  return parts;
}

absl::StatusOr<v1::CaseDiscussion> DiscussedParts::Print(const PartWishes& wishes,
                                                         std::vector<std::string>* notes) const {
  TUNE_RETURN_IF_ERROR(wishes.online ? CheckOnlineArrays(scop_) : CheckParts(wishes.parts));
  v1::CaseDiscussion discussion = discussion_;
  try {
    const std::string on_device = PartsOnDevice(divided_, region_, slices_);
    const CaseEntry entry = wishes.online
                                ? OnlinePartsEntry(scop_, on_device, region_, MetricsOf(scop_, notes))
                                : GivenPartsEntry(on_device, region_, wishes.parts, wishes.fewer_threads);
    discussion.set_code(PartsCall(region_, host_));
    if (wishes.online) discussion.set_after_original(OriginalDoneCall(region_));
    discussion.set_device_file(PrintCaseFile(region_, kernels_, entry, wishes.formats));
  } catch (const std::logic_error& error) {
    return absl::InternalError(absl::StrCat(scop_.name(), ": ", error.what()));
  }
  return discussion;
}

absl::Status DiscussedParts::CheckSizes(const std::map<std::string, int64_t>& values) const {
  TUNE_ASSIGN_OR_RETURN(const bool possible, ContextAllows(region_.scop, values));
  if (possible) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      scop_.name(), ": at these sizes CPU and GPU cannot share it, which needs ", discussion_.requirement()));
}

absl::StatusOr<v1::CaseDiscussion> DiscussParts(const v1::Scop& scop, const PartWishes& wishes,
                                                std::vector<std::string>* notes) {
  if (!wishes.online) TUNE_RETURN_IF_ERROR(CheckParts(wishes.parts));
  TUNE_ASSIGN_OR_RETURN(const DiscussedParts parts,
                        DiscussedParts::Make(scop, wishes.architecture, wishes.exact, notes));
  return parts.Print(wishes, notes);
}

}  // namespace tune
