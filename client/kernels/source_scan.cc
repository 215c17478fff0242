#include "client/kernels/source_scan.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/kernels/macro_candidates.h"

namespace tune {
namespace {

using Tokens = std::vector<SourceToken>;

// The index behind the bracket that closes the one at `at`.
size_t BehindClosing(const Tokens& code, size_t at, const char* open, const char* close) {
  int depth = 0;
  for (; at < code.size(); ++at) {
    if (code[at].Is(open)) ++depth;
    if (code[at].Is(close) && --depth == 0) return at + 1;
  }
  return at;
}

// As people write it: "const float *in".
std::string Print(const Tokens& tokens) {
  std::string text;
  for (const SourceToken& token : tokens) {
    const bool tight = token.Is(",") || token.Is(")") || token.Is("[") || token.Is("]") || token.Is(">") ||
                       token.Is("<") || token.Is("::") || token.Is("(");
    const bool behind_tight = absl::EndsWith(text, "*") || absl::EndsWith(text, "&") ||
                              absl::EndsWith(text, "(") || absl::EndsWith(text, "[") ||
                              absl::EndsWith(text, "<") || absl::EndsWith(text, "::");
    absl::StrAppend(&text, text.empty() || tight || behind_tight ? "" : " ", token.text);
  }
  return text;
}

void AppendText(std::string* out, const SourceToken& token) { out->append(token.text); }

// Parts between commas outside of brackets.
std::vector<Tokens> SplitAtCommas(const Tokens& tokens) {
  std::vector<Tokens> parts;
  int depth = 0;
  for (const SourceToken& token : tokens) {
    if (token.Is("(") || token.Is("[") || token.Is("{") || token.Is("<")) ++depth;
    if (token.Is(")") || token.Is("]") || token.Is("}") || token.Is(">")) --depth;
    if (token.Is(",") && depth == 0) {
      parts.emplace_back();
      continue;
    }
    if (parts.empty()) parts.emplace_back();
    parts.back().push_back(token);
  }
  return parts;
}

bool IsQualifier(const SourceToken& token) {
  static const auto* const kQualifiers = new std::set<absl::string_view>{
      "const",  "volatile", "restrict", "__restrict__", "__restrict", "struct",     "static",
      "inline", "extern",   "register", "__constant__", "__device__", "__managed__"};
  return kQualifiers->contains(token.text);
}

SourceParameter ParameterOf(const Tokens& tokens) {
  SourceParameter parameter;
  Tokens shown, words;
  for (const SourceToken& token : tokens) {
    if (token.Is("=")) break;  // a default argument
    shown.push_back(token);
    if (token.Is("*") || token.Is("[")) parameter.is_pointer = true;
    if (token.Is("[")) {
      shown.push_back(token);
      shown.back().text = "]";
      break;
    }
    if (token.Is("const") && !parameter.is_pointer) parameter.is_const = true;
    if (token.IsName() && !IsQualifier(token)) words.push_back(token);
  }
  parameter.text = Print(shown);
  if (words.empty()) return parameter;
  // The last word is the name, unless all of them are a type.
  const std::string all = absl::StrJoin(words, " ", AppendText);
  const absl::StatusOr<ElementForm> whole = ParseElementType(all);
  if (!whole.ok() && words.size() > 1) {
    parameter.name = words.back().text;
    words.pop_back();
  }
  const std::string type = absl::StrJoin(words, " ", AppendText);
  if (const auto form = ParseElementType(type); form.ok()) parameter.form = *form;
  parameter.is_texture = type == "cudaTextureObject_t";
  return parameter;
}

SourceTemplateParameter TemplateParameterOf(const Tokens& tokens) {
  SourceTemplateParameter parameter;
  parameter.text = Print(tokens);
  for (const SourceToken& token : tokens) {
    if (token.Is("=") || token.Is("...")) parameter.is_optional = true;
    if (token.Is("=")) break;
    if (token.IsName()) parameter.name = token.text;
  }
  return parameter;
}

class SourceScanner {
 public:
  SourceScanner(Tokens code, v1::KernelLanguage language) : code_(std::move(code)), language_(language) {}

