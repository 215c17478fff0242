#include "common/mapping/loop_mark.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tune {

std::string PrintLoopMark(const LoopMark& mark) {
  std::vector<std::string> parts;
  if (mark.parallel) parts.push_back(mark.threads > 0 ? absl::StrCat("parallel ", mark.threads) : "parallel");
  if (mark.simd) parts.push_back("simd");
  if (mark.unroll > 1) parts.push_back(absl::StrCat("unroll ", mark.unroll));
  if (mark.points > 0) parts.push_back(absl::StrCat("points ", mark.points));
  if (!mark.local.empty()) parts.push_back(absl::StrCat("local ", absl::StrJoin(mark.local, " ")));
  if (!mark.last.empty()) parts.push_back(absl::StrCat("last ", absl::StrJoin(mark.last, " ")));
  return absl::StrCat("loop: ", absl::StrJoin(parts, ", "));
}

std::optional<LoopMark> ParseLoopMark(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "loop: ")) return std::nullopt;
  LoopMark mark;
  for (absl::string_view part : absl::StrSplit(name, ", ")) {
    if (part == "simd") {
      mark.simd = true;
    } else if (part == "parallel") {
      mark.parallel = true;
    } else if (absl::ConsumePrefix(&part, "parallel ")) {
      if (!absl::SimpleAtoi(part, &mark.threads) || mark.threads <= 0) return std::nullopt;
      mark.parallel = true;
    } else if (absl::ConsumePrefix(&part, "local ")) {
      mark.local = absl::StrSplit(part, ' ');
    } else if (absl::ConsumePrefix(&part, "last ")) {
      mark.last = absl::StrSplit(part, ' ');
    } else if (absl::ConsumePrefix(&part, "points ")) {
      if (!absl::SimpleAtoi(part, &mark.points)) return std::nullopt;
    } else if (!absl::ConsumePrefix(&part, "unroll ") || !absl::SimpleAtoi(part, &mark.unroll)) {
      return std::nullopt;
    }
  }
  return mark;
}

}  // namespace tune
