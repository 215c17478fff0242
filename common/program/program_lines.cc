#include "common/program/program_lines.h"

#include "absl/strings/str_split.h"

namespace tune {

absl::StatusOr<ProgramLines> ProgramLines::Split(absl::string_view text) {
  ProgramLines lines;
  lines.end_ = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    TextCursor cursor(line, ++lines.end_);
    if (cursor.AtEnd()) continue;
    const size_t spaces = line.find_first_not_of(' ');
    if (spaces % 2 != 0 || spaces + 1 != cursor.column())
      return cursor.Refuse("a line is indented by two spaces for each level, and by nothing else");
    lines.lines_.push_back({static_cast<int>(spaces / 2), cursor});
  }
  return lines;
}

absl::StatusOr<TextCursor> ProgramLines::Take(int level) {
  Line& line = lines_[at_];
  if (line.level > level)
    return line.cursor.Refuse(absl::StrCat("expected a line indented by ", 2 * level, " spaces at most"));
  ++at_;
  return line.cursor;
}

std::optional<TextCursor> ProgramLines::TakeTitle(absl::string_view words, int level) {
  if (!Has(level) || lines_[at_].level > level) return std::nullopt;
  TextCursor cursor = lines_[at_].cursor;
  if (!cursor.TakeWords(words)) return std::nullopt;
  ++at_;
  return cursor;
}

absl::StatusOr<TextCursor> ProgramLines::ExpectTitle(absl::string_view words, int level) {
  if (const std::optional<TextCursor> line = TakeTitle(words, level)) return *line;
  return Expected(absl::StrCat("\"", words, "\" behind ", 2 * level, " spaces"));
}

absl::Status ProgramLines::Expected(absl::string_view what) const {
  TextCursor cursor = at_ < lines_.size() ? lines_[at_].cursor : TextCursor("", end_);
  return cursor.Expected(what);
}

}  // namespace tune
