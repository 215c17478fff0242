#include "tests/simt/compiled_text.h"

#include <dlfcn.h>

#include <algorithm>
#include <regex>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/subprocess.h"
#include "tests/simt/asynchronous_text.h"
#include "tests/simt/object_symbols.h"
#include "tests/simt/preprocessed_text.h"

namespace tune::simt {
namespace {

constexpr char kSource[] = "kernels.cu";
constexpr char kObject[] = "kernels.so";

// -Og: no access is moved or invented, only repeated reads may be joined, as by any compiler of the text.
const std::vector<std::string>& CompilerFlags() {
  static const auto* flags = new std::vector<std::string>{
      "-x", "c++", "-std=gnu++17", "-Og", "-g1", "-fPIC", "-shared", "-nodefaultlibs", "-Wl,-Bsymbolic",
      // -fno-weak: shared variables of inline functions lie in the section of all others.
      "-fno-weak", "-fvisibility=hidden", "-fno-builtin", "-fno-exceptions", "-fno-strict-aliasing",
      "-ffp-contract=off", "-fsanitize=thread,bounds,alignment,integer-divide-by-zero",
      // What is read before it is written shows in the results.
      "-ftrivial-auto-var-init=pattern", "-fsanitize-coverage=trace-pc",
      "--param=tsan-instrument-func-entry-exit=0",
      // A frame must fit a fiber's stack.
      "-Werror=frame-larger-than=131072"};
  return *flags;
}

absl::StatusOr<std::string> RunTool(const std::vector<std::string>& command) {
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(300);
  options.output_limit_bytes = 16 << 20;
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, RunSubprocess(command, options));
  if (!result.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(command[0], " ", result.Describe(), ":\n", result.standard_error));
  }
  return result.standard_output;
}

}  // namespace

std::string FunctionName(absl::string_view signature) {
  signature = signature.substr(0, signature.find('('));
  signature = signature.substr(0, signature.find('<'));
  return std::string(signature.substr(signature.find_last_of(" :") + 1));
}

namespace {

bool IsKernel(const std::string& function, const std::vector<std::string>& kernels) {
  return absl::c_any_of(kernels, [&](const std::string& kernel) { return FunctionName(kernel) == function; });
}

}  // namespace

std::string ReplaceDynamicShared(const std::string& cuda_text) {
  static const auto* declaration = new std::regex(
      R"(^extern\s+((?:volatile\s+|__align__\s*\([^)]*\)\s*)*)__shared__\s+((?:__align__\s*\([^)]*\)\s*)?))"
      R"(([A-Za-z_][\w\s]*[\s])(\w+)\s*\[\s*\]\s*;)");
  std::string result;
  size_t copied = 0;
  for (size_t at = 0; (at = cuda_text.find("extern", at)) != std::string::npos; at += 6) {
    const size_t end = cuda_text.find(';', at);
    if (end == std::string::npos) break;
    const std::string statement = cuda_text.substr(at, end + 1 - at);
    std::smatch match;
    if (!std::regex_match(statement, match, *declaration)) continue;
    const std::string before = match[1].str();
    const std::string type = (absl::StrContains(before, "volatile") ? "volatile " : "") + match[3].str();
    absl::StrAppend(&result, cuda_text.substr(copied, at - copied), "SIMT_DYNAMIC_SHARED(",
                    absl::StripAsciiWhitespace(type), ", ", match[4].str(), ");",
                    std::string(std::count(statement.begin(), statement.end(), '\n'), '\n'));
    copied = end + 1;
  }
  return result + cuda_text.substr(copied);
}

absl::Status WriteObject(const std::string& cuda_text, const std::vector<std::string>& kernels,
                         const std::string& path) {
  if (kernels.empty()) return absl::InvalidArgumentError("no kernels to simulate");
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  std::vector<std::string> entries;
  for (const std::string& kernel : kernels) entries.push_back(absl::StrCat("SIMT_KERNEL(", kernel, ")"));
  const std::string source = absl::StrCat(folder.path(), "/", kSource);
  TUNE_RETURN_IF_ERROR(
      WriteFile(source, absl::StrCat(ReplaceAsynchronousCopies(ReplaceDynamicShared(cuda_text)),
                                     "\n#line 1 \"table of kernels\"\nSIMT_KERNELS(", kernels.size(), ", ",
                                     absl::StrJoin(entries, ", "), ")\n")));
  TUNE_RETURN_IF_ERROR(WriteEmptyHeaders(folder.path()));
  std::vector<std::string> command = {"g++"};
  command.insert(command.end(), CompilerFlags().begin(), CompilerFlags().end());
  command.insert(command.end(), {"-I", folder.path(), "-include", TUNE_SOURCE_DIR "/tests/simt/prelude.h",
                                 source, "-o", path, "-lm", "-lc", "-lgcc"});
  return Annotate(RunTool(command).status(), "the CUDA text does not compile for the host");
}

