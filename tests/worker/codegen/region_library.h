// Compiles generated regions and calls them.
#pragma once

#include <string>
#include <vector>

#include "common/base/file.h"
#include "tests/worker/codegen/scop_interpreter.h"

namespace tune::testing {

// Several functions of PrintRegionFunction in one shared object, compiled with -Wall -Werror.
class RegionLibrary {
 public:
  // `functions`: texts of PrintRegionFunction. `flags`: more compiler flags ("-fopenmp").
  static absl::StatusOr<RegionLibrary> Compile(const std::vector<std::string>& functions,
                                               const std::string& flags = "-fopenmp");
  // Calls function `index` on `memory`.
  void Run(int index, const v1::Scop& scop, Memory& memory) const;

 private:
  RegionLibrary(TemporaryFolder folder, std::vector<void (*)(void**)> functions)
      : folder_(std::move(folder)), functions_(std::move(functions)) {}
  TemporaryFolder folder_;
  std::vector<void (*)(void**)> functions_;
};

// What the sequential code of the scop makes of `memory`.
absl::StatusOr<Memory> RunSequentially(const v1::Scop& scop, const v1::Reference& reference, Memory memory);

// Does clang accept the texts, with and without -fopenmp, without a warning?
absl::Status CheckWithClang(const std::vector<std::string>& functions);

}  // namespace tune::testing
