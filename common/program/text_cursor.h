// Reads one line of the text of a program from its begin.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// What is asked for may have spaces before it. A place in a text that outlives it.
class TextCursor {
 public:
  // `number`: of the line, from 1, for messages.
  TextCursor(absl::string_view line, int number) : line_(line), number_(number) {}

  // From 1, in bytes.
  size_t column() const { return at_ + 1; }
  // Whether nothing follows.
  bool AtEnd();
  // The next character, of which nothing is taken; 0 at the end.
  char Next();
  // Takes the symbol where it follows.
  bool Take(absl::string_view symbol);
  // The same of words, which end where a name would.
  bool TakeWords(absl::string_view words);
  // Whether a name follows, with quotes or without; whether one with quotes follows.
  bool AtName();
  bool AtQuotes() { return Next() == '"'; }
  // Whether a number follows, with its sign.
  bool AtNumber();

  // INVALID_ARGUMENT where none follows.
  absl::StatusOr<std::string> TakeName();
  absl::StatusOr<std::string> TakeLongName();
  // Up to a comma or the end.
  absl::StatusOr<std::string> TakeTypeName();
  // A number of 64 bits, with its sign.
  absl::StatusOr<int64_t> TakeNumber();

  // OK where the symbol, or the end, follows; takes it.
  absl::Status Expect(absl::string_view symbol);
  absl::Status ExpectEnd();

  // INVALID_ARGUMENT: "line 3, column 5: expected WHAT, not ...".
  absl::Status Expected(absl::string_view what);
  // INVALID_ARGUMENT: "line 3, column 5: WHY".
  absl::Status Refuse(absl::string_view why);

 private:
  void SkipSpaces();
  absl::StatusOr<std::string> TakeQuoted();

  absl::string_view line_;
  int number_;
  size_t at_ = 0;
};

}  // namespace tune
