#include "worker/ppcg/ppcg_host.h"

#include <algorithm>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "worker/ppcg/c_token.h"

namespace tune {
namespace {

constexpr char kHostFile[] = "region_host.cu";
constexpr int kDeepest = 200;  // of loops and conditions

// [begin, end) of a vector of tokens.
struct TokenRange {
  const CToken* begin;
  const CToken* end;
  size_t size() const { return end - begin; }
  const CToken& operator[](size_t i) const { return begin[i]; }
  std::string Text() const { return TokenText(begin, end); }
};

class HostParser {
 public:
  HostParser(const std::vector<CToken>& tokens, int first_line, const std::set<std::string>& locals)
      : tokens_(tokens), first_line_(first_line), locals_(locals) {}

  absl::StatusOr<PpcgHost> Parse() {
    PpcgHost host;
    while (place_ < tokens_.size()) TUNE_RETURN_IF_ERROR(Statement(host.root));
    if (left_ > 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("ppcg leaves ", left_, left_ == 1 ? " statement" : " statements, the first of them,",
                       " on the host, outside of all kernels: ", first_left_, " (line ", first_left_line_,
                       " of ", kHostFile, ")"));
    }
    host.directives = std::move(directives_);
    return host;
  }

 private:
  absl::Status Unexpected(absl::string_view what) const {
    const bool end = place_ >= tokens_.size();
    return absl::InternalError(
        absl::StrCat(kHostFile, ", line ", end ? LastLine() : Line(tokens_[place_]), ": ", what, ", found ",
                     end ? absl::string_view("the end of the region") : tokens_[place_].text,
                     "; this reads what PPCG 0.09 writes: is it another version?"));
  }
  int Line(const CToken& token) const { return first_line_ + token.line - 1; }
  int LastLine() const { return tokens_.empty() ? first_line_ : Line(tokens_.back()); }

  bool Is(absl::string_view text) const { return place_ < tokens_.size() && tokens_[place_].Is(text); }

  // Appends what the next statement becomes to a sequence.
  absl::Status Statement(PpcgHostNode& into) {
    if (depth_ > kDeepest) return Unexpected("loops nested too deeply");
    if (place_ >= tokens_.size()) return Unexpected("expected a statement");
    const CToken& first = tokens_[place_];
    if (first.kind == CToken::Kind::kDirective) {
      KeepDirective(std::string(first.text));
      ++place_;
      return absl::OkStatus();
    }
    if (first.Is(";")) {
      ++place_;
      return absl::OkStatus();
    }
    ++depth_;
    const absl::Status status = first.Is("{")     ? Block(into)
                                : first.Is("for") ? For(into)
                                : first.Is("if")  ? If(into)
                                                  : Simple(into);
    --depth_;
    return status;
  }

  void KeepDirective(const std::string& text) {
    if (!absl::StartsWith(text, "#define ppcg_")) return;
    if (std::find(directives_.begin(), directives_.end(), text) == directives_.end())
      directives_.push_back(text);
  }

  absl::Status Block(PpcgHostNode& into) {
    ++place_;
    while (!Is("}")) TUNE_RETURN_IF_ERROR(Statement(into));
    ++place_;
    return absl::OkStatus();
  }

  // The tokens between the parenthesis at hand and its partner; moves behind that.
  absl::StatusOr<TokenRange> Parenthesized() {
    if (!Is("(")) return Unexpected("expected (");
    const size_t begin = ++place_;
    for (int open = 1; place_ < tokens_.size(); ++place_) {
      if (Is("(")) ++open;
      if (Is(")") && --open == 0) {
        ++place_;
        return TokenRange{&tokens_[begin], &tokens_[place_ - 1]};
      }
    }
    return Unexpected("expected )");
  }

  // `for (int c0 = first; condition; step) statement`
  absl::Status For(PpcgHostNode& into) {
    ++place_;
    const size_t begin = place_;
    TUNE_ASSIGN_OR_RETURN(const TokenRange header, Parenthesized());
    size_t equals = 0;
    while (equals < header.size() && !header[equals].Is("=")) ++equals;
    if (equals < 2 || equals >= header.size() || !header[equals - 1].IsName()) {
      place_ = begin;
      return Unexpected("expected a loop with an iterator of its own");
    }
    const std::string iterator(header[equals - 1].text);
    const bool shadows = !iterators_.insert(iterator).second;
    TUNE_RETURN_IF_ERROR(CheckNames({header.begin + equals - 1, header.end}));
    PpcgHostNode loop;
    loop.kind = PpcgHostNode::Kind::kFor;
    loop.header = header.Text();
    loop.children.emplace_back();
    TUNE_RETURN_IF_ERROR(Statement(loop.children.back()));
    if (!shadows) iterators_.erase(iterator);
    into.children.push_back(std::move(loop));
    return absl::OkStatus();
  }

