#include "worker/cases/online_file.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "common/scop/scop.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/case_file.h"
#include "worker/cases/case_file_text.h"
#include "worker/cases/online_check_text.h"
#include "worker/cases/online_text.h"

namespace tune {
namespace {

int AxesOf(const ParametricRegion& region) {
  int axes = 0;
  for (const ParametricKernel& kernel : region.kernels) axes = std::max(axes, kernel.axes);
  return axes;
}

template <typename Holds>
bool AnyKernel(const ParametricRegion& region, const Holds& holds) {
  return std::any_of(region.kernels.begin(), region.kernels.end(), holds);
}

// Whether some tile is read across the direction in which neighbours in a warp lie: it is there for the order
// of its accesses.
bool Transposes(const ParametricKernel& kernel) {
  for (const KernelPhase& phase : kernel.phases) {
    for (const CachedArray& cached : phase.caches) {
      for (size_t d = 0; d + 1 < cached.dimensions.size(); ++d) {
        const std::vector<int64_t>& coefficients = cached.dimensions[d].coefficients;
        if (!coefficients.empty() && coefficients.back() != 0) return true;
      }
    }
  }
  return false;
}

// Which rules there are.
struct Rules {
  bool compute, intensity, reuse;
};

Rules RulesOf(const ParametricRegion& region, const FeedbackMetrics& metrics) {
  Rules rules = {};
  rules.compute = !metrics.compute.empty();
  rules.intensity = rules.compute && !metrics.memory.empty();
  rules.reuse = !metrics.reuse.empty() && !AnyKernel(region, Transposes) &&
                AnyKernel(region, [](const ParametricKernel& kernel) { return kernel.HasCaches(); });
  return rules;
}

// double NAME(void *, const double *, const long *inputs)
std::string MetricFunction(const std::string& name, const std::string& metric, const v1::Scop& scop,
                           const HelperNames& names) {
  const std::string& value = names.value;
  const std::string inputs = value + "_inputs";
  std::string text = absl::StrCat("double ", name, "(void *, const double *, const long *", inputs, ") {\n");
  for (int i = 0; i < scop.parameters_size(); ++i)
    absl::StrAppend(&text, "  [[maybe_unused]] const long long ", scop.parameters(i).name(), " = ", inputs,
                    "[", i, "];\n");
  if (scop.parameters().empty()) absl::StrAppend(&text, "  (void)", inputs, ";\n");
  return absl::StrCat(text, "  double ", value, " = 0;\n", metric, "  return ", value, ";\n}\n");
}

// Gives up where the call does not succeed.
std::string Unless(const std::string& call) { return absl::StrCat("    if (!", call, ") return false;\n"); }
std::string UnlessOk(const std::string& call) {
  return absl::StrCat("    if (", call, " != TUNE_OK) return false;\n");
}

// What the rules count, for those that are there.
std::string Metrics(const std::string& prefix, const v1::Scop& scop, const HelperNames& names,
                    const FeedbackMetrics& metrics, const Rules& rules) {
  std::string text;
  if (rules.compute)
    absl::StrAppend(&text, "// Instances of statements.\n",
                    MetricFunction(prefix + "_compute", metrics.compute, scop, names));
  if (rules.intensity)
    absl::StrAppend(&text, "// Elements that an access reaches, summed over all accesses.\n",
                    MetricFunction(prefix + "_memory", metrics.memory, scop, names));
  if (rules.reuse)
    absl::StrAppend(&text, "// At most so many reads of an element in an iteration of an outermost loop.\n",
                    MetricFunction(prefix + "_reuse", metrics.reuse, scop, names));
  return text;
}

std::string SharedMemory(const std::string& prefix, const ParametricRegion& region, const Rules& rules,
                         const std::string& parent) {
  if (!AnyKernel(region, [](const ParametricKernel& kernel) { return kernel.HasCaches(); })) return "";
  std::string text = absl::StrCat(UnlessOk("tune_add_nominal(region, \"shared\", kSharedMemory, 2, &shared)"),
                                  UnlessOk(absl::StrCat("tune_add_condition(region, shared, ", parent, ")")));
  if (rules.reuse)
    text +=
        Unless(absl::StrCat("Rule(TUNE_MIN_REUSE, shared, 1, ", prefix, "_MIN_REUSE, ", prefix, "_reuse)"));
  if (!AnyKernel(region, [](const ParametricKernel& kernel) { return kernel.HasStrips(); })) return text;
  return absl::StrCat(text, Unless("Powers(\"strip\", 64, 32, shared, 1, &strip)"));
}

// "double A[ni][nk], double alpha"
std::string Arguments(const v1::Scop& scop) {
  std::vector<std::string> texts;
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside() && array.extents_size() > 0) continue;
    std::string text = absl::StrCat(ElementCType(array.element_type()), " ", array.name());
    for (const auto& extent : array.extents()) absl::StrAppend(&text, "[", extent.c_expression(), "]");
    texts.push_back(absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", " "}}));
  }
  return absl::StrJoin(texts, ", ");
}

// What libtune is told of a call: the parameters among its sizes.
std::string Inputs(const v1::Scop& scop) {
  int first = 0;
  for (const v1::Array& array : scop.arrays()) first += array.declared_inside() ? 0 : array.extents_size();
  std::vector<std::string> inputs;
  for (int i = 0; i < scop.parameters_size(); ++i)
    inputs.push_back(absl::StrCat("static_cast<long>(sizes[", first + i, "])"));
  return inputs.empty() ? "0" : absl::StrJoin(inputs, ", ");
}

// How the elements of each array, of complex numbers their parts, are compared.
std::string Kinds(const v1::Scop& scop) {
  std::vector<std::string> kinds;
  for (const v1::Array& array : scop.arrays()) {
    const v1::ElementType part = ComponentType(array.element_type());
    const bool is_float = part == v1::ELEMENT_TYPE_FLOAT, is_double = part == v1::ELEMENT_TYPE_DOUBLE;
    kinds.push_back(is_float ? "'f'" : is_double ? "'d'" : "'i'");
  }
  return kinds.empty() ? "'i'" : absl::StrJoin(kinds, ", ");
}

}  // namespace