  void Scan(SourceScan* scan) {
    scan_ = scan;
    while (at_ < code_.size()) Next();
  }

 private:
  bool IsAt(absl::string_view text, size_t offset = 0) const {
    return at_ + offset < code_.size() && code_[at_ + offset].Is(text);
  }

  // One declaration outside of functions, or a part of it.
  void Next() {
    if (IsAt("namespace")) return EnterNamespace();
    if (IsAt("extern") && at_ + 1 < code_.size() && code_[at_ + 1].kind == SourceToken::Kind::kString) {
      at_ += 2;
      if (IsAt("{")) {
        scopes_.push_back("");
        ++at_;
      }
      return;
    }
    if (IsAt("}")) {
      if (!scopes_.empty()) scopes_.pop_back();
      ++at_;
      return;
    }
    if (IsAt("template") && IsAt("<", 1)) {
      const size_t end = BehindClosing(code_, at_ + 1, "<", ">");
      template_.assign(code_.begin() + at_ + 2, code_.begin() + std::max(at_ + 2, end - 1));
      at_ = end;
      return;
    }
    ReadDeclaration();
    template_.clear();
  }

  void EnterNamespace() {
    std::string name;
    for (++at_; at_ < code_.size() && !IsAt("{") && !IsAt(";"); ++at_)
      absl::StrAppend(&name, code_[at_].text);
    if (IsAt("{")) scopes_.push_back(name);
    ++at_;
  }

  // Up to a `;` or the end of a body.
  void ReadDeclaration() {
    const size_t begin = at_;
    size_t parameters = 0;  // where they begin; 0: none
    while (at_ < code_.size() && !IsAt(";") && !IsAt("{") && !IsAt("}") && !IsAt("=")) {
      if (IsAt("operator")) at_ = BehindOperator(at_);
      if (!IsAt("(")) {
        ++at_;
        continue;
      }
      // Behind a name that is no attribute's, such as __launch_bounds__(256).
      const bool is_function =
          at_ > begin && code_[at_ - 1].IsName() && !absl::StartsWith(code_[at_ - 1].text, "__");
      if (is_function && parameters == 0) parameters = at_;
      at_ = BehindClosing(code_, at_, "(", ")");
    }
    const size_t end = at_;
    if (IsAt("{")) {
      at_ = BehindClosing(code_, at_, "{", "}");
      if (parameters > begin + 1) AddFunction(begin, parameters);
      return;
    }
    if (IsAt("=")) {
      while (at_ < code_.size() && !IsAt(";"))
        at_ = IsAt("{") ? BehindClosing(code_, at_, "{", "}") : at_ + 1;
    }
    if (IsAt(";")) ++at_;
    if (at_ == begin) ++at_;  // what no declaration begins with
    if (parameters == 0) AddSymbol(begin, end);
  }

  // `operator+=`, `operator()`: none of its symbols is anything else.
  size_t BehindOperator(size_t at) const {
    ++at;
    if (at + 1 < code_.size() && code_[at].Is("(") && code_[at + 1].Is(")")) return at + 2;
    while (at < code_.size() && !code_[at].Is("(")) ++at;
    return at;
  }

  bool Has(size_t begin, size_t end, absl::string_view word) const {
    return std::any_of(code_.begin() + begin, code_.begin() + end,
                       [&](const SourceToken& token) { return token.Is(word); });
  }

