#include "client/report/target_comparison.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/report/program_gain.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/study_result.h"

namespace tune {

std::string CompareTargets(const v1::Study& one, const v1::Study& other,
                           const std::vector<std::string>& taken) {
  Table table({{"target"}, {"study"}, {"time", Table::Align::kRight}, {"over your program"}});
  std::string fastest = "neither, your program stays as it is";
  for (const v1::Study* study : {&one, &other}) {
    const bool by_time = IsTimeObjective(study->search());
    const double seconds = by_time ? TimesOfResult(*study).compared.tuned_seconds() : study->best().median();
    const std::string gain = ProgramGain(*study), target = TargetWord(study->target());
    const std::string none = study->best_index() < 0 ? "no candidate was correct" : "not known";
    table.AddRow({target, absl::StrCat(study->id(), " (", StudyTitle(*study), ")"),
                  seconds > 0 ? FormatSeconds(seconds) : "-", gain.empty() ? none : gain});
    if (std::count(taken.begin(), taken.end(), study->id()) > 0)
      fastest = absl::StrCat(target, ", ", study->id());
  }
  return absl::StrCat(table.Print(), IsTimeObjective(one.search()) ? "Fastest: " : "Best: ", fastest);
}

}  // namespace tune
