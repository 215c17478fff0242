// A file's text with pragmas, and lines around them, at places where the user wrote none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/extract/source/diagnostic.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// A region, and what is to stand around it.
struct MarkedPlace {
  v1::SourceRegion source;              // whole lines
  bool has_pragmas = false;             // the file has them, as first and last line of `source`
  std::string before = {}, after = {};  // lines before and behind the pragmas, each with its end; or nothing
  std::string opening = {};  // lines outside of functions, before the line at `opens_at`; or nothing
  int64_t opens_at = 0;      // not in another place
  std::optional<std::string> body = {};  // in place of what is between the pragmas; as many lines
};

// Reading this text instead of the file makes the front end treat these places as any marked region; what it
// says of lines is then taken back to the file.
class MarkedText {
 public:
  // `places`: in textual order.
  MarkedText(absl::string_view text, const std::vector<MarkedPlace>& places);

  const std::string& text() const { return text_; }
  // The line of the file, from 1, that is this one of the text; of an added line, the place's first or last.
  int LineOfFile(int line) const;
  // Offset in the text of the line with the pragma that begins a place.
  int64_t BeginOf(size_t place) const { return begins_[place]; }

 private:
  struct Opening {
    int64_t offset;
    absl::string_view text;
  };
  void Copy(absl::string_view piece);
  void Add(absl::string_view piece);

  std::string text_;
  std::vector<int> lines_ = {1};  // of the file, for each line of the text
  std::vector<int64_t> begins_;
};

}  // namespace tune
