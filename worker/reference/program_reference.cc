#include "worker/reference/program_reference.h"

#include "worker/reference/instrumented_program.h"

namespace tune {

absl::Status RunInstrumentedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                                    ReferenceData* data, std::string* log) {
  InstrumentedProgram::Options options;
  options.record_folder = data->folder;
  TUNE_ASSIGN_OR_RETURN(const InstrumentedProgram program,
                        InstrumentedProgram::Build(setup, tools, options, log));
  TUNE_ASSIGN_OR_RETURN(ProgramRun run, program.Run(InstrumentedProgram::Recording::kArrays, log));
  data->reference = std::move(run.reference);
  return absl::OkStatus();
}

}  // namespace tune
