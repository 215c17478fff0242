#include "tests/simt/asynchronous_text.h"

#include <algorithm>
#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tune::simt {
namespace {

constexpr char kAssembler[] = "asm volatile(\"cp.async.";

// What stands in the brackets behind the word; empty: there are none.
std::string ArgumentOf(absl::string_view word, const std::string& statement) {
  const size_t at = statement.find(absl::StrCat(word, "("));
  if (at == std::string::npos) return "";
  const size_t begin = at + word.size() + 1;
  int depth = 1;
  size_t end = begin;
  while (end < statement.size() && depth > 0) {
    depth += statement[end] == '(' ? 1 : statement[end] == ')' ? -1 : 0;
    ++end;
  }
  return statement.substr(begin, end - 1 - begin);
}

// The call for the statement; empty: it is none of those that are known.
std::string CallFor(const std::string& statement) {
  static const auto* copy =
      new std::regex(R"re("cp\.async\.c[ag]\.shared\.global \[%0\], \[%1\], (4|8|16);")re");
  std::smatch match;
  if (std::regex_search(statement, match, *copy)) {
    return absl::StrCat("simt_copy_asynchronously(", ArgumentOf("__cvta_generic_to_shared", statement), ", ",
                        ArgumentOf("__cvta_generic_to_global", statement), ", ", match[1].str(), ");");
  }
  if (absl::StrContains(statement, "\"cp.async.commit_group;\"")) return "simt_commit_copies();";
  if (absl::StrContains(statement, "\"cp.async.wait_all;\"")) return "simt_await_copies(-1);";
  if (absl::StrContains(statement, "\"cp.async.wait_group %0;\""))
    return absl::StrCat("simt_await_copies(", ArgumentOf("\"n\"", statement), ");");
  return "";
}

// Takes the part of the conditional whose condition stands in the line before the end of `text`.
void TakePart(std::string* text) {
  const size_t end = text->find_last_of('\n');
  if (end == std::string::npos || end == 0) return;
  const size_t before = text->find_last_of('\n', end - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::string line = text->substr(begin, end - begin);
  if (absl::StartsWith(line, "#if") && absl::StrContains(line, "__CUDA_ARCH__"))
    text->replace(begin, line.size(), "#if 1");
}

}  // namespace

std::string ReplaceAsynchronousCopies(const std::string& cuda_text) {
  std::string result;
  size_t copied = 0;
  for (size_t at = 0; (at = cuda_text.find(kAssembler, at)) != std::string::npos; ++at) {
    const size_t end = cuda_text.find(");", at);
    if (end == std::string::npos) break;
    const std::string statement = cuda_text.substr(at, end + 2 - at);
    const std::string call = CallFor(statement);
    if (call.empty()) continue;
    absl::StrAppend(&result, cuda_text.substr(copied, at - copied));
    TakePart(&result);
    absl::StrAppend(&result, call, std::string(std::count(statement.begin(), statement.end(), '\n'), '\n'));
    copied = end + 2;
  }
  return result + cuda_text.substr(copied);
}

}  // namespace tune::simt