  void AddFunction(size_t begin, size_t parameters) {
    SourceFunction function;
    const SourceToken& name = code_[parameters - 1];
    function.is_kernel = Has(begin, parameters, "__global__");
    const bool is_c = language_ == v1::KERNEL_LANGUAGE_C;
    if (is_c ? !Has(begin, parameters, "void") || name.Is("main") || Has(begin, parameters, "*")
             : !function.is_kernel)
      return;
    for (const std::string& scope : scopes_) {
      if (!scope.empty()) absl::StrAppend(&function.name, scope, "::");
    }
    function.name += name.text;
    function.line = name.line;
    for (const Tokens& part : SplitAtCommas(template_))
      function.template_parameters.push_back(TemplateParameterOf(part));
    const size_t end = BehindClosing(code_, parameters, "(", ")");
    const Tokens inside(code_.begin() + parameters + 1, code_.begin() + std::max(parameters + 1, end - 1));
    for (const Tokens& part : SplitAtCommas(inside)) {
      if (part.size() == 1 && part[0].Is("void")) continue;
      function.parameters.push_back(ParameterOf(part));
    }
    scan_->functions.push_back(std::move(function));
  }

  void AddSymbol(size_t begin, size_t end) {
    if (!Has(begin, end, "__constant__") && !Has(begin, end, "__device__")) return;
    SourceSymbol symbol;
    symbol.variable = ParameterOf(Tokens(code_.begin() + begin, code_.begin() + end));
    symbol.line = code_[begin].line;
    for (size_t i = begin; i < end; ++i) {
      if (!code_[i].Is("[")) continue;
      const size_t behind = BehindClosing(code_, i, "[", "]");
      const std::string extent =
          absl::StrJoin(code_.begin() + i + 1, code_.begin() + std::max(i + 1, behind - 1), " ", AppendText);
      absl::StrAppend(&symbol.count, symbol.count.empty() ? "" : " * ",
                      absl::StrContains(extent, " ") ? absl::StrCat("(", extent, ")") : extent);
      i = behind - 1;
    }
    if (!symbol.variable.name.empty()) scan_->symbols.push_back(std::move(symbol));
  }

  const Tokens code_;
  const v1::KernelLanguage language_;
  SourceScan* scan_ = nullptr;
  size_t at_ = 0;
  std::vector<std::string> scopes_;  // namespaces around; empty: extern "C"
  Tokens template_;                  // parameters of the template that is declared next
};

// Those that are not in the branches that are left out.
Tokens TokensOfBranches(const Tokens& code, bool SourceToken::*left_out) {
  Tokens tokens;
  for (const SourceToken& token : code) {
    if (!(token.*left_out)) tokens.push_back(token);
  }
  return tokens;
}

}  // namespace

std::string SourceFunction::Signature() const {
  return absl::StrCat(name, "(",
                      absl::StrJoin(parameters, ", ",
                                    [](std::string* out, const SourceParameter& p) { out->append(p.text); }),
                      ")");
}

SourceScan ScanSource(absl::string_view source, v1::KernelLanguage language) {
  const SourceTokens tokens = TokensOf(source);
  // Branches of a conditional may each open what is closed behind it: brackets match where one of them is
  // read.
  SourceScan scan, of_last;
  SourceScanner(TokensOfBranches(tokens.code, &SourceToken::is_in_later_branch), language).Scan(&scan);
  SourceScanner(TokensOfBranches(tokens.code, &SourceToken::is_in_earlier_branch), language).Scan(&of_last);
  for (SourceFunction& function : of_last.functions) {
    const bool is_there = std::any_of(
        scan.functions.begin(), scan.functions.end(),
        [&](const SourceFunction& f) { return f.name == function.name && f.line == function.line; });
    if (!is_there) scan.functions.push_back(std::move(function));
  }
  for (SourceSymbol& symbol : of_last.symbols) {
    const bool is_there = std::any_of(scan.symbols.begin(), scan.symbols.end(), [&](const SourceSymbol& s) {
      return s.line == symbol.line && s.variable.name == symbol.variable.name;
    });
    if (!is_there) scan.symbols.push_back(std::move(symbol));
  }
  std::stable_sort(scan.functions.begin(), scan.functions.end(),
                   [](const SourceFunction& a, const SourceFunction& b) { return a.line < b.line; });
  std::set<std::string> parameters;
  for (const SourceFunction& function : scan.functions) {
    for (const SourceParameter& parameter : function.parameters) parameters.insert(parameter.name);
  }
  scan.macros = MacroCandidatesOf(tokens, std::move(parameters));
  return scan;
}

}  // namespace tune
