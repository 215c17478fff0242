// The lines of the text of a program, with what they are indented by.
#pragma once

#include <optional>
#include <vector>

#include "common/program/text_cursor.h"

namespace tune {

class ProgramLines {
 public:
  // Lines of nothing but spaces are left out. INVALID_ARGUMENT where one is not indented by pairs of spaces.
  static absl::StatusOr<ProgramLines> Split(absl::string_view text);

  // Whether the next line is at this level, or deeper, which none may be.
  bool Has(int level) const { return at_ < lines_.size() && lines_[at_].level >= level; }
  // Takes it. INVALID_ARGUMENT when it is deeper.
  absl::StatusOr<TextCursor> Take(int level);
  // Takes the next line where it is at this level and begins with these words.
  std::optional<TextCursor> TakeTitle(absl::string_view words, int level);
  // Takes the next line, which must be such a one.
  absl::StatusOr<TextCursor> ExpectTitle(absl::string_view words, int level);

 private:
  struct Line {
    int level;
    TextCursor cursor;
  };

  // INVALID_ARGUMENT at the next line, or behind the last.
  absl::Status Expected(absl::string_view what) const;

  std::vector<Line> lines_;
  size_t at_ = 0;
  int end_ = 1;  // number of the last line
};

}  // namespace tune