std::string OnlineRegionText(const v1::Scop& scop, const ParametricRegion& region,
                             const FeedbackMetrics& metrics) {
  const std::string prefix = CIdentifier(scop.name());
  return absl::StrReplaceAll(
      kOnlineRegion, {{"PREFIX", prefix},
                      {"METRICS", Metrics(prefix, scop, region.names, metrics, RulesOf(region, metrics))},
                      {"INPUTS", Inputs(scop)},
                      {"INPUT_COUNT", absl::StrCat(scop.parameters_size())},
                      {"ARGUMENTS", Arguments(scop)}});
}

std::string OnlineOriginalText(const v1::Scop& scop, const std::string& result_sizes) {
  return absl::StrReplaceAll(kOnlineOriginal,
                             {{"PREFIX", CIdentifier(scop.name())}, {"RESULT_SIZES", result_sizes}});
}

std::string OnlineCheckText(const v1::Scop& scop) {
  return absl::StrReplaceAll(kOnlineCheck, {{"PREFIX", CIdentifier(scop.name())}, {"KINDS", Kinds(scop)}});
}

std::string DeviceRules(const ParametricRegion& region, const FeedbackMetrics& metrics,
                        const std::string& choice) {
  const std::string prefix = CIdentifier(region.scop.name());
  const Rules rules = RulesOf(region, metrics);
  std::string text;
  if (rules.compute)
    text += Unless(
        absl::StrCat("Rule(TUNE_MIN_COMPUTE, ", choice, ", ", prefix, "_MIN_COMPUTE, ", prefix, "_compute)"));
  if (rules.intensity)
    text += Unless(absl::StrCat("Rule(TUNE_COMPUTE_INTENSITY, ", choice, ", ", prefix, "_COMPUTE_INTENSITY, ",
                                prefix, "_compute, ", prefix, "_memory)"));
  return text;
}

bool HasFormats(const ParametricRegion& region) { return AxesOf(region) > 0; }

