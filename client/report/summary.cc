#include "client/report/summary.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/report/device_text.h"
#include "client/report/match_text.h"
#include "client/report/objective_report.h"
#include "client/report/program_gain.h"
#include "client/report/roofline_text.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/evaluation/compared_times.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/rounding.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

std::string Headline(const v1::Study& study) {
  std::string head = absl::StrCat(StudyTitle(study), " (", study.id(), "): ", StudyStateName(study.state()));
  if (IsFinished(study.state()) && study.finished_unix_ms() > study.created_unix_ms()) {
    const auto took = absl::Milliseconds(study.finished_unix_ms() - study.created_unix_ms());
    absl::StrAppend(&head, " after ", FormatClock(took));
  }
  return head;
}

std::string Evaluations(const v1::Study& study) {
  std::string text = absl::StrCat(study.evaluated(), " of ", study.budget(), ": ", OutcomeCounts(study));
  if (study.duplicates() > 0) {
    absl::StrAppend(&text, "; ", study.duplicates(),
                    " of them the same code as an earlier one, not run again");
  }
  return text;
}

// What was looked at before it was measured; empty: nothing was.
std::string Inspections(const v1::Study& study) {
  if (!study.has_inspections()) return "";
  const v1::InspectionSummary& summary = study.inspections();
  std::string text = FormatCount(summary.inspected(), "configuration");
  if (summary.planned() > 0)
    absl::StrAppend(&text, "; before the search ", summary.planned(),
                    summary.whole_space() ? ", the whole space" : ", a sample of the space",
                    ": carving removed ", summary.removed(), ", kept ",
                    summary.planned() - summary.removed());
  if (summary.failed() > 0) absl::StrAppend(&text, "; ", summary.failed(), " cannot be built");
  return text;
}

// What the sequential program took: measured beside the best when confirmed, else in the reference run.
v1::Measurement Sequential(const v1::Study& study) {
  if (study.confirmation().sequential().median() > 0) return study.confirmation().sequential();
  v1::Measurement once;
  once.set_median(study.reference().sequential_seconds());
  return once;
}

constexpr char kBesideOthers[] = "; the worker had other work meanwhile";

// Whether what the sequential program took is known from a run beside other work alone.
bool IsBesideOthers(const v1::Study& study) {
  return study.beside_others() && Sequential(study).median() == study.reference().sequential_seconds();
}

// The default configuration, confirmed when it was among the best.
v1::Measurement Default(const v1::Study& study) {
  for (const v1::ConfirmedCandidate& candidate : study.confirmation().candidates()) {
    if (candidate.index() == 0 && candidate.measurement().median() > 0) return candidate.measurement();
  }
  return study.default_measurement();
}

// Gain with its range; the server's figure when it differs from the ratio of what is at hand.
std::string Gain(const v1::Measurement& slow, const v1::Measurement& fast, double told) {
  const std::string text = FormatGain(slow, fast);
  return text == "-" ? FormatGain(told) : text;
}

std::string EqualToBest(const v1::Study& study) {
  std::vector<std::string> equal;
  for (int64_t index : study.confirmation().equal_to_best()) {
    if (index != study.best_index()) equal.push_back(absl::StrCat(index));
  }
  if (equal.empty()) return "";
  return absl::StrCat(equal.size() == 1 ? "candidate " : "candidates ", absl::StrJoin(equal, ", "),
                      " cannot be told apart from the best (95% confidence)");
}

void AddTimes(std::string* text, const v1::Study& study) {
  const v1::Measurement sequential = Sequential(study), base = Default(study);
  AddLabelled(text, IsOfKernels(study) ? "reference" : "sequential",
              sequential.median() > 0
                  ? FormatMeasurement(sequential) + (IsBesideOthers(study) ? kBesideOthers : "")
                  : "");
  if (base.median() > 0) AddLabelled(text, "default", FormatMeasurement(base) + ", candidate 0");
  const v1::Measurement* best = BestMeasurement(study);
  if (best == nullptr) {
    if (study.evaluated() > 0) AddLabelled(text, "best", "no candidate was correct");
    return;
  }
  AddLabelled(text, "best", absl::StrCat(FormatMeasurement(*best), ", candidate ", study.best_index()));
  AddLabelled(text, "metrics", QuantitiesText(study.best(), study.best_metrics()));
  std::vector<std::string> gains;
  if (study.best_index() == 0) {
    gains.push_back("none over the default, which is the best");
  } else if (study.gain_over_default() > 0) {
    gains.push_back(Gain(base, *best, study.gain_over_default()) + " over the default");
  }
  if (study.gain_over_sequential() > 0) {
    gains.push_back(Gain(sequential, *best, study.gain_over_sequential()) +
                    (IsOfKernels(study) ? " over the reference" : " over the sequential program"));
  }
  AddLabelled(text, IsTimeObjective(study.search()) ? "gain" : "gain in time", absl::StrJoin(gains, "; "));
  AddLabelled(text, "equal", EqualToBest(study));
  for (const v1::ConfirmedCandidate& candidate : study.confirmation().candidates()) {
    if (candidate.measurement().median() > 0) continue;
    AddLabelled(text, "unconfirmed",
                absl::StrCat("candidate ", candidate.index(), ": ", candidate.message()));
  }
}

