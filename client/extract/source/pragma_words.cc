#include "client/extract/source/pragma_words.h"

#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "common/base/one_of.h"

namespace tune {
namespace {

using Words = std::vector<absl::string_view>;

// Those behind "pragma", as if they had no parentheses.
Words WordsOf(llvm::StringRef pragma) {
  pragma.consume_front("\"");
  if (const size_t word = pragma.find("pragma"); word != llvm::StringRef::npos)
    pragma = pragma.drop_front(word + 6);
  const absl::string_view text(pragma.data(), pragma.size());
  return absl::StrSplit(text, absl::ByAnyChar(" \t\r\n\\\"(),"), absl::SkipEmpty());
}

// OpenMP 5.2, tables of stand-alone, declarative and informational directives.
bool StandsAloneInOpenMp(const Words& words) {
  if (words[1] == "target") return words.size() > 2 && IsOneOf(words[2], {"update", "enter", "exit"});
  return IsOneOf(words[1], {"barrier", "taskwait", "taskyield", "flush", "cancel", "cancellation", "depobj",
                            "interop", "error", "nothing", "scan", "allocate", "threadprivate", "declare",
                            "begin", "end", "requires", "assumes"});
}

// OpenACC 3.3, executable and declare directives.
bool StandsAloneInOpenAcc(const Words& words) {
  return IsOneOf(words[1], {"update", "wait", "enter", "exit", "init", "shutdown", "set", "cache", "declare",
                            "routine"});
}

}  // namespace

bool IsParallelPragma(llvm::StringRef pragma) {
  const Words words = WordsOf(pragma);
  return words.size() > 1 && IsOneOf(words[0], {"omp", "acc"});
}

bool IsPragmaOfStatement(llvm::StringRef pragma) {
  const Words words = WordsOf(pragma);
  if (words.empty()) return false;
  if (IsOneOf(words[0], {"unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam"})) return true;
  if (words.size() < 2) return false;
  if (words[0] == "GCC") return IsOneOf(words[1], {"ivdep", "unroll", "novector"});
  if (words[0] == "clang") return words[1] == "loop";
  if (words[0] == "omp") return !StandsAloneInOpenMp(words);
  return words[0] == "acc" && !StandsAloneInOpenAcc(words);
}

}  // namespace tune
