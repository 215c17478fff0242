#include "client/report/candidate_view.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/report/kernel_table.h"
#include "client/report/objective_report.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"

namespace tune {
namespace {

std::string OutcomeCell(const v1::Candidate& candidate) {
  if (!candidate.has_evaluation()) return std::string(CandidateStateName(candidate.state()));
  return std::string(OutcomeName(candidate.evaluation().outcome()));
}

std::string Remark(const v1::Candidate& candidate) {
  const int64_t duplicate = candidate.evaluation().duplicate_of_plus_one();
  std::vector<std::string> parts;
  if (candidate.index() == 0) parts.push_back("default");
  if (candidate.origin() == v1::REPLAY) parts.push_back("replay");
  if (candidate.origin() == v1::ONLINE) parts.push_back("online");
  if (duplicate > 0) parts.push_back(absl::StrCat("same code as ", duplicate - 1));
  if (!candidate.evaluation().message().empty()) parts.push_back(candidate.evaluation().message());
  return absl::StrJoin(parts, "; ");
}

void AddBlock(std::string* text, absl::string_view title, absl::string_view block) {
  absl::StrAppend(text, "\n", title, "\n", block, block.empty() || block.back() != '\n' ? "\n" : "");
}

}  // namespace

std::string CandidateTable(const std::vector<v1::Candidate>& candidates, const v1::Measurement& base) {
  using Align = Table::Align;
  const auto quantities = [](const v1::Candidate& candidate) {
    return QuantitiesText(candidate.evaluation().measurement(), candidate.evaluation().metrics());
  };
  const bool has_quantities = std::any_of(candidates.begin(), candidates.end(),
                                          [&](const v1::Candidate& one) { return !quantities(one).empty(); });
  std::vector<Table::Column> columns = {{"index", Align::kRight},
                                        {"outcome"},
                                        {"time", Align::kRight},
                                        {"over default", Align::kRight},
                                        {"tries", Align::kRight},
                                        {"worker"},
                                        {"remark"}};
  if (has_quantities) columns.push_back({"metrics"});
  Table table(columns);
  for (const v1::Candidate& candidate : candidates) {
    const v1::Measurement& measured = candidate.evaluation().measurement();
    const bool timed = measured.median() > 0;
    std::vector<std::string> row = {
        absl::StrCat(candidate.index()),
        OutcomeCell(candidate),
        timed ? FormatSeconds(measured.median()) : "-",
        timed && base.median() > 0 ? FormatGain(base.median() / measured.median()) : "-",
        absl::StrCat(candidate.attempts()),
        candidate.evaluation().worker(),
        Remark(candidate)};
    if (has_quantities) row.push_back(quantities(candidate));
    table.AddRow(row);
  }
  return table.Print();
}

std::string ArrayErrorLine(const v1::ArrayError& error) {
  std::string text = absl::StrFormat("%s: relative L2 error %.3g, largest difference %.3g",
                                     OneLine(error.array()), error.relative_l2(), error.largest());
  if (!error.exceeded()) return text;
  std::string index;
  for (int64_t i : error.first_differing_index()) absl::StrAppend(&index, "[", i, "]");
  absl::StrAppendFormat(&text, "; exceeded, first at %s%s: expected %.17g, found %.17g",
                        OneLine(error.array()), index, error.expected(), error.found());
  return text;
}

std::string CandidateDetails(const std::string& study_id, const v1::Candidate& candidate,
                             const CandidateParts& parts) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  std::string text = absl::StrCat(study_id, "/", candidate.index(), ": ", OutcomeCell(candidate),
                                  candidate.index() == 0 ? " (default configuration)" : "",
                                  candidate.origin() == v1::REPLAY ? " (replay)" : "", "\n");
  AddLabelled(&text, "message", evaluation.message());
  if (evaluation.measurement().median() > 0) {
    AddLabelled(&text, "time",
                absl::StrCat(FormatMeasurement(evaluation.measurement()), ", ",
                             FormatCount(evaluation.measurement().samples_size(), "sample")));
  }
  AddLabelled(&text, "metrics", QuantitiesText(evaluation.measurement(), evaluation.metrics()));
  if (evaluation.duplicate_of_plus_one() > 0) {
    AddLabelled(
        &text, "same code",
        absl::StrCat("as candidate ", evaluation.duplicate_of_plus_one() - 1, "; it was not run again"));
  }
  std::vector<std::string> stages;
  for (const auto& stage : evaluation.stages()) {
    stages.push_back(absl::StrCat(stage.stage(), " ", FormatSeconds(stage.seconds())));
  }
  AddLabelled(&text, "stages", absl::StrJoin(stages, ", "));
  for (const v1::ArrayError& error : evaluation.errors()) AddLabelled(&text, "array", ArrayErrorLine(error));
  AddLabelled(&text, "worker", evaluation.worker());
  AddLabelled(&text, "device", evaluation.device());
  if (evaluation.comparison().same()) AddLabelled(&text, "code", "as this server makes it itself");
  AddLabelled(&text, "attempts",
              absl::StrCat(candidate.attempts(), candidate.lost() > 0 ? ", lost " : "",
                           candidate.lost() > 0 ? absl::StrCat(candidate.lost()) : ""));
  AddLabelled(&text, "compiled by", evaluation.compile_command());
  for (const v1::Finding& finding : evaluation.findings()) AddBlock(&text, finding.title(), finding.text());
  if (!evaluation.kernels().empty()) AddBlock(&text, "kernels", KernelTable(evaluation));
  if (parts.configuration) {
    std::string lines;
    for (const auto& decision : candidate.configuration().decisions()) {
      absl::StrAppend(&lines, decision.key(), " = ", decision.option(), "\n");
    }
    AddBlock(&text, "configuration", lines);
  }
  if (parts.code) AddBlock(&text, "code", evaluation.code().empty() ? "(none)" : evaluation.code());
  if (parts.code && !evaluation.device_file().empty()) AddBlock(&text, "CUDA file", evaluation.device_file());
  return text;
}

}  // namespace tune
