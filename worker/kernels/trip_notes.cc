#include "worker/kernels/trip_notes.h"

#include <cmath>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr absl::string_view kComment = "//", kNote = "tune: trips ";

// What stands behind the comment's words; empty: it is another comment, or none.
absl::string_view NoteOf(absl::string_view line) {
  const size_t comment = line.find(kComment);
  if (comment == absl::string_view::npos) return "";
  absl::string_view text = absl::StripAsciiWhitespace(line.substr(comment + kComment.size()));
  if (!absl::ConsumePrefix(&text, kNote)) return "";
  return absl::StripAsciiWhitespace(text);
}

bool HasCode(absl::string_view line) {
  const absl::string_view code = absl::StripAsciiWhitespace(line.substr(0, line.find(kComment)));
  return !code.empty() && code[0] != '#';
}

}  // namespace

std::vector<TripNote> TripNotesIn(absl::string_view source) {
  std::vector<TripNote> notes;
  std::string waiting;  // of a line of its own
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(source, '\n')) {
    ++number;
    const std::string note(NoteOf(line));
    if (!HasCode(line)) {
      if (!note.empty()) waiting = note;
      continue;
    }
    if (!note.empty() || !waiting.empty()) notes.push_back({number, note.empty() ? waiting : note});
    waiting.clear();
  }
  return notes;
}

absl::StatusOr<std::vector<SourceTrips>> TripsOfSources(const v1::Program& program,
                                                        const NamedValues& names) {
  std::vector<SourceTrips> trips;
  for (const v1::SourceFile& file : program.files()) {
    for (const TripNote& note : TripNotesIn(file.content())) {
      const auto refuse = [&](absl::string_view why) {
        return absl::FailedPreconditionError(absl::StrCat(EscapeLine(file.path()), ":", note.line,
                                                          ": tune: trips ", EscapeLine(note.expression), ": ",
                                                          why));
      };
      const absl::StatusOr<Value> value = EvaluateText(note.expression, names);
      if (!value.ok()) return refuse(value.status().message());
      const double number = value->IsNumber() ? value->AsDouble() : -1;
      if (!std::isfinite(number) || number < 0) return refuse("iterations are a number from 0 on");
      trips.push_back({file.path(), note.line, number});
    }
  }
  return trips;
}

}  // namespace tune
