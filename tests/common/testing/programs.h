// The C programs of tests/programs, extracted by the real tune-extract.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/common/testing/c_files.h"
#include "tune/v1/extraction.pb.h"

namespace tune::testing {

inline std::string ProgramPath(const std::string& name) {
  return absl::StrCat(TUNE_SOURCE_DIR "/tests/programs/", name, ".c");
}

// "2mm", "3mm", ... in alphabetical order.
inline std::vector<std::string> ProgramNames() { return NamesOfCFiles(TUNE_SOURCE_DIR "/tests/programs"); }

// `flags`: further ones of tune-extract.
inline absl::StatusOr<v1::Extraction> ExtractFile(const std::string& path,
                                                  const std::vector<std::string>& flags = {}) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string output = folder.path() + "/extraction";
  std::vector<std::string> argv = {TUNE_BINARY_DIR "/bin/tune-extract", path, "--output", output};
  argv.insert(argv.end(), flags.begin(), flags.end());
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, RunSubprocess(argv, {}));
  if (!result.ok()) return absl::InternalError(result.standard_error);
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(output));
  v1::Extraction extraction;
  if (!extraction.ParseFromString(bytes)) return absl::InternalError(output + ": not an Extraction");
  return extraction;
}

inline absl::StatusOr<v1::Extraction> ExtractProgram(const std::string& name) {
  return ExtractFile(ProgramPath(name));
}

// Flags of tune-extract for sizes that tiles do not divide; every program takes those of its own macros.
inline std::vector<std::string> OddSizes() {
  return {"-DNI=33", "-DNJ=37", "-DNK=29", "-DNL=35", "-DNM=31", "-DN=37",   "-DM=41",
          "-DNR=5",  "-DNQ=7",  "-DNP=34", "-DW=39",  "-DH=36",  "-DTMAX=4", "-DTSTEPS=4"};
}

// Odd sizes that no tile size divides, from `size` on; time loops of five steps.
inline std::map<std::string, int64_t> ParameterValues(const v1::Scop& scop, int64_t size) {
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters()) {
    const bool steps = parameter.name().find("step") != std::string::npos ||
                       parameter.name().find("tmax") != std::string::npos;
    values[parameter.name()] = steps ? 5 : size;
    size += 2;
  }
  return values;
}

// As large as LARGE_DATASET of PolyBench has them, and odd. Of a scop of the program `name`.
inline std::map<std::string, int64_t> LargeValues(const std::string& name, const v1::Scop& scop) {
  const int64_t size = name == "heat-3d" ? 121 : name == "doitgen" ? 141 : 1201;
  std::map<std::string, int64_t> values = ParameterValues(scop, size);
  for (auto& [parameter, value] : values) value = value == 5 ? 500 : value;
  return values;
}

}  // namespace tune::testing
