// CUDA text -> shared object of this machine in which every access to memory calls the simulator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/base/status.h"
#include "tests/simt/interface.h"
#include "tests/simt/text_functions.h"

namespace tune::simt {

// A loaded text. Its code is removed from the process by the destructor.
class CompiledText {
 public:
  // `kernels` as C++ writes them: "area::tile<4>". INVALID_ARGUMENT when the text does not compile (with what
  // the compiler said) or has no such kernel.
  static absl::StatusOr<std::unique_ptr<CompiledText>> Compile(const std::string& cuda_text,
                                                               const std::vector<std::string>& kernels);
  // The same of a text that WriteObject compiled before, perhaps in another process: `object` is what was in
  // its file.
  static absl::StatusOr<std::unique_ptr<CompiledText>> Load(const std::string& cuda_text,
                                                            const std::vector<std::string>& kernels,
                                                            absl::string_view object);
  ~CompiledText();
  CompiledText(const CompiledText&) = delete;
  CompiledText& operator=(const CompiledText&) = delete;

  simt_interface* interface() const { return interface_; }

  struct Variable {
    std::string name;
    std::string function;  // that declares it, without namespaces; empty: none
    char* begin;
    size_t bytes;
  };
  const std::vector<Variable>& shared_variables() const { return shared_; }
  const std::vector<Variable>& device_variables() const { return device_; }  // `__device__ T name[...]`

  // One of the text's own; null: there is none.
  const Variable* FindVariable(const std::string& name) const;

  const TextFunctions& functions() const { return functions_; }

  // From __launch_bounds__(LIMIT, ...) before the kernel's name, where LIMIT is a number; else 1024.
  int ThreadLimit(const std::string& kernel) const;

  // Line of the text to which the code at this return address belongs; 0 when unknown.
  int FindLine(const void* site) const;
  // "line 7 `x = a[i];`"; empty for line 0.
  std::string Quote(int line) const;

 private:
  CompiledText(TemporaryFolder folder, const std::string& cuda_text)
      : folder_(std::move(folder)), text_(cuda_text), functions_(cuda_text) {}
  std::string File(const char* name) const { return folder_.path() + "/" + name; }
  // Loads the object, which lies in the folder.
  absl::Status Open(const std::vector<std::string>& kernels);
  absl::Status ReadSymbols(const std::vector<std::string>& kernels);

  TemporaryFolder folder_;
  std::string text_;
  TextFunctions functions_;
  void* object_ = nullptr;
  uintptr_t base_ = 0;
  simt_interface* interface_ = nullptr;
  std::vector<Variable> shared_;
  std::vector<Variable> device_;
};

// Compiles the text as CompiledText does, and writes its object to the file `path`.
absl::Status WriteObject(const std::string& cuda_text, const std::vector<std::string>& kernels,
                         const std::string& path);

// "tile" of "float area::tile<4>(int, float*)", and of "area::tile<4>".
std::string FunctionName(absl::string_view signature);

// The text with `extern __shared__ T name[];` as declarations of pointers. Lines stay where they are.
std::string ReplaceDynamicShared(const std::string& cuda_text);

}  // namespace tune::simt
