#include "client/extract/source/marked_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tune {

MarkedText::MarkedText(absl::string_view text, const std::vector<MarkedPlace>& places) {
  std::vector<Opening> openings;
  for (const MarkedPlace& place : places) {
    if (!place.opening.empty()) openings.push_back({place.opens_at, place.opening});
  }
  std::stable_sort(openings.begin(), openings.end(),
                   [](const Opening& a, const Opening& b) { return a.offset < b.offset; });
  auto opening = openings.begin();
  int64_t copied = 0;
  const auto copy_to = [&](int64_t offset) {
    for (; opening != openings.end() && opening->offset <= offset; ++opening) {
      Copy(text.substr(copied, opening->offset - copied));
      Add(opening->text);
      copied = opening->offset;
    }
    Copy(text.substr(copied, offset - copied));
    copied = offset;
  };
  for (const MarkedPlace& place : places) {
    copy_to(place.source.begin_offset());
    Add(place.before);
    begins_.push_back(static_cast<int64_t>(text_.size()));
    if (!place.has_pragmas) Add("#pragma scop\n");
    if (place.body) {
      copy_to(place.source.body_begin_offset());
      Copy(*place.body);
      copied = place.source.body_end_offset();
    }
    copy_to(place.source.end_offset());
    if (!place.has_pragmas) Add("\n#pragma endscop");
    if (!place.after.empty()) Add(absl::StrCat("\n", absl::StripSuffix(place.after, "\n")));
  }
  copy_to(static_cast<int64_t>(text.size()));
}

void MarkedText::Copy(absl::string_view piece) {
  text_.append(piece.data(), piece.size());
  for (const char c : piece) {
    if (c == '\n') lines_.push_back(lines_.back() + 1);
  }
}

void MarkedText::Add(absl::string_view piece) {
  text_.append(piece.data(), piece.size());
  lines_.insert(lines_.end(), std::count(piece.begin(), piece.end(), '\n'), lines_.back());
}

int MarkedText::LineOfFile(int line) const {
  const auto last = static_cast<int>(lines_.size());
  return lines_[static_cast<size_t>(std::clamp(line, 1, last)) - 1];
}

}  // namespace tune
