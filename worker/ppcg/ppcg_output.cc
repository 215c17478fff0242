#include "worker/ppcg/ppcg_output.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "worker/ppcg/c_token.h"
#include "worker/ppcg/ppcg_host.h"

namespace tune {
namespace {

constexpr char kKernelFile[] = "region_kernel.cu";

class KernelParser {
 public:
  explicit KernelParser(const std::vector<CToken>& tokens) : tokens_(tokens) {}

  absl::StatusOr<std::vector<PpcgKernel>> Parse() {
    std::vector<PpcgKernel> kernels;
    while (place_ < tokens_.size()) {
      if (tokens_[place_].kind == CToken::Kind::kDirective) {
        ++place_;
        continue;
      }
      TUNE_ASSIGN_OR_RETURN(PpcgKernel kernel, Kernel());
      for (const PpcgKernel& other : kernels) {
        if (other.name == kernel.name)
          return absl::InternalError(absl::StrCat(kKernelFile, ": there are two kernels ", kernel.name));
      }
      kernels.push_back(std::move(kernel));
    }
    return kernels;
  }

 private:
  absl::Status Unexpected(absl::string_view what) const {
    const bool end = place_ >= tokens_.size();
    return absl::InternalError(absl::StrCat(
        kKernelFile, ", line ", end ? (tokens_.empty() ? 1 : tokens_.back().line) : tokens_[place_].line,
        ": expected ", what, ", found ", end ? absl::string_view("the end") : tokens_[place_].text,
        "; this reads what PPCG 0.09 writes: is it another version?"));
  }

  bool Is(absl::string_view text) const { return place_ < tokens_.size() && tokens_[place_].Is(text); }

  absl::Status Expect(absl::string_view text) {
    if (!Is(text)) return Unexpected(text);
    ++place_;
    return absl::OkStatus();
  }

  // Behind the partner of the bracket at hand.
  absl::Status Skip(absl::string_view opening, absl::string_view closing) {
    TUNE_RETURN_IF_ERROR(Expect(opening));
    for (int open = 1; open > 0; ++place_) {
      if (place_ >= tokens_.size()) return Unexpected(closing);
      if (Is(opening)) ++open;
      if (Is(closing)) --open;
    }
    return absl::OkStatus();
  }

  // `__global__ void kernel0(double *A, int c0) { ... }`
  absl::StatusOr<PpcgKernel> Kernel() {
    TUNE_RETURN_IF_ERROR(Expect("__global__"));
    TUNE_RETURN_IF_ERROR(Expect("void"));
    PpcgKernel kernel;
    constexpr absl::string_view kPrefix = "kernel";
    if (place_ >= tokens_.size() || !absl::StartsWith(tokens_[place_].text, kPrefix) ||
        !absl::SimpleAtoi(tokens_[place_].text.substr(kPrefix.size()), &kernel.number) || kernel.number < 0) {
      return Unexpected("a kernel's name and number");
    }
    kernel.name = std::string(tokens_[place_++].text);
    const size_t open = place_;
    TUNE_RETURN_IF_ERROR(Skip("(", ")"));
    const size_t close = place_ - 1;
    kernel.parameters_text = TokenText(&tokens_[open] + 1, &tokens_[close]);
    for (size_t begin = open + 1; begin < close;) {
      size_t end = begin;
      for (int depth = 0; end < close && (depth > 0 || !tokens_[end].Is(",")); ++end) {
        if (tokens_[end].Is("(") || tokens_[end].Is("[")) ++depth;
        if (tokens_[end].Is(")") || tokens_[end].Is("]")) --depth;
      }
      TUNE_ASSIGN_OR_RETURN(PpcgKernel::Parameter parameter, Parameter(begin, end));
      kernel.parameters.push_back(std::move(parameter));
      begin = end + 1;
    }
    const size_t body = place_;
    TUNE_RETURN_IF_ERROR(Skip("{", "}"));
    const absl::string_view first = tokens_[body].text, last = tokens_[place_ - 1].text;
    kernel.body.assign(first.data(), last.data() + last.size() - first.data());
    return kernel;
  }

  // "double *A", "double A[10][20]", "unsigned int c0"
  absl::StatusOr<PpcgKernel::Parameter> Parameter(size_t begin, size_t end) {
    PpcgKernel::Parameter parameter;
    size_t name = end;
    for (size_t i = begin; i < end && !tokens_[i].Is("["); ++i) {
      if (tokens_[i].IsName()) name = i;
    }
    if (name == end || name == begin) {
      place_ = begin;
      return Unexpected("a parameter");
    }
    parameter.name = std::string(tokens_[name].text);
    size_t type_end = begin;
    while (type_end < name && tokens_[type_end].IsName()) ++type_end;
    parameter.type = TokenText(&tokens_[begin], &tokens_[begin] + (type_end - begin));
    for (size_t i = begin; i < end; ++i)
      parameter.pointer = parameter.pointer || tokens_[i].Is("*") || tokens_[i].Is("[");
    return parameter;
  }

  const std::vector<CToken>& tokens_;
  size_t place_ = 0;
};

absl::Status CheckLaunches(const PpcgHostNode& node, const std::vector<PpcgKernel>& kernels) {
  for (const PpcgHostNode& child : node.children) TUNE_RETURN_IF_ERROR(CheckLaunches(child, kernels));
  for (const PpcgHostNode& child : node.otherwise) TUNE_RETURN_IF_ERROR(CheckLaunches(child, kernels));
  if (node.kind != PpcgHostNode::Kind::kLaunch) return absl::OkStatus();
  const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                   [&](const PpcgKernel& other) { return other.name == node.launch.kernel; });
  if (kernel == kernels.end()) {
    return absl::InternalError(absl::StrCat("ppcg's host code launches ", node.launch.kernel, ", which ",
                                            kKernelFile, " does not have"));
  }
  if (kernel->parameters.size() == node.launch.arguments.size()) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("ppcg's ", kernel->name, " has ", kernel->parameters.size(),
                                          " parameters and its launch ", node.launch.arguments.size(),
                                          " arguments"));
}

}  // namespace

absl::StatusOr<std::vector<PpcgKernel>> ParsePpcgKernels(absl::string_view kernels) {
  auto tokens = SplitCText(kernels);
  if (!tokens.ok()) return absl::InternalError(absl::StrCat(kKernelFile, ": ", tokens.status().message()));
  return KernelParser(*tokens).Parse();
}

absl::StatusOr<PpcgOutput> ParsePpcgOutput(absl::string_view kernels, absl::string_view host,
                                           const std::set<std::string>& locals) {
  PpcgOutput output;
  TUNE_ASSIGN_OR_RETURN(PpcgHost parsed, ParsePpcgHost(host, locals));
  output.host = std::move(parsed.root);
  output.directives = std::move(parsed.directives);
  TUNE_ASSIGN_OR_RETURN(output.kernels, ParsePpcgKernels(kernels));
  TUNE_RETURN_IF_ERROR(CheckLaunches(output.host, output.kernels));
  return output;
}

}  // namespace tune
