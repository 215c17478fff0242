#include "client/report/table.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "common/base/plain_text.h"

namespace tune {

std::string OneLine(absl::string_view text) { return BlankHidden(text, ""); }

std::string FirstLine(absl::string_view text) { return OneLine(text.substr(0, text.find('\n'))); }

std::string Printable(absl::string_view text) { return BlankHidden(text, "\n\t"); }

void AddLabelled(std::string* text, absl::string_view label, absl::string_view value) {
  if (!value.empty()) absl::StrAppendFormat(text, "  %-12s  %s\n", label, OneLine(value));
}

int DisplayWidth(absl::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

std::string RedLine(absl::string_view line) {
  return absl::StrCat("\033[31m", absl::StripSuffix(line, "\n"), "\033[0m\n");
}

void Table::AddRow(std::vector<std::string> cells, bool red) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = OneLine(cell);
  rows_.push_back(std::move(cells));
  red_.push_back(red);
}

std::string Table::Print() const {
  std::vector<std::vector<std::string>> lines(1);
  std::vector<int> widths;
  for (const Column& column : columns_) lines[0].push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  for (size_t i = 0; i < columns_.size(); ++i) {
    int width = 0;
    for (const auto& line : lines) width = std::max(width, DisplayWidth(line[i]));
    widths.push_back(width);
  }
  std::string text;
  for (size_t number = 0; number < lines.size(); ++number) {
    const auto& line = lines[number];
    std::string row;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string blanks(widths[i] - DisplayWidth(line[i]), ' ');
      if (i > 0) row += "  ";
      row += columns_[i].align == Align::kRight ? blanks + line[i] : line[i] + blanks;
    }
    absl::StripTrailingAsciiWhitespace(&row);
    row += "\n";
    text += number > 0 && red_[number - 1] ? RedLine(row) : row;
  }
  return text;
}

}  // namespace tune
