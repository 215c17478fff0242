#include "tests/worker/codegen/region_library.h"

#include <dlfcn.h>

#include <cstdlib>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "worker/codegen/code_generator.h"
#include "worker/print/region_function.h"

namespace tune::testing {
namespace {

// The texts in one translation unit, function k called tune_region_k.
std::string Concatenate(const std::vector<std::string>& functions) {
  std::string text;
  for (size_t i = 0; i < functions.size(); ++i) {
    const std::string own =
        absl::StrReplaceAll(functions[i], {{"tune_array_", absl::StrCat("tune_array_", i, "_")},
                                           {"tune_region_body", absl::StrCat("tune_region_body_", i)}});
    absl::StrAppend(&text, "#define tune_region tune_region_", i, "\n", own, "#undef tune_region\n");
  }
  return text;
}

absl::Status RunCommand(const std::string& command, const std::string& log) {
  if (std::system(absl::StrCat(command, " > ", log, " 2>&1").c_str()) == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(command, ":\n", ReadFile(log).value_or("")));
}

}  // namespace

absl::StatusOr<RegionLibrary> RegionLibrary::Compile(const std::vector<std::string>& functions,
                                                     const std::string& flags) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  const std::string base = folder.path() + "/region";
  TUNE_RETURN_IF_ERROR(WriteFile(base + ".c", Concatenate(functions)));
  absl::Status compiled = RunCommand(
      absl::StrCat("cc -shared -fPIC -O1 -Wall -Werror ", flags, " ", base, ".c -o ", base, ".so -lm"),
      base + ".log");
  if (!compiled.ok()) return Annotate(compiled, absl::StrJoin(functions, "\n"));
  // Read when the OpenMP runtime is loaded: threads that wait must not take the few cores of a test machine.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  // Never unloaded: the OpenMP runtime keeps threads that return into it.
  void* const library = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::InternalError(dlerror());
  std::vector<void (*)(void**)> entries;
  for (size_t i = 0; i < functions.size(); ++i) {
    entries.push_back(
        reinterpret_cast<void (*)(void**)>(dlsym(library, absl::StrCat("tune_region_", i).c_str())));
    if (entries.back() == nullptr) return absl::InternalError(dlerror());
  }
  return RegionLibrary(std::move(folder), std::move(entries));
}

void RegionLibrary::Run(int index, const v1::Scop& scop, Memory& memory) const {
  std::vector<void*> arrays;
  for (const v1::Array& array : scop.arrays()) {
    arrays.push_back(array.declared_inside() ? nullptr : memory.at(array.name()).bytes.data());
  }
  functions_[index](arrays.data());
}

absl::StatusOr<Memory> RunSequentially(const v1::Scop& scop, const v1::Reference& reference, Memory memory) {
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram sequential, GenerateSequential(scop, reference));
  TUNE_ASSIGN_OR_RETURN(const std::string function, PrintRegionFunction(scop, reference, sequential.code));
  TUNE_ASSIGN_OR_RETURN(const RegionLibrary library, RegionLibrary::Compile({function}));
  library.Run(0, scop, memory);
  return memory;
}

absl::Status CheckWithClang(const std::vector<std::string>& functions) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  const std::string file = folder.path() + "/region.c";
  TUNE_RETURN_IF_ERROR(WriteFile(file, Concatenate(functions)));
  for (const std::string flags : {"", "-fopenmp"}) {
    TUNE_RETURN_IF_ERROR(
        RunCommand(absl::StrCat("clang-16 -fsyntax-only -Wall -Wextra -Werror ", flags, " ", file),
                   folder.path() + "/log"));
  }
  return absl::OkStatus();
}

}  // namespace tune::testing
