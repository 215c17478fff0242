// Lines of code in unrolled loops over points of a thread, of which an instruction may take two at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/program/loop_condition.h"
#include "worker/print/text_line.h"

namespace tune {

class PointLoopLines {
 protected:
  // "[2][4]": how many points the loops have, of `half` half.
  static std::string Extents(const std::vector<const Loop*>& loops, const Loop* half) {
    std::string text;
    for (const Loop* loop : loops) absl::StrAppend(&text, "[", Count(*loop, half), "]");
    return text;
  }

  void OpenLoops(const std::vector<const Loop*>& loops, const Loop* half) {
    for (const Loop* loop : loops) OpenLoop(loop->iterator, Count(*loop, half));
  }
  void OpenLoop(const std::string& iterator, int64_t count) {
    Directive("#pragma unroll");
    Line("for (int ", iterator, " = 0; ", iterator, " < ", count, "; ", iterator, " += 1) {");
    ++indent_;
  }
  void CloseLoops(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      --indent_;
      Line("}");
    }
  }

  template <typename... Parts>
  void Line(const Parts&... parts) {
    lines_.push_back({indent_, /*directive=*/false, absl::StrCat(parts...)});
  }
  void Directive(const std::string& text) { lines_.push_back({0, /*directive=*/true, text}); }

  std::vector<TextLine> lines_;
  int indent_ = 0;

 private:
  static int64_t Count(const Loop& loop, const Loop* half) {
    return *FixedIterations(loop) / (&loop == half ? 2 : 1);
  }
};

}  // namespace tune
