// The last check of a result: the user's program with the tuned region in it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "tune/v1/study.pb.h"
#include "worker/reference/instrumented_program.h"
#include "worker/reference/reference_data.h"

namespace tune {

// What the tuned program is made of besides the user's files and flags.
struct TunedProgram {
  std::string code;                        // in the region's place, as TunedRegion has it
  std::vector<std::string> compile_flags;  // of the C files
  std::vector<std::string> link_flags;     // objects and libraries
  std::map<std::string, std::string>
      files;                 // content of what these flags name, by its path beside the user's files
  std::string prepare;       // C statements to be run once, before the region's clock starts
  bool limit_memory = true;  // false: it reserves addresses that it does not use
  bool device = false;       // it uses a GPU
  DeviceTurn device_turn;    // when it may; empty: at any time
  int threads = 0;           // that OpenMP starts in both programs; 0: as the environment says
  bool falls_back = false;   // its code leaves the region to the original text, as it is to
  // What a line of standard error has in it where a run is none of the candidate, although it computes the
  // right thing; empty: nothing.
  std::string failure_mark;
};

// The user's program with the tuned region in it, to be run several times.
class RunnableTunedProgram {
 public:
  // Puts the code into the user's file as `tunectl fetch` does, and builds the program. Errors as
  // RunReference; reference, setup and tools must outlive the result.
  static absl::StatusOr<RunnableTunedProgram> Build(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                    const ReferenceData& reference,
                                                    const TunedProgram& tuned);

  // A run whose arrays, as the region's first execution leaves them, are compared with the reference's, but
  // for elements that both leave as they find them. That the tuned code ran, and not the original text beside
  // it, is made sure in this and any other run. Its arrays are not kept. The verdict has outcome, message,
  // errors and first_seconds. `log`: what the program said.
  absl::StatusOr<v1::RunnerVerdict> Check(std::string* log) const;

  // Seconds of the region in another run: the median of its executions after the first, or, where the program
  // executes it once, that one's.
  absl::StatusOr<double> Time() const;

  const InstrumentedProgram& program() const { return program_; }

 private:
  RunnableTunedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                       const ReferenceData& reference, TemporaryFolder folder, InstrumentedProgram program)
      : setup_(&setup),
        tools_(&tools),
        reference_(&reference),
        folder_(std::move(folder)),
        program_(std::move(program)) {}

  const v1::StudySetup* setup_;
  const ReferenceTools* tools_;
  const ReferenceData* reference_;
  TemporaryFolder folder_;  // of records
  InstrumentedProgram program_;
};

// What became of a candidate whose program's build or run has this status.
v1::Outcome OutcomeOfProgram(const absl::Status& status);

// Puts the code into the user's file as `tunectl fetch` does, builds the program and runs it under the
// study's limits. The arrays that the region's first execution leaves are compared with the reference's, but
// for elements that both leave as they find them; that the tuned code ran, and not the original text beside
// it, is made sure. Then both programs are run in turns for their times (CompareInTurns). `index` of the
// result is not set. Trouble of whatever kind is the check's outcome.
v1::ProgramCheck CheckTunedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                                   const ReferenceData& reference, const TunedProgram& tuned);

}  // namespace tune