// "faster: 8.13x (7.91x .. 8.40x) over the original, 2.00 ms for 16.2 ms; its later executions in 12 runs of
// each".
std::string TimesText(const v1::ComparedTimes& times, absl::string_view what) {
  return absl::StrCat(SpeedVerdict(times), ": ", RatioText(times), " over the original, ",
                      FormatSeconds(times.tuned_seconds()), " for ", FormatSeconds(times.original_seconds()),
                      "; ", what, " in ", FormatCount(times.runs(), "run"), " of each");
}

// What became of the user's program with the best candidate in it.
void AddCheck(std::string* text, const v1::Study& study) {
  const v1::ProgramCheck& check = study.confirmation().check();
  if (!study.confirmation().has_check()) return;
  const bool on_gpu = study.device().target() == v1::CUDA;
  if (check.outcome() == v1::CORRECT) {
    std::string line = "the tuned program's outputs agree with the original's";
    if (!check.has_fresh() && check.seconds() > 0)
      absl::StrAppend(&line, "; ", FormatSeconds(check.seconds()), " for the region in one run");
    if (on_gpu) absl::StrAppend(&line, "; times are with copies to the device and back");
    if (check.beside_others()) absl::StrAppend(&line, kBesideOthers);
    if (!check.message().empty()) absl::StrAppend(&line, "; ", check.message());
    AddLabelled(text, "checked", line);
    if (check.has_fresh())
      AddLabelled(text, "fresh", TimesText(check.fresh(), "the region's first execution"));
    if (check.has_warm()) AddLabelled(text, "warm", TimesText(check.warm(), "its later executions"));
  } else if (IsOfKernels(study)) {
    return;  // there is no program
  } else if (check.outcome() == v1::OUTCOME_UNSPECIFIED) {
    AddLabelled(text, "unchecked", absl::StrCat("the tuned program was not run: ", check.message()));
  } else {
    AddLabelled(text, "warning",
                absl::StrCat("the tuned program failed its check (", OutcomeName(check.outcome()),
                             "): ", check.message()));
  }
}

// ", carving with margin 0.1".
std::string CarvingText(const v1::CarveOptions& carve) {
  if (carve.keep_all()) return ", each configuration inspected";
  std::string text = absl::StrFormat(", carving with margin %g", carve.margin());
  if (carve.has_uncoalesced())
    absl::StrAppendFormat(&text, ", at most %g of accesses uncoalesced", carve.uncoalesced());
  if (carve.has_bandwidth()) absl::StrAppendFormat(&text, ", at most %g of the bandwidth", carve.bandwidth());
  if (carve.has_bytes()) absl::StrAppendFormat(&text, ", at most %g times the least bytes", carve.bytes());
  return text;
}

}  // namespace

std::string Summary(const v1::Study& study, bool colours) {
  std::string text = absl::StrCat(Headline(study), "\n");
  std::string result;
  AddLabelled(&result, "result", ProgramGain(study));
  if (colours && !result.empty() && IsNoGain(study)) {
    result = RedLine(result);
  }
  text += result;
  if (!IsTimeObjective(study.search()) && !HasFailedInProgram(study))
    AddLabelled(&text, "in time", ProgramGainInTime(study));
  AddLabelled(&text, "times", HostAndDevice(study));
  AddLabelled(&text, "failure", study.failure());
  if (!study.device().model().empty()) {
    AddLabelled(&text, "device", absl::StrCat(study.device().model(), ", ", CoresText(study.device())));
  }
  AddLabelled(&text, "evaluations", Evaluations(study));
  AddLabelled(&text, "inspected", Inspections(study));
  AddLabelled(&text, "objective", ObjectiveText(study.search()));
  AddTimes(&text, study);
  if (const v1::Measurement* best = BestMeasurement(study); best != nullptr)
    AddLabelled(&text, "roofline", RooflineText(study, best->median()));
  AddCheck(&text, study);
  if (!IsOfKernels(study) && IsFinished(study.state()) && study.gain_over_sequential() > 0 &&
      study.gain_over_sequential() < 1) {
    AddLabelled(&text, "warning", "the best candidate is slower than the original region: keep the original");
  }
  if (study.reference().silent()) {
    AddLabelled(
        &text, "warning",
        "the program prints nothing: candidates were checked by the region's arrays alone, and a compiler "
        "may drop a region whose results nobody uses; print a result, or a checksum");
  }
  if (IsTimedOnDevice(study) && study.best_index() >= 0 && !IsOfKernels(study)) {
    AddLabelled(
        &text, "note",
        "default and best are times of the device, without copies between it and the host; sequential is "
        "the host's");
  }
  AddLabelled(&text, "note", study.space_note());
  for (const std::string& warning : study.warnings()) AddLabelled(&text, "warning", warning);
  return text;
}

