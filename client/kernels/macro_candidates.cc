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
  if (!token.IsName()) return false;
  static const auto* const kDeclaring =
      new Names{"struct", "class", "enum", "union", "typename", "auto", "using", "namespace"};
  return kDeclaring->contains(token.text) || !Words().contains(token.text);
}

bool IsBetweenTypeAndName(const SourceToken& token) {
  return token.Is("*") || token.Is("&") || token.Is("...") || token.Is("const") || token.Is("volatile") ||
         token.Is("restrict") || token.Is("__restrict__") || token.Is("__restrict");
}

class CandidateSearch {
 public:
  CandidateSearch(const SourceTokens& tokens, Names declared)
      : tokens_(tokens), declared_(std::move(declared)) {}

  std::vector<MacroCandidate> Run() {
    ReadDefinitions();
    ReadDeclarations();
    CollectUses();
    std::vector<MacroCandidate> found;
    for (const auto& [line, name] : order_) found.push_back({name, line, alternatives_[name]});
    return found;
  }

 private:
  // What is defined where something else is not, and has a value, is an alternative; other definitions are
  // final.
  void ReadDefinitions() {
    std::vector<std::string>
        undefined;  // for each conditional around: of `#ifndef NAME` its name, else empty
    for (const SourceDirective& directive : tokens_.directives) {
      const bool is_conditional =
          directive.name == "if" || directive.name == "ifdef" || directive.name == "ifndef";
      if (is_conditional) {
        const bool is_ifndef = directive.name == "ifndef" && !directive.tokens.empty();
        undefined.push_back(is_ifndef ? directive.tokens[0].text : "");
      } else if (!undefined.empty() && (directive.name == "else" || directive.name == "elif")) {
        undefined.back() = "";
      } else if (!undefined.empty() && directive.name == "endif") {
        undefined.pop_back();
      } else if (directive.name == "define" && !directive.tokens.empty()) {
        ReadDefinition(directive, &undefined);
      }
    }
  }

  void ReadDefinition(const SourceDirective& directive, std::vector<std::string>* undefined) {
    const std::string& name = directive.tokens[0].text;
    const bool has_value = directive.tokens.size() > 1;
    const bool has_parameters = has_value && directive.tokens[1].Is("(") && !directive.tokens[1].behind_blank;
    if (!has_value && !undefined->empty() && undefined->back() == name)
      undefined->back() = "";  // of a header
    const bool is_alternative = std::any_of(undefined->begin(), undefined->end(),
                                            [](const std::string& guard) { return !guard.empty(); });
    if (!is_alternative || !has_value || has_parameters) {
      declared_.insert(name);
      if (has_parameters) ReadMacroParameters(directive);
      return;
    }
    std::string value;
    for (size_t t = 1; t < directive.tokens.size(); ++t)
      absl::StrAppend(&value, t > 1 ? " " : "", directive.tokens[t].text);
    alternatives_[name] = value;
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
      while (before > 0 && IsBetweenTypeAndName(code[before])) {
        has_star |= code[before].Is("*") || code[before].Is("&");
        --before;
      }
      // `a * b` declares b only where a is a type for sure.
      const bool declares = has_star ? IsBuiltinType(code[before].text) || IsTypeBefore(before)
                                     : MayDeclare(code[before]) || EndsTemplate(before);
      const bool ends_struct =
          code[i - 1].Is("}") && i + 1 < code.size() && (code[i + 1].Is(";") || code[i + 1].Is(","));
      if (declares || ends_struct) Declare(i);
    }
    for (const SourceToken& token : code) {
      if (types_.contains(token.text)) declared_.insert(token.text);
    }
  }

  // The `>` of `vector<float> x`, and not of `a < b && c > x`.
  bool EndsTemplate(size_t at) const {
    int depth = 0;
    for (size_t i = at + 1; i-- > 0;) {
      const SourceToken& token = tokens_.code[i];
      if (token.Is(";") || token.Is("{") || token.Is("}") || token.Is("&") || token.Is("|") || token.Is("?"))
        return false;
      if (token.Is(">")) ++depth;
      if (token.Is("<")) --depth;
      if (depth == 0) return i < at && i > 0 && tokens_.code[i - 1].IsName();
    }
    return false;
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

std::vector<MacroCandidate> MacroCandidatesOf(const SourceTokens& tokens, std::set<std::string> declared) {
  return CandidateSearch(tokens, std::move(declared)).Run();
}

}  // namespace tune
