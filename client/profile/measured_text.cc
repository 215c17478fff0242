#include "client/profile/measured_text.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

// Valid in every dialect of C. The pointer is null in a thread that has not entered a nest before.
constexpr char kHead[] = R"(#ifdef __cplusplus
extern "C" {
#endif
extern __thread unsigned long long *tune_profile_calls; extern unsigned long long *tune_profile_thread(void);
#ifdef __cplusplus
}
#endif
)";

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string CountText(int nest) {
  return absl::StrCat("(tune_profile_calls ? tune_profile_calls : tune_profile_thread())[", nest, "]++;");
}

// Text to put at a byte, and the line that there is of interest.
struct Insertion {
  int64_t offset;
  bool begins;  // a nest, else it ends one
  int nest;
  std::string text;

  // At one byte ends come before beginnings; what is inside ends first and begins last.
  auto Order() const { return std::tuple(offset, begins, begins ? nest : -nest); }
};

// Of lines from 1, their first bytes; behind them the end of the text.
std::vector<int64_t> LineBegins(absl::string_view text) {
  std::vector<int64_t> begins = {0, 0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') begins.push_back(static_cast<int64_t>(i) + 1);
  }
  begins.push_back(static_cast<int64_t>(text.size()) + 1);
  return begins;
}

std::vector<Insertion> Insertions(absl::string_view text, const v1::LoopNests& nests) {
  const std::vector<int64_t> lines = LineBegins(text);
  const auto line = [&](int number) {
    return lines[std::min(static_cast<size_t>(std::max(number, 1)), lines.size() - 1)];
  };
  std::vector<Insertion> insertions;
  for (int i = 0; i < nests.nests_size(); ++i) {
    const v1::LoopNest& nest = nests.nests(i);
    if (nest.end_offset() > 0) {
      const bool braces = !nest.in_block();
      insertions.push_back(
          {nest.begin_offset(), true, i, absl::StrCat(braces ? "\n{ " : "\n", CountText(i), "\n")});
      insertions.push_back({nest.end_offset(), false, i, braces ? "\n}\n" : "\n"});
    } else {
      insertions.push_back({line(nest.begin_line()), true, i, ""});
      insertions.push_back({line(nest.end_line() + 1) - 1, false, i, ""});
    }
  }
  std::sort(insertions.begin(), insertions.end(),
            [](const Insertion& a, const Insertion& b) { return a.Order() < b.Order(); });
  return insertions;
}

// Whether the line is `#line 5 "file"` or `# 5 "file"`, after which the compiler would tell other lines.
bool SetsLine(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "#")) return false;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (absl::ConsumePrefix(&line, "line")) return !line.empty() && absl::ascii_isspace(line[0]);
  return !line.empty() && absl::ascii_isdigit(line[0]);
}

// With pragmas that no compiler knows in their place.
std::string WithoutLineDirectives(absl::string_view text) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n'))
    lines.push_back(SetsLine(line) ? "#pragma tune_line" : std::string(line));
  return absl::StrJoin(lines, "\n");
}

}  // namespace

MeasuredText MeasureNests(absl::string_view text, const v1::LoopNests& nests) {
  MeasuredText measured;
  measured.nests.resize(static_cast<size_t>(nests.nests_size()));
  std::string& copy = measured.text;
  int line = 1;
  const auto append = [&](absl::string_view part) {
    line += static_cast<int>(std::count(part.begin(), part.end(), '\n'));
    absl::StrAppend(&copy, part);
  };
  append(kHead);
  int64_t copied = absl::StartsWith(text, kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (const Insertion& insertion : Insertions(text, nests)) {
    const int64_t offset = std::min<int64_t>(insertion.offset, static_cast<int64_t>(text.size()));
    append(text.substr(copied, offset - copied));
    copied = offset;
    MeasuredNest& nest = measured.nests[static_cast<size_t>(insertion.nest)];
    if (!insertion.begins) nest.end_line = line;
    append(insertion.text);
    nest.counted = !insertion.text.empty();
    if (insertion.begins) nest.begin_line = nest.counted ? line - 1 : line;
  }
  append(text.substr(copied));
  copy = WithoutLineDirectives(copy);
  return measured;
}

}  // namespace tune