std::string StudyDetails(const v1::Study& study, absl::Time now) {
  std::string text;
  const v1::SearchOptions& search = study.search();
  AddLabelled(&text, "owner", study.owner());
  AddLabelled(&text, "from", ProvenanceText(study));
  AddLabelled(&text, "target",
              GeneratorOf(study.generator()) == kSharedGenerator
                  ? "cpu+cuda: the outermost loop is divided among the GPU and its host"
              : study.target() == v1::TARGET_UNSPECIFIED ? "the best that a worker has"
                                                         : TargetWord(study.target()));
  if (GeneratorOf(study.generator()) == kPpcgGenerator) {
    AddLabelled(&text, "generator",
                study.device().ppcg().empty() ? kPpcgGenerator : OneLine(study.device().ppcg()));
  }
  AddLabelled(&text, "rounding", RoundingText(study.rounding()));
  if (study.device().target() == v1::CUDA) AddLabelled(&text, "gpu", DeviceLine(study.device()));
  AddLabelled(&text, "peaks", PeaksText(study.device()));
  AddLabelled(&text, "compiler", study.device().compiler());
  AddLabelled(&text, "system", study.device().operating_system());
  std::string constants;
  if (search.strategy() == "ants") {
    constants = absl::StrFormat(", %d ants, %d iterations, alpha %g, beta %g, rho %g", search.ants(),
                                search.iterations(), search.alpha(), search.beta(), search.rho());
    if (search.no_kernel_updates()) absl::StrAppend(&constants, ", no kernel updates");
    if (search.no_metrics()) absl::StrAppend(&constants, ", no metrics");
    if (search.no_tree()) absl::StrAppend(&constants, ", no tree");
  }
  if (search.strategy() == "tree" || search.strategy() == "portfolio") {
    constants = absl::StrFormat(", sigma %g, base offset %g", search.sigma(), search.base_offset());
  }
  if (search.level() > 1) absl::StrAppend(&constants, ", level ", search.level());
  if (search.has_carve()) absl::StrAppend(&constants, CarvingText(search.carve()));
  if (search.count_all()) absl::StrAppend(&constants, ", counters of all");
  AddLabelled(&text, "search", absl::StrCat(search.strategy(), ", seed ", search.seed(), constants));
  if (IsOfKernels(study)) {
    AddLabelled(&text, "kernel", absl::StrCat(study.region().function(), " in ", study.region().file()));
  } else if (!study.region().file().empty()) {
    AddLabelled(&text, "region",
                absl::StrCat(study.region().file(), ", lines ", study.region().begin_line(), " to ",
                             study.region().end_line(), ", in ", study.region().function()));
  }
  std::vector<std::string> values, arrays;
  for (const auto& value : study.reference().parameters()) {
    values.push_back(absl::StrCat(value.name(), " = ", value.value()));
  }
  AddLabelled(&text, "parameters", absl::StrJoin(values, ", "));
  for (const auto& array : study.reference().arrays()) {
    std::string extents;
    for (int64_t extent : array.extents()) absl::StrAppend(&extents, "[", extent, "]");
    arrays.push_back(array.name() + extents);
  }
  AddLabelled(&text, "arrays", absl::StrJoin(arrays, " "));
  if (study.reference().memory_bytes() > 0)
    AddLabelled(&text, "memory", FormatBytes(study.reference().memory_bytes()));
  if (study.reference().seeded()) AddLabelled(&text, "inputs", "made by the worker: the file has no main");
  if (study.reference().executions() > 1) {
    AddLabelled(&text, "executions",
                absl::StrCat(study.reference().executions(), "; the first was recorded"));
  }
  AddLabelled(&text, "created", FormatAge(study.created_unix_ms(), now));
  if (study.finished_unix_ms() > 0) AddLabelled(&text, "finished", FormatAge(study.finished_unix_ms(), now));
  return text;
}

}  // namespace tune