  absl::Status If(PpcgHostNode& into) {
    ++place_;
    TUNE_ASSIGN_OR_RETURN(const TokenRange condition, Parenthesized());
    TUNE_RETURN_IF_ERROR(CheckNames(condition));
    PpcgHostNode node;
    node.kind = PpcgHostNode::Kind::kIf;
    node.header = condition.Text();
    node.children.emplace_back();
    TUNE_RETURN_IF_ERROR(Statement(node.children.back()));
    if (Is("else")) {
      ++place_;
      node.otherwise.emplace_back();
      TUNE_RETURN_IF_ERROR(Statement(node.otherwise.back()));
    }
    into.children.push_back(std::move(node));
    return absl::OkStatus();
  }

  // Only iterators and PPCG's macros: a launch sequence knows nothing else.
  absl::Status CheckNames(const TokenRange& range) const {
    for (const CToken* token = range.begin; token != range.end; ++token) {
      const std::string name(token->text);
      if (!token->IsName() || iterators_.count(name) > 0 || absl::StartsWith(name, "ppcg_")) continue;
      return absl::InternalError(
          absl::StrCat(kHostFile, ", line ", Line(*token), ": the host's code uses ", name,
                       ", which is neither an iterator nor a macro of PPCG: ", range.Text()));
    }
    return absl::OkStatus();
  }

  // A statement that ends with a semicolon.
  absl::Status Simple(PpcgHostNode& into) {
    const size_t begin = place_;
    int open = 0;
    while (place_ < tokens_.size() && (open > 0 || !Is(";"))) {
      if (Is("(") || Is("{") || Is("[")) ++open;
      if (Is(")") || Is("}") || Is("]")) --open;
      if (open < 0) break;
      ++place_;
    }
    if (!Is(";")) return Unexpected("expected ;");
    const TokenRange range{&tokens_[begin], &tokens_[place_]};
    ++place_;
    if (IsCudaCall(range) || IsDeclaration(range)) return absl::OkStatus();
    if (range[0].Is("dim3")) return Dimensions(range);
    if (IsLaunch(range)) return Launch(range, into);
    if (left_++ == 0) {
      first_left_ = range.Text();
      if (first_left_.size() > 120) first_left_ = first_left_.substr(0, 117) + "...";
      first_left_line_ = Line(range[0]);
    }
    return absl::OkStatus();
  }

  static bool IsCudaCall(const TokenRange& range) {
    if (range[0].Is("cudaCheckKernel")) return true;
    if (!range[0].Is("cudaCheckReturn") || range.size() < 3) return false;
    return range[2].Is("cudaMalloc") || range[2].Is("cudaMemcpy") || range[2].Is("cudaFree");
  }

  // "double *dev_A", "double (*dev_A)[10]", and "double t[10]" for a local array.
  bool IsDeclaration(const TokenRange& range) const {
    for (size_t i = 1; i < range.size(); ++i) {
      if (range[i].Is("=")) return false;
      if (!range[i].IsName()) continue;
      const bool device = absl::StartsWith(range[i].text, "dev_") && range[i - 1].Is("*");
      const bool local = locals_.count(std::string(range[i].text)) > 0 && range[i - 1].IsName();
      if (device || local) return true;
    }
    return false;
  }

  // Splits at the commas outside of parentheses.
  static std::vector<TokenRange> SplitList(const TokenRange& range) {
    std::vector<TokenRange> parts;
    if (range.begin == range.end) return parts;
    int open = 0;
    const CToken* begin = range.begin;
    for (const CToken* token = range.begin; token != range.end; ++token) {
      if (token->Is("(") || token->Is("[")) ++open;
      if (token->Is(")") || token->Is("]")) --open;
      if (!token->Is(",") || open > 0) continue;
      parts.push_back({begin, token});
      begin = token + 1;
    }
    parts.push_back({begin, range.end});
    return parts;
  }

