// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

// Text from elsewhere made safe for a terminal: what is not plain (common/base/plain_text.h), line breaks
// included, becomes a blank.
std::string OneLine(absl::string_view text);
// The same of the first line alone.
std::string FirstLine(absl::string_view text);

// The same for text of several lines, such as what a program printed: line ends and tabs stay.
std::string Printable(absl::string_view text);

// Appends an indented line of a label and its value; nothing when the value is empty.
void AddLabelled(std::string* text, absl::string_view label, absl::string_view value);

// A line, its end included, in red.
std::string RedLine(absl::string_view line);

// How many columns the text takes, for valid UTF-8 without wide characters.
int DisplayWidth(absl::string_view text);

// A heading and rows. Columns are as wide as their widest cell, two blanks apart; the last one is not padded.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns; fewer are filled with empty ones.
  // `red`: the row is.
  void AddRow(std::vector<std::string> cells, bool red = false);
  bool empty() const { return rows_.empty(); }

  // Heading first; lines end in '\n' and carry no trailing blanks.
  std::string Print() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> red_;  // parallel to rows_
};

}  // namespace tune
