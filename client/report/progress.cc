#include "client/report/progress.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "client/report/objective_report.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/evaluation/objective.h"

namespace tune {
namespace {

constexpr int kWidestBar = 30, kNarrowestBar = 8;

std::string Bar(double fraction, int width) {
  const int filled = std::clamp(static_cast<int>(std::lround(fraction * width)), 0, width);
  return absl::StrCat("|", std::string(filled, '#'), std::string(width - filled, ' '), "|");
}

// Parts of a line about the best, which a narrow terminal leaves out in this order.
struct Shape {
  bool further, words, bar, gains;
};
constexpr Shape kWidest = {true, true, true, true};
constexpr Shape kShapes[] = {kWidest,
                             {false, true, true, true},
                             {false, false, true, true},
                             {false, false, false, true},
                             {false, false, false, false}};

// Over the default alone: what the program's own region takes is known from one cold execution until the end.
std::string Gain(const v1::Study& study, bool words) {
  const double gain = GainByObjective(study);
  if (gain <= 0) return "";
  return absl::StrCat(" (", FormatGain(gain), words ? " over default" : "", ")");
}

bool HasBest(const v1::Study& study) { return study.best_index() >= 0 && study.best().median() > 0; }

// By the objective, and, with `further`, its other quantities.
std::string BestText(const v1::Study& study, const Shape& shape) {
  std::string text = BestByObjective(study);
  if (shape.gains) absl::StrAppend(&text, Gain(study, shape.words));
  const std::string further = shape.further ? BestOtherwise(study) : "";
  if (!further.empty()) absl::StrAppend(&text, "; ", further);
  return text;
}

std::string Best(const v1::Study& study, const Shape& shape) {
  if (HasBest(study)) return absl::StrCat("best ", BestText(study, shape));
  return study.evaluated() > 0 ? "none correct yet" : "";
}

// Configurations are looked at before the search.
bool IsInspecting(const v1::Study& study) {
  return study.state() == v1::SEARCHING && study.evaluated() == 0 &&
         study.inspections().inspected() < study.inspections().planned();
}

// Of the search, or of what comes before it.
double ShareDone(const v1::Study& study) {
  if (IsInspecting(study))
    return static_cast<double>(study.inspections().inspected()) / study.inspections().planned();
  return study.budget() > 0 ? static_cast<double>(study.evaluated()) / study.budget() : 0;
}

// Cuts at a character's border.
std::string CutTo(std::string text, int width) {
  while (DisplayWidth(text) > width) {
    while (!text.empty() && (text.back() & 0xc0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
  }
  return text;
}

std::string ProgressHead(const v1::Study& study) {
  std::string head = StudyTitle(study);
  switch (study.state()) {
    case v1::QUEUED:
      return head + " waits for a worker";
    case v1::REFERENCE:
      return head + " reference run";
    case v1::CONFIRMING:
      return absl::StrCat(head, " ", study.evaluated(), "/", study.budget(), " confirming");
    default:
      if (IsInspecting(study))
        return absl::StrCat(head, " inspected ", study.inspections().inspected(), "/",
                            study.inspections().planned());
      return absl::StrCat(head, " ", study.evaluated(), "/", study.budget());
  }
}

}  // namespace

void Pace::Observe(int evaluated, absl::Time now) {
  if (first_ < 0) {
    first_ = evaluated;
    started_ = now;
  } else if (evaluated == last_) {
    return;
  }
  last_ = evaluated;
  moved_ = now;
}

std::optional<absl::Duration> Pace::Left(int budget, absl::Time now) const {
  if (first_ < 0 || last_ <= first_) return std::nullopt;
  const absl::Duration each = (moved_ - started_) / (last_ - first_);
  const absl::Duration left = each * (budget - last_) - (now - moved_);
  return std::max(left, absl::ZeroDuration());
}

std::string BestSoFar(const v1::Study& study) {
  return HasBest(study) ? BestText(study, kWidest) : "none correct yet";
}

std::string ProgressLine(const v1::Study& study, std::optional<absl::Duration> left, int width) {
  const bool searching = study.state() == v1::SEARCHING || study.state() == v1::CONFIRMING;
  const std::string head = ProgressHead(study);
  const std::string tail =
      study.state() == v1::SEARCHING && left.has_value() ? absl::StrCat(FormatClock(*left), " left") : "";
  const double done = ShareDone(study);
  for (const Shape& shape : kShapes) {
    const std::string best = Best(study, shape);
    auto join = [&](const std::string& bar) {
      std::string line = head;
      for (const std::string& part : {bar, best, tail}) {
        if (!part.empty()) absl::StrAppend(&line, " ", part);
      }
      return line;
    };
    if (!searching || !shape.bar) {
      if (std::string line = join(""); DisplayWidth(line) <= width) return line;
      continue;
    }
    const int bar = std::min(kWidestBar, width - DisplayWidth(join("||")));
    if (bar >= kNarrowestBar) return join(Bar(done, bar));
  }
  return CutTo(head, width);
}

std::string StateLine(const v1::Study& study) {
  const std::string name = absl::StrCat(StudyTitle(study), ": ");
  switch (study.state()) {
    case v1::QUEUED:
      return name + "waits for a worker";
    case v1::REFERENCE:
      return name + "runs the unmodified program once for inputs and expected outputs";
    case v1::SEARCHING:
      return absl::StrCat(name, "searching, ", FormatCount(study.budget(), "evaluation"),
                          IsTimeObjective(study.search()) ? "" : ", by ", ObjectiveText(study.search()),
                          study.reference().sequential_seconds() > 0 ? "; the region takes " : "",
                          study.reference().sequential_seconds() > 0
                              ? absl::StrCat(FormatSeconds(study.reference().sequential_seconds()),
                                             " in one sequential execution")
                              : "");
    case v1::CONFIRMING:
      return name + "measures the best again, side by side";
    case v1::DONE:
      return name + "done";
    case v1::FAILED:
      return absl::StrCat(name, "failed: ", OneLine(study.failure()));
    case v1::STOPPED:
      return name + "cancelled";
    default:
      return absl::StrCat(name, StudyStateName(study.state()));
  }
}

void ProgressPrinter::PrintLine(const std::string& line) {
  Clear();
  *out_ << line << "\n" << std::flush;
}

void ProgressPrinter::Clear() {
  if (drawn_.empty()) return;
  *out_ << "\r\033[K" << std::flush;
  drawn_.clear();
}

void ProgressPrinter::Note(const std::string& line) { PrintLine(line); }

void ProgressPrinter::Update(const v1::Study& study, absl::Time now) {
  const bool changed = !last_.has_value() || last_->state() != study.state();
  if (study.state() == v1::SEARCHING) pace_.Observe(study.evaluated(), now);
  last_ = study;
  if (changed) PrintLine(StateLine(study));
  if (options_.terminal) {
    Redraw(now);
  } else {
    PrintPlain(study);
  }
}

void ProgressPrinter::Tick(absl::Time now) {
  if (options_.terminal && last_.has_value()) Redraw(now);
}

void ProgressPrinter::Redraw(absl::Time now) {
  if (IsFinished(last_->state())) return Clear();
  // The last column stays free: some terminals wrap when it is written.
  const std::string line = ProgressLine(*last_, pace_.Left(last_->budget(), now), options_.width - 1);
  if (line == drawn_) return;
  *out_ << "\r" << line << "\033[K" << std::flush;
  drawn_ = line;
}

void ProgressPrinter::PrintPlain(const v1::Study& study) {
  if (IsInspecting(study)) {
    const int inspected_tenth = static_cast<int>(10 * ShareDone(study));
    if (inspected_tenth > inspected_tenth_) PrintLine(ProgressHead(study));
    inspected_tenth_ = std::max(inspected_tenth, inspected_tenth_);
    return;
  }
  const int tenth = study.budget() > 0 ? 10 * study.evaluated() / study.budget() : 0;
  const bool better = study.best_index() >= 0 && study.best_index() != best_index_;
  if (IsFinished(study.state()) || study.evaluated() == 0 || (!better && tenth <= tenth_)) return;
  best_index_ = study.best_index();
  tenth_ = std::max(tenth, tenth_);
  PrintLine(absl::StrCat(StudyTitle(study), " ", study.evaluated(), "/", study.budget(), " ",
                         better ? "new best " : "best ", BestSoFar(study)));
}

}  // namespace tune