absl::StatusOr<std::unique_ptr<CompiledText>> CompiledText::Compile(const std::string& cuda_text,
                                                                    const std::vector<std::string>& kernels) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  std::unique_ptr<CompiledText> text(new CompiledText(std::move(folder), cuda_text));
  TUNE_RETURN_IF_ERROR(WriteObject(cuda_text, kernels, text->File(kObject)));
  TUNE_RETURN_IF_ERROR(text->Open(kernels));
  return text;
}

absl::StatusOr<std::unique_ptr<CompiledText>> CompiledText::Load(const std::string& cuda_text,
                                                                 const std::vector<std::string>& kernels,
                                                                 absl::string_view object) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  std::unique_ptr<CompiledText> text(new CompiledText(std::move(folder), cuda_text));
  TUNE_RETURN_IF_ERROR(WriteFile(text->File(kObject), object));
  TUNE_RETURN_IF_ERROR(text->Open(kernels));
  return text;
}

CompiledText::~CompiledText() {
  if (object_ != nullptr) dlclose(object_);
}

absl::Status CompiledText::Open(const std::vector<std::string>& kernels) {
  object_ = dlopen(File(kObject).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object_ == nullptr)
    return absl::InternalError(absl::StrCat("cannot load the compiled text: ", dlerror()));
  interface_ = static_cast<simt_interface*>(dlsym(object_, "simt_host"));
  Dl_info info;
  if (interface_ == nullptr || dladdr(interface_, &info) == 0) {
    return absl::InternalError("the compiled text has no variable simt_host");
  }
  base_ = reinterpret_cast<uintptr_t>(info.dli_fbase);
  return ReadSymbols(kernels);
}

absl::Status CompiledText::ReadSymbols(const std::vector<std::string>& kernels) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<ObjectSymbol> symbols, ReadVariables(File(kObject)));
  for (const ObjectSymbol& symbol : symbols) {
    const std::string name = absl::StrReplaceAll(symbol.name, {{"(anonymous namespace)::", ""}});
    if (absl::StartsWith(name, "simt_") || absl::StartsWith(name, "_")) continue;
    const size_t colons = name.rfind("::");
    bool shared = symbol.section == "simt_shared";
    Variable variable{name, "", reinterpret_cast<char*>(base_ + symbol.value), symbol.bytes};
    if (colons != std::string::npos) {
      const std::string scope = name.substr(0, colons), function = FunctionName(scope);
      const bool in_function = absl::StrContains(scope, '(');
      variable.name = name.substr(colons + 2);
      if (in_function || functions_.Has(function) || IsKernel(function, kernels))
        variable.function = function;
      // A function's own variables are shared or constant. gcc forgets the section of those in templates.
      shared |= in_function && symbol.section == ".bss";
    }
    if (shared) {
      shared_.push_back(std::move(variable));
    } else if (name.find('.') == std::string::npos) {  // with a dot: the compiler's own
      device_.push_back(std::move(variable));
    }
  }
  return absl::OkStatus();
}

const CompiledText::Variable* CompiledText::FindVariable(const std::string& name) const {
  const auto found =
      absl::c_find_if(device_, [&](const Variable& variable) { return variable.name == name; });
  return found == device_.end() ? nullptr : &*found;
}

int CompiledText::ThreadLimit(const std::string& expression) const {
  const std::string kernel = FunctionName(expression);
  constexpr size_t kBefore = 400;  // characters of what stands before a kernel's name, more than enough
  const std::regex bounds("__launch_bounds__\\s*\\(\\s*(\\d+)\\s*(?:,[^)]*)?\\)[^;{}()]*\\b" + kernel +
                          "\\s*\\(");
  for (size_t at = text_.find(kernel); at != std::string::npos; at = text_.find(kernel, at + 1)) {
    const size_t begin = at < kBefore ? 0 : at - kBefore;
    const std::string part = text_.substr(begin, at + kernel.size() + 8 - begin);
    std::smatch match;
    int limit;
    if (std::regex_search(part, match, bounds) && absl::SimpleAtoi(match[1].str(), &limit)) return limit;
  }
  return 1024;
}

int CompiledText::FindLine(const void* site) const {
  if (site == nullptr) return 0;
  const auto output = RunTool({"addr2line", "-i", "-e", File(kObject),
                               absl::StrCat("0x", absl::Hex(reinterpret_cast<uintptr_t>(site) - base_ - 1))});
  if (!output.ok()) return 0;
  const std::string file = absl::StrCat("/", kSource, ":");
  for (const absl::string_view frame : absl::StrSplit(*output, '\n')) {
    const size_t at = frame.find(file);
    int line;
    if (at == absl::string_view::npos) continue;
    const std::vector<absl::string_view> words = absl::StrSplit(frame.substr(at + file.size()), ' ');
    if (absl::SimpleAtoi(words[0], &line)) return line;
  }
  return 0;
}

std::string CompiledText::Quote(int line) const {
  const std::vector<absl::string_view> lines = absl::StrSplit(text_, '\n');
  if (line < 1 || line > static_cast<int>(lines.size())) return "";
  return absl::StrCat("line ", line, " `", absl::StripAsciiWhitespace(lines[line - 1]), "`");
}

}  // namespace tune::simt
