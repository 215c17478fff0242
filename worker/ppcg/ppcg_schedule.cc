#include "worker/ppcg/ppcg_schedule.h"

#include <cctype>

#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/base/c_identifier.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "worker/ppcg/c_token.h"

namespace tune {
namespace {

// Past `[n, m] -> ` at `place` when its names are parameters; else `place`.
size_t SkipParameterTuple(const std::string& text, size_t place,
                          const std::map<std::string, int64_t>& parameter_values) {
  const size_t close = text.find(']', place);
  if (text[place] != '[' || close == std::string::npos) return place;
  constexpr absl::string_view kArrow = " -> ";
  if (text.compare(close + 1, kArrow.size(), kArrow.data(), kArrow.size()) != 0) return place;
  std::string name;
  for (size_t i = place + 1; i <= close; ++i) {
    if (IsNameCharacter(text[i])) {
      name += text[i];
    } else if (!name.empty()) {
      if (parameter_values.count(name) == 0) return place;
      name.clear();
    }
  }
  return close + 1 + kArrow.size();
}

isl::schedule WithoutMarks(const isl::schedule& schedule) {
  return ChangeNodes(schedule, [](isl::schedule_node node) {
    return node.isa<isl::schedule_node_mark>() ? WithoutNode(node) : node;
  });
}

}  // namespace

std::string WithParameterValues(const std::string& isl_text,
                                const std::map<std::string, int64_t>& parameter_values) {
  std::string result;
  for (size_t i = 0; i < isl_text.size();) {
    if (const size_t after = SkipParameterTuple(isl_text, i, parameter_values); after != i) {
      i = after;
      continue;
    }
    if (!IsNameCharacter(isl_text[i])) {
      result += isl_text[i++];
      continue;
    }
    // "2n" is two times n.
    const bool factor = std::isdigit(static_cast<unsigned char>(isl_text[i])) != 0;
    size_t end = i;
    while (end < isl_text.size() && (factor ? std::isdigit(static_cast<unsigned char>(isl_text[end])) != 0
                                            : IsNameCharacter(isl_text[end]))) {
      ++end;
    }
    const std::string word = isl_text.substr(i, end - i);
    const auto value = parameter_values.find(word);
    if (factor || value == parameter_values.end()) {
      result += word;
    } else {
      const bool multiplied = i > 0 && std::isdigit(static_cast<unsigned char>(isl_text[i - 1])) != 0;
      absl::StrAppend(&result, multiplied ? "*" : "", "(", value->second, ")");
    }
    i = end;
  }
  return result;
}

std::string ScheduleForPpcg(const isl::schedule& schedule, const isl::union_map& iterations,
                            const std::map<std::string, int64_t>& parameter_values) {
  const std::string text = WithParameterValues(IslText(WithoutMarks(schedule)), parameter_values);
  const isl::schedule fixed(schedule.ctx(), text);
  // { S[c] -> S[i] }
  const isl::union_pw_multi_aff back = iterations.reverse().as_union_pw_multi_aff();
  isl::schedule renamed = fixed.pullback(back);
  renamed = IntersectDomain(renamed, iterations.range());
  return IslText(renamed);
}

}  // namespace tune
