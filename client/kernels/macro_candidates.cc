#include "client/kernels/macro_candidates.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tune {
namespace {

using Names = std::set<std::string>;

// Words of C, C++ and CUDA that are no types.
const Names& Words() {
  static const auto* const kWords = new Names{"alignas",
                                              "alignof",
                                              "asm",
                                              "auto",
                                              "break",
                                              "case",
                                              "catch",
                                              "class",
                                              "const",
                                              "constexpr",
                                              "continue",
                                              "decltype",
                                              "default",
                                              "defined",
                                              "delete",
                                              "do",
                                              "else",
                                              "enum",
                                              "explicit",
                                              "extern",
                                              "false",
                                              "for",
                                              "friend",
                                              "goto",
                                              "if",
                                              "inline",
                                              "mutable",
                                              "namespace",
                                              "new",
                                              "noexcept",
                                              "nullptr",
                                              "NULL",
                                              "operator",
                                              "private",
                                              "protected",
                                              "public",
                                              "register",
                                              "return",
                                              "restrict",
                                              "sizeof",
                                              "static",
                                              "struct",
                                              "switch",
                                              "template",
                                              "this",
                                              "throw",
                                              "true",
                                              "try",
                                              "typedef",
                                              "typename",
                                              "union",
                                              "using",
                                              "virtual",
                                              "volatile",
                                              "while",
                                              "threadIdx",
                                              "blockIdx",
                                              "blockDim",
                                              "gridDim",
                                              "warpSize",
                                              "unroll",
                                              "once",
                                              "pragma",
                                              "omp",
                                              "std",
                                              "EOF",
                                              "stdin",
                                              "stdout",
                                              "stderr",
                                              "static_cast",
                                              "reinterpret_cast",
                                              "const_cast",
                                              "dynamic_cast",
                                              "and",
                                              "or",
                                              "not"};
  return *kWords;
}

// Of <limits.h>, <float.h> and <math.h>.
bool IsOfStandardHeaders(const std::string& name) {
  for (const char* prefix :
       {"INT_M",   "UINT_M",  "LONG_M",   "ULONG_M",  "CHAR_",    "SHRT_M",  "FLT_",   "DBL_",
        "M_PI",    "M_E",     "INT8_",    "INT16_",   "INT32_",   "INT64_",  "UINT8_", "UINT16_",
        "UINT32_", "UINT64_", "SIZE_MAX", "HUGE_VAL", "INFINITY", "CUDART_", "cuda"}) {
    if (absl::StartsWith(name, prefix)) return true;
  }
  return name == "NAN" || absl::StartsWith(name, "__");
}

bool IsBuiltinType(const std::string& name) {
  return name == "void" || name == "signed" || name == "unsigned" || name == "dim3" ||
         ParseElementType(name).ok();
}

bool IsPlainName(const SourceToken& token) {
  return token.IsName() && !Words().contains(token.text) && !IsOfStandardHeaders(token.text) &&
         !IsBuiltinType(token.text);
}

// Whether a name behind this one is being declared: `float x`, `T x`, `struct s`.
bool MayDeclare(const SourceToken& token) {
  if (!token.IsName()) return token.Is(">");
  static const auto* const kDeclaring = new Names{
      "const",        "struct",     "class", "enum",     "union",     "typename",  "auto",   "volatile",
      "__restrict__", "__restrict", "using", "restrict", "namespace", "constexpr", "static", "register"};
  return kDeclaring->contains(token.text) || !Words().contains(token.text);
}

class CandidateSearch {
 public:
  explicit CandidateSearch(const SourceTokens& tokens) : tokens_(tokens) {}

  std::vector<MacroCandidate> Run() {
    ReadDefinitions();
    ReadDeclarations();
    CollectUses();
    std::vector<MacroCandidate> found;
    for (const auto& [line, name] : order_) found.push_back({name, line, alternatives_[name]});
    return found;
  }

 private:
  // `#ifndef NAME` directly before `#define NAME VALUE` is an alternative; other definitions are final.
  void ReadDefinitions() {
    for (size_t i = 0; i < tokens_.directives.size(); ++i) {
      const SourceDirective& directive = tokens_.directives[i];
      if (directive.name != "define" || directive.tokens.empty()) continue;
      const std::string& name = directive.tokens[0].text;
      const bool guarded = i > 0 && tokens_.directives[i - 1].name == "ifndef" &&
                           !tokens_.directives[i - 1].tokens.empty() &&
                           tokens_.directives[i - 1].tokens[0].text == name && directive.tokens.size() > 1;
      if (guarded) {
        std::string value;
        for (size_t t = 1; t < directive.tokens.size(); ++t)
          absl::StrAppend(&value, t > 1 ? " " : "", directive.tokens[t].text);
        alternatives_[name] = value;
      } else {
        declared_.insert(name);
        if (directive.tokens.size() > 1 && directive.tokens[1].Is("(")) ReadMacroParameters(directive);
      }
    }
  }

