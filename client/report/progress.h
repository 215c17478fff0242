// Progress of a study, on a terminal or in a log.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "absl/time/time.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Estimates when the budget is used up from the pace since the first observation.
class Pace {
 public:
  void Observe(int evaluated, absl::Time now);
  // Nothing until two different counts were seen.
  std::optional<absl::Duration> Left(int budget, absl::Time now) const;

 private:
  int first_ = -1, last_ = 0;
  absl::Time started_, moved_;  // of the first observation, of the last change
};

// "gemm 23/50 |####    | best 1.32 ms (4.1x over default) 0:41 left", at most `width`
// columns: what does not fit is dropped in the order other quantities, words, bar, gains. The best is by the
// study's objective: "best energy 0.0421 J (1.3x over default); 1.32 ms; 32 W". No control characters.
std::string ProgressLine(const v1::Study& study, std::optional<absl::Duration> left, int width);

// "1.32 ms (4.1x over default)", with its other quantities, or "none correct yet".
std::string BestSoFar(const v1::Study& study);

// What the study does now, as a line: "gemm: searching, 50 evaluations; the region takes 16.2 ms
// in one sequential execution".
std::string StateLine(const v1::Study& study);

// Prints a study's way as updates come in. On a terminal one line is redrawn, and state changes scroll by
// above it; else there is a line per change of state, new best, and tenth of the budget. One thread at a
// time.
class ProgressPrinter {
 public:
  struct Options {
    bool terminal = false;
    int width = 80;  // columns of the terminal
  };
  // `out` must outlive the printer.
  ProgressPrinter(std::ostream* out, Options options) : out_(out), options_(options) {}

  void Update(const v1::Study& study, absl::Time now);
  // Time has passed without an update: redraws the clock on a terminal.
  void Tick(absl::Time now);
  // A line among the progress.
  void Note(const std::string& line);
  // Removes the redrawn line. Update may follow.
  void Clear();

 private:
  void Redraw(absl::Time now);
  void PrintPlain(const v1::Study& study);
  void PrintLine(const std::string& line);

  std::ostream* out_;
  const Options options_;
  std::optional<v1::Study> last_;
  Pace pace_;
  std::string drawn_;        // what stands on the terminal's last line
  int64_t best_index_ = -1;  // last best printed
  int tenth_ = 0;            // last tenth of the budget printed
  int inspected_tenth_ = 0;  // the same of what is inspected before the search
};

}  // namespace tune
