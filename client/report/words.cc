#include "client/report/words.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/report/table.h"

namespace tune {
namespace {

// `name` is empty for a number that this version does not know.
std::string Word(const std::string& name, int number) {
  if (number == 0) return "-";
  if (name.empty()) return absl::StrCat("unknown (", number, ")");
  return absl::AsciiStrToLower(name);
}

}  // namespace

std::string WorkerStateWord(v1::WorkerView::State state) {
  return Word(v1::WorkerView::State_Name(state), state);
}

std::string OriginWord(v1::Origin origin) { return Word(v1::Origin_Name(origin), origin); }
std::string TargetWord(v1::Target target) { return Word(v1::Target_Name(target), target); }

std::string StudyTitle(const v1::Study& study) {
  return study.name().empty() ? study.id() : OneLine(study.name());
}

std::string OutcomeCounts(const v1::Study& study) {
  std::vector<v1::OutcomeCount> counts(study.outcomes().begin(), study.outcomes().end());
  std::sort(counts.begin(), counts.end(),
            [](const auto& a, const auto& b) { return a.outcome() < b.outcome(); });
  std::vector<std::string> words;
  for (const v1::OutcomeCount& count : counts) {
    if (count.count() > 0) words.push_back(absl::StrCat(count.count(), " ", OutcomeName(count.outcome())));
  }
  return words.empty() ? "none" : absl::StrJoin(words, ", ");
}

}  // namespace tune