  void ReadMacroParameters(const SourceDirective& directive) {
    for (size_t t = 2; t < directive.tokens.size() && !directive.tokens[t].Is(")"); ++t)
      declared_.insert(directive.tokens[t].text);
  }

  void ReadDeclarations() {
    const std::vector<SourceToken>& code = tokens_.code;
    for (size_t i = 1; i < code.size(); ++i) {
      if (!IsPlainName(code[i])) continue;
      size_t before = i - 1;
      bool has_star = false;
      while (before > 0 && (code[before].Is("*") || code[before].Is("&") || code[before].Is("restrict") ||
                            code[before].Is("...") || code[before].Is("__restrict__"))) {
        has_star |= !code[before].Is("...");
        --before;
      }
      // `a * b` declares b only where a is a type for sure.
      const bool declares =
          has_star ? IsBuiltinType(code[before].text) || IsTypeBefore(before) : MayDeclare(code[before]);
      const bool ends_struct =
          code[i - 1].Is("}") && i + 1 < code.size() && (code[i + 1].Is(";") || code[i + 1].Is(","));
      if (declares || ends_struct) Declare(i);
    }
    for (const SourceToken& token : code) {
      if (types_.contains(token.text)) declared_.insert(token.text);
    }
  }

  // `const T *`, or behind a type's definition.
  bool IsTypeBefore(size_t at) const {
    return types_.contains(tokens_.code[at].text) ||
           (at > 0 && (tokens_.code[at - 1].Is("const") || tokens_.code[at - 1].Is("struct")));
  }

  // The name at `at`, and those that a comma adds: `int i = 0, j`.
  void Declare(size_t at) {
    const std::vector<SourceToken>& code = tokens_.code;
    declared_.insert(code[at].text);
    const std::string& before = code[at - 1].text;
    if (before == "struct" || before == "class" || before == "enum" || before == "union" ||
        before == "typename" || before == "using")
      types_.insert(code[at].text);
    int depth = 0;
    for (size_t i = at + 1; i < code.size(); ++i) {
      if (code[i].Is("(") || code[i].Is("[") || code[i].Is("{")) ++depth;
      if ((code[i].Is(")") || code[i].Is("]") || code[i].Is("}")) && --depth < 0) return;
      if (depth == 0 && code[i].Is(";")) return;
      size_t next = i + 1;
      while (next < code.size() && code[next].Is("*")) ++next;
      if (depth == 0 && code[i].Is(",") && next < code.size() && IsPlainName(code[next]) &&
          (next + 1 >= code.size() || !code[next + 1].IsName()))
        declared_.insert(code[next].text);
    }
  }

  void CollectUses() {
    const std::vector<SourceToken>& code = tokens_.code;
    for (size_t i = 0; i < code.size(); ++i) {
      const bool member = i > 0 && (code[i - 1].Is(".") || code[i - 1].Is("->") || code[i - 1].Is("::"));
      const bool called = i + 1 < code.size() && (code[i + 1].Is("(") || code[i + 1].Is("::"));
      if (!member && !called) Use(code[i]);
    }
    for (const SourceDirective& directive : tokens_.directives) {
      const bool is_condition = directive.name == "if" || directive.name == "elif" ||
                                directive.name == "ifdef" || directive.name == "ifndef";
      const bool is_unroll =
          directive.name == "pragma" && !directive.tokens.empty() && directive.tokens[0].Is("unroll");
      if (!is_condition && !is_unroll && directive.name != "define") continue;
      for (size_t t = directive.name == "define" ? 1 : 0; t < directive.tokens.size(); ++t) {
        const bool called = t + 1 < directive.tokens.size() && directive.tokens[t + 1].Is("(");
        const bool member = t > 0 && (directive.tokens[t - 1].Is(".") || directive.tokens[t - 1].Is("->"));
        if (!called && !member) Use(directive.tokens[t]);
      }
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  void Use(const SourceToken& token) {
    if (!IsPlainName(token) || declared_.contains(token.text)) return;
    if (seen_.emplace(token.text, order_.size()).second) {
      order_.emplace_back(token.line, token.text);
    } else {
      int& line = order_[seen_[token.text]].first;
      line = std::min(line, token.line);
    }
  }

  const SourceTokens& tokens_;
  Names declared_, types_;
  std::map<std::string, std::string> alternatives_;
  std::map<std::string, size_t> seen_;              // indices of order_
  std::vector<std::pair<int, std::string>> order_;  // lines of first uses, and names
};

}  // namespace

std::vector<MacroCandidate> MacroCandidatesOf(const SourceTokens& tokens) {
  return CandidateSearch(tokens).Run();
}

}  // namespace tune
