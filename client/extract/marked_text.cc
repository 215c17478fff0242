#include "client/extract/marked_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tune {

MarkedText::MarkedText(absl::string_view text, const std::vector<v1::SourceRegion>& places) {
  int64_t copied = 0;
  const auto add_pragma = [&](int64_t offset, int line, const char* pragma) {
    absl::StrAppend(&text_, text.substr(copied, offset - copied), pragma);
    copied = offset;
    pragmas_.push_back(line + static_cast<int>(pragmas_.size()));
  };
  for (const v1::SourceRegion& place : places) {
    add_pragma(place.begin_offset(), place.begin_line(), "#pragma scop\n");
    add_pragma(place.end_offset(), place.end_line() + 1, "\n#pragma endscop");
  }
  absl::StrAppend(&text_, text.substr(copied));
}

int MarkedText::LineOfFile(int line) const {
  return line - static_cast<int>(std::upper_bound(pragmas_.begin(), pragmas_.end(), line) - pragmas_.begin());
}

}  // namespace tune