std::string FormatParameters(const ParametricRegion& region, const FeedbackMetrics& metrics,
                             const std::string& parent) {
  const int axes = AxesOf(region);
  const auto powers = [&](const char* name, int high, int initial) {
    return Unless(
        absl::StrCat("Powers(\"", name, "\", ", high, ", ", initial, ", ", parent, ", &", name, ")"));
  };
  std::string text = powers("x", 512, 32);
  if (axes > 1) text += powers("y", 32, axes > 2 ? 4 : 8);
  if (axes > 2) text += powers("z", 8, 2);
  text += powers("points", 8, 2);
  return text + SharedMemory(CIdentifier(region.scop.name()), region, RulesOf(region, metrics), parent);
}

CaseEntry MakeOnlineEntry(const std::string& identity, const ParametricRegion& region,
                          const FeedbackMetrics& metrics) {
  const v1::Scop& scop = region.scop;
  const int platforms = HasFormats(region) ? 3 : 2;
  std::string define;
  for (int choice = 1; choice < platforms; ++choice)
    define += DeviceRules(region, metrics, absl::StrCat("choice, ", choice));
  if (HasFormats(region)) define += FormatParameters(region, metrics, "choice, kFormats");
  const std::string entry = absl::StrReplaceAll(kOnlineEntry, {{"PREFIX", CIdentifier(scop.name())},
                                                               {"IDENTITY", identity},
                                                               {"PLATFORMS", absl::StrCat(platforms)},
                                                               {"DEFINE", define}});
  return {kOnlineIncludes, kOnlineDeclarations,
          absl::StrCat(RunText(scop), OnlineCheckText(scop), OnlineRegionText(scop, region, metrics), entry,
                       OnlineOriginalText(scop, "sizes")),
          /*picks=*/true};
}

std::string PickFunction(const ParametricKernel& kernel, const std::string& threads) {
  static const char* const formats[] = {"1, 1, 1", "picked->x, 1, 1", "picked->y, picked->x, 1",
                                        "picked->z, picked->y, picked->x"};
  std::string format = formats[kernel.axes];
  // A warp is full, as far as there are threads.
  if (kernel.shares_sums && kernel.axes == 0) format = "picked->x, 1, 1";
  if (kernel.shares_sums && kernel.axes == 1)
    format = kernel.neighbours_share ? "(picked->x + 31) / 32, picked->x < 32 ? picked->x : 32, 1"
                                     : "picked->x < 32 ? picked->x : 32, (picked->x + 31) / 32, 1";
  return absl::StrReplaceAll(
      kOnlinePick, {{"FUNCTION", kernel.function},
                    {"LIMITS", kernel.HasCaches() ? "  if (!picked->shared) allowed.shared = 0;\n" : ""},
                    {"FORMAT", format},
                    {"THREADS", threads}});
}

absl::Status CheckOnlineName(const v1::Scop& scop) {
  const std::string name = CIdentifier(scop.name());
  if (name != "create" && name != "find") return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(scop.name(), ": libtune has a function tune_region_", name,
                                                 ", which the region's entry point would be: rename "
                                                 "the function around the region"));
}

absl::Status CheckOnlineArrays(const v1::Scop& scop) {
  for (const v1::Array& array : scop.arrays()) {
    if (!array.read_only() && array.element_type() == v1::ELEMENT_TYPE_FLOAT16)
      return absl::InvalidArgumentError(absl::StrCat(
          scop.name(), ": it writes `", array.name(), "`, whose elements are of ",
          ElementCType(array.element_type()),
          ", and a program that tunes itself compares numbers of float and double, also complex ones, and "
          "integers; use --cases without --online"));
    // Those have a tolerance.
    if (array.read_only() || !IsFloating(array.element_type()) || array.structure().others().empty())
      continue;
    return absl::InvalidArgumentError(absl::StrCat(
        scop.name(), ": it writes `", array.name(),
        "`, whose structures have members of other types as well, and a program that tunes itself compares "
        "arrays of one type; use --cases without --online, or an array for each member"));
  }
  return absl::OkStatus();
}

}  // namespace tune
