#include "worker/reference/program_reference.h"

#include <utility>

#include "common/base/untrusted_file.h"
#include "worker/reference/data_accesses.h"
#include "worker/reference/instrumentation.h"
#include "worker/reference/instrumented_program.h"
#include "worker/reference/program_record.h"

namespace tune {
namespace {

// What the region was entered with, if it was: with this the accesses outside of arrays are found also where
// they end the program.
absl::Status CheckAccesses(const v1::StudySetup& setup, const ReferenceTools& tools,
                           const std::string& folder, std::string* log) {
  const absl::StatusOr<std::string> entry =
      ReadUntrustedFile(absl::StrCat(folder, "/", kEntryFile), kLargestRecord);
  if (!entry.ok()) return absl::OkStatus();
  ReferenceData data;
  data.folder = folder;
  TUNE_RETURN_IF_ERROR(ParseRecord(*entry, &data.reference));
  const KnownMemory memory = MemoryOf(*entry);
  TUNE_RETURN_IF_ERROR(CheckInside(setup.scop(), data.reference, memory));
  return CheckDataAccesses(setup, tools, data, memory, log);
}

}  // namespace

absl::Status RunInstrumentedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                                    ReferenceData* data, std::string* log) {
  InstrumentedProgram::Options options;
  options.record_folder = data->folder;
  TUNE_ASSIGN_OR_RETURN(const InstrumentedProgram program,
                        InstrumentedProgram::Build(setup, tools, options, log));
  absl::StatusOr<ProgramRun> run = program.Run(InstrumentedProgram::Recording::kArrays, log);
  if (run.ok() || absl::IsFailedPrecondition(run.status())) {
    TUNE_RETURN_IF_ERROR(CheckAccesses(setup, tools, data->folder, log));
  }
  TUNE_RETURN_IF_ERROR(run.status());
  data->reference = std::move(run->reference);
  return absl::OkStatus();
}

}  // namespace tune
