#include "client/report/carving_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

std::string Percent(double share) { return absl::StrFormat("%.1f %%", 100 * share); }

std::string TimeText(const v1::InspectionView& view) {
  return absl::StrCat(FormatSeconds(view.seconds()), " (candidate ", view.candidate_plus_one() - 1,
                      ", inspection ", view.inspection().index(), ")");
}

std::string StateText(const v1::InspectionView& view) {
  if (!view.inspection().failure().empty()) return "does not build";
  if (view.removed()) return "removed";
  if (!view.inspection().unknown().empty()) return "unknown";
  return view.on_front() ? "front" : "kept";
}

}  // namespace

CarvingFigures FiguresOf(const std::vector<v1::InspectionView>& views) {
  CarvingFigures figures;
  const auto is_faster = [&](size_t i, const std::optional<size_t>& than) {
    return !than.has_value() || views[i].seconds() < views[*than].seconds();
  };
  for (size_t i = 0; i < views.size(); ++i) {
    const v1::InspectionView& view = views[i];
    ++figures.inspected;
    figures.failed += !view.inspection().failure().empty();
    figures.unknown += !view.inspection().unknown().empty();
    figures.kept += !view.removed();
    if (view.seconds() <= 0) continue;
    ++figures.measured;
    figures.measured_removed += view.removed();
    if (is_faster(i, figures.best)) figures.best = i;
    if (!view.removed() && is_faster(i, figures.best_kept)) figures.best_kept = i;
  }
  return figures;
}

std::optional<double> BestKeptOverBest(const CarvingFigures& figures,
                                       const std::vector<v1::InspectionView>& views) {
  if (!figures.best.has_value()) return std::nullopt;
  if (!figures.best_kept.has_value()) return 0;
  return views[*figures.best].seconds() / views[*figures.best_kept].seconds();
}

std::string CarvingReport(const std::string& study_id, const std::vector<v1::InspectionView>& views) {
  const CarvingFigures figures = FiguresOf(views);
  std::string text =
      absl::StrCat(study_id, ": ", FormatCount(figures.inspected, "configuration"), " inspected\n");
  AddLabelled(&text, "kept", absl::StrCat(figures.kept, ", ", Percent(figures.ShareKept()), " of them"));
  const int removed = figures.inspected - figures.kept;
  AddLabelled(&text, "removed",
              figures.failed > 0 ? absl::StrCat(removed, ", of which ", figures.failed, " cannot be built")
                                 : absl::StrCat(removed));
  if (figures.unknown > 0) AddLabelled(&text, "unknown", absl::StrCat(figures.unknown, ", which are kept"));
  AddLabelled(&text, "measured",
              absl::StrCat(figures.measured, " correct ones, ", figures.measured_removed,
                           " of them of those that are removed"));
  const std::optional<double> ratio = BestKeptOverBest(figures, views);
  if (!ratio.has_value()) return text;
  AddLabelled(&text, "best of all", TimeText(views[*figures.best]));
  if (figures.best_kept.has_value()) AddLabelled(&text, "best kept", TimeText(views[*figures.best_kept]));
  AddLabelled(&text, "ratio", absl::StrCat("the best kept has ", Percent(*ratio), " of the best speed"));
  if (figures.measured_removed < removed - figures.failed)
    AddLabelled(&text, "note",
                "not all that is removed was measured: something faster may be among it; a study with "
                "--inspect and strategy uniform measures all");
  return text;
}

