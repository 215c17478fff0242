// A file's text with pragmas at places where the user wrote none.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/extract/diagnostic.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Reading this text instead of the file makes the front end treat these places as any marked region; what it
// says of lines is then taken back to the file.
class MarkedText {
 public:
  // `places`: whole lines, in textual order.
  MarkedText(absl::string_view text, const std::vector<v1::SourceRegion>& places);

  const std::string& text() const { return text_; }
  // The line of the file, from 1, that is this one of the text.
  int LineOfFile(int line) const;

 private:
  std::string text_;
  std::vector<int> pragmas_;  // lines of the text that the file does not have, ascending
};

}  // namespace tune
