#include "worker/kernels/kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/base/plain_text.h"
#include "worker/ptx/cubin_resources.h"

namespace tune {

std::string PlainFunctionName(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || demangled == nullptr) return mangled;
  const std::string text = absl::StrReplaceAll(demangled.get(), {{"(anonymous namespace)::", ""}});
  const std::string name = text.substr(0, text.find_first_of("<("));
  const size_t blank = name.rfind(' ');  // behind what a template returns
  return blank == std::string::npos ? name : name.substr(blank + 1);
}

absl::StatusOr<std::vector<std::string>> FindKernels(absl::string_view cubin,
                                                     const std::vector<std::string>& kernels) {
  TUNE_ASSIGN_OR_RETURN(const auto functions, ReadCubinResources(cubin));
  std::vector<std::string> names;
  for (const std::string& kernel : kernels) {
    const std::string plain = kernel.substr(0, kernel.find('<'));
    std::vector<std::string> found, others;
    for (const auto& [function, resources] : functions)
      (PlainFunctionName(function) == plain ? found : others).push_back(function);
    if (found.size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "kernel ", EscapeLine(kernel), ": nvcc made ", found.size(), " functions of this name (",
          EscapeLine(absl::StrJoin(found.empty() ? others : found, ", ")),
          found.empty() ? " are others); look at its name" : "); a worker with NVRTC tells them apart"));
    }
    names.push_back(found[0]);
  }
  return names;
}

}  // namespace tune
