#include "worker/reference/uninitialised_memory.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "worker/reference/instrumented_program.h"

namespace tune {
namespace {

// Bytes of a local variable, of what malloc makes anew, and of what was freed before.
constexpr unsigned char kNewMemory[] = {0xFE, 0x5A, 0xA5};

// Whether it ended well; its arrays are in the folder then.
absl::StatusOr<bool> RunWithFilledMemory(const v1::StudySetup& setup, const ReferenceTools& tools,
                                         const std::string& folder) {
  InstrumentedProgram::Options options;
  options.record_folder = folder;
  options.fill_new_memory = true;
  std::string log;
  const absl::StatusOr<InstrumentedProgram> program = InstrumentedProgram::Build(setup, tools, options, &log);
  absl::Status status = program.status();
  if (status.ok()) status = program->Run(InstrumentedProgram::Recording::kArrays, &log).status();
  if (absl::IsCancelled(status)) return status;
  return status.ok();
}

}  // namespace

absl::StatusOr<bool> IsUninitialised(const v1::StudySetup& setup, const ReferenceTools& tools,
                                     const ArrayElement& element) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, MakeRecordFolder());
  TUNE_ASSIGN_OR_RETURN(const bool ran, RunWithFilledMemory(setup, tools, folder.path()));
  if (!ran) return false;
  std::ifstream input(absl::StrCat(folder.path(), "/in/", element.array, ".bin"), std::ios::binary);
  input.seekg(element.index * static_cast<std::streamoff>(element.bytes));
  std::vector<char> bytes(element.bytes);
  if (!input.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return false;
  return std::any_of(std::begin(kNewMemory), std::end(kNewMemory), [&](unsigned char filled) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [&](char byte) { return static_cast<unsigned char>(byte) == filled; });
  });
}

}  // namespace tune