  // `dim3 k0_dimGrid(3, ppcg_min(c0, 4))`; without parentheses: one.
  absl::Status Dimensions(const TokenRange& range) {
    const bool list = range.size() >= 4 && range[2].Is("(") && range[range.size() - 1].Is(")");
    if (range.size() < 2 || !range[1].IsName() || (range.size() > 2 && !list))
      return Bad(range, "not a dim3 as PPCG writes it");
    std::vector<std::string> sizes;
    if (list) {
      for (const TokenRange& size : SplitList({range.begin + 3, range.end - 1})) {
        TUNE_RETURN_IF_ERROR(CheckNames(size));
        sizes.push_back(size.Text());
      }
    }
    if (sizes.size() > 3) return Bad(range, "a dim3 with more than three sizes");
    dimensions_[std::string(range[1].text)] = sizes;
    return absl::OkStatus();
  }

  static bool IsLaunch(const TokenRange& range) {
    return range.size() > 4 && range[0].IsName() && range[1].Is("<") && range[2].Is("<") &&
           range[3].Is("<") && IsAdjacent(range[1], range[2]) && IsAdjacent(range[2], range[3]);
  }

  // `kernel0 <<<k0_dimGrid, k0_dimBlock>>> (dev_A, alpha, c0)`
  absl::Status Launch(const TokenRange& range, PpcgHostNode& into) {
    size_t close = 4;
    while (close + 2 < range.size() && !(range[close].Is(">") && range[close + 1].Is(">"))) ++close;
    if (close + 4 >= range.size() || !range[close + 2].Is(">") || !range[close + 3].Is("(") ||
        !range[range.size() - 1].Is(")")) {
      return Bad(range, "not a launch as PPCG writes it");
    }
    const std::vector<TokenRange> shape = SplitList({range.begin + 4, range.begin + close});
    if (shape.size() != 2) return Bad(range, "a launch without grid and block");
    const auto grid = dimensions_.find(shape[0].Text()), block = dimensions_.find(shape[1].Text());
    if (grid == dimensions_.end() || block == dimensions_.end())
      return Bad(range, "a launch with a grid or block that was not declared");
    PpcgHostNode node;
    node.kind = PpcgHostNode::Kind::kLaunch;
    node.launch.kernel = std::string(range[0].text);
    node.launch.grid = grid->second;
    for (const std::string& size : block->second) {
      int64_t number = 0;
      if (!absl::SimpleAtoi(size, &number) || number < 1)
        return Bad(range, absl::StrCat("a block whose size is not a number: ", size));
      node.launch.block.push_back(number);
    }
    for (const TokenRange& argument : SplitList({range.begin + close + 4, range.end - 1}))
      node.launch.arguments.push_back(argument.Text());
    into.children.push_back(std::move(node));
    return absl::OkStatus();
  }

  absl::Status Bad(const TokenRange& range, absl::string_view what) const {
    return absl::InternalError(
        absl::StrCat(kHostFile, ", line ", Line(range[0]), ": ", what, ": ", range.Text()));
  }

  const std::vector<CToken>& tokens_;
  const int first_line_;
  const std::set<std::string>& locals_;
  size_t place_ = 0;
  int depth_ = 0;
  std::set<std::string> iterators_;  // of the loops around
  std::map<std::string, std::vector<std::string>> dimensions_;
  std::vector<std::string> directives_;
  int left_ = 0;  // statements on the host
  std::string first_left_;
  int first_left_line_ = 0;
};

}  // namespace

absl::StatusOr<PpcgHost> ParsePpcgHost(absl::string_view host, const std::set<std::string>& locals) {
  const size_t begin = host.find(kPpcgBegin), end = host.find(kPpcgEnd);
  if (begin == absl::string_view::npos || end == absl::string_view::npos || end < begin) {
    return absl::InternalError(
        absl::StrCat(kHostFile, ": the comments around the region are missing: ppcg did not get to its end"));
  }
  const size_t first = begin + std::string(kPpcgBegin).size();
  const int line = 1 + static_cast<int>(std::count(host.begin(), host.begin() + first, '\n'));
  auto tokens = SplitCText(host.substr(first, end - first));
  if (!tokens.ok()) return absl::InternalError(absl::StrCat(kHostFile, ": ", tokens.status().message()));
  return HostParser(*tokens, line, locals).Parse();
}

}  // namespace tune