std::string CarvingTable(const std::vector<v1::InspectionView>& views) {
  using Align = Table::Align;
  Table table({{"inspection", Align::kRight},
               {"efficiency", Align::kRight},
               {"utilisation", Align::kRight},
               {"state", Align::kLeft},
               {"by", Align::kRight},
               {"candidate", Align::kRight},
               {"time", Align::kRight}});
  for (const v1::InspectionView& view : views) {
    const bool known = view.inspection().kernels_size() > 0;
    table.AddRow({absl::StrCat(view.inspection().index()),
                  known ? absl::StrFormat("%.4g", view.efficiency()) : "",
                  known ? absl::StrFormat("%.4g", view.utilization()) : "", StateText(view),
                  view.by_plus_one() > 0 ? absl::StrCat(view.by_plus_one() - 1) : "",
                  view.candidate_plus_one() > 0 ? absl::StrCat(view.candidate_plus_one() - 1) : "",
                  view.seconds() > 0 ? FormatSeconds(view.seconds()) : ""});
  }
  return table.Print();
}

std::string InspectionText(const v1::InspectionView& view) {
  std::string text = absl::StrCat(OneLine(view.reason()), "\n");
  if (view.seconds() > 0) AddLabelled(&text, "measured", TimeText(view));
  for (const v1::InspectedKernel& kernel : view.inspection().kernels()) {
    AddLabelled(
        &text, OneLine(kernel.function()),
        absl::StrFormat("%.5g instructions and %.4g regions of a thread, %.4g threads, %.4g launches, "
                        "%d warps a block, %d blocks a multiprocessor, %.4g bytes moved by a thread%s",
                        kernel.instructions(), kernel.regions(), kernel.threads(), kernel.launches(),
                        kernel.warps_per_block(), kernel.blocks_per_multiprocessor(), kernel.moved_bytes(),
                        kernel.sure() ? "" : "; some of it is assumed"));
  }
  for (const v1::Decision& decision : view.inspection().configuration().decisions())
    absl::StrAppend(&text, "  ", OneLine(decision.key()), " = ", OneLine(decision.option()), "\n");
  return text;
}

Json ToJson(const v1::InspectionView& view) {
  const auto index_or_null = [](int64_t plus_one) { return plus_one > 0 ? Json(plus_one - 1) : Json(); };
  Json kernels = Json::array();
  for (const v1::InspectedKernel& kernel : view.inspection().kernels()) {
    kernels.push_back({{"function", kernel.function()},
                       {"instructions", kernel.instructions()},
                       {"regions", kernel.regions()},
                       {"threads", kernel.threads()},
                       {"launches", kernel.launches()},
                       {"warps_per_block", kernel.warps_per_block()},
                       {"blocks_per_multiprocessor", kernel.blocks_per_multiprocessor()},
                       {"moved_bytes", kernel.moved_bytes()},
                       {"global_accesses", kernel.global_accesses()},
                       {"uncoalesced_accesses", kernel.uncoalesced_accesses()},
                       {"sure", kernel.sure()}});
  }
  return {{"index", view.inspection().index()},
          {"efficiency", view.efficiency()},
          {"utilization", view.utilization()},
          {"removed", view.removed()},
          {"reason", view.reason()},
          {"by", index_or_null(view.by_plus_one())},
          {"on_front", view.on_front()},
          {"candidate", index_or_null(view.candidate_plus_one())},
          {"outcome", view.candidate_plus_one() > 0 ? Json(OutcomeName(view.outcome())) : Json()},
          {"seconds", view.seconds() > 0 ? Json(view.seconds()) : Json()},
          {"failure", view.inspection().failure()},
          {"unknown", view.inspection().unknown()},
          {"kernels", kernels}};
}

Json CarvingJson(const std::vector<v1::InspectionView>& views) {
  const CarvingFigures figures = FiguresOf(views);
  const std::optional<double> ratio = BestKeptOverBest(figures, views);
  Json inspections = Json::array();
  for (const v1::InspectionView& view : views) inspections.push_back(ToJson(view));
  return {
      {"inspected", figures.inspected}, {"failed", figures.failed},
      {"kept", figures.kept},           {"share_kept", figures.ShareKept()},
      {"measured", figures.measured},   {"best_kept_over_best", ratio.has_value() ? Json(*ratio) : Json()},
      {"inspections", inspections}};
}

}  // namespace tune
