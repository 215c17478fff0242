// The user's program with the recorder in it, to be run several times.
#pragma once

#include <string>
#include <vector>

#include "common/base/file.h"
#include "worker/reference/reference_data.h"
#include "worker/reference/region_turn.h"

namespace tune {

// What one run tells, besides the arrays.
struct ProgramRun {
  v1::Reference reference;            // every field but the fingerprints of the arrays and memory_bytes
  std::vector<double> later_seconds;  // of the region's executions after the first, the first 1000 of them
  double wall_seconds = 0;            // of the whole process
};

class InstrumentedProgram {
 public:
  struct Options {
    std::string record_folder;  // absolute; with empty in/ and out/; must outlive the program
    std::string prepare;        // C statements to be run once, before the clock of the first execution starts
    int threads = 0;      // that OpenMP starts unless told otherwise; 0: as this process's environment says
    bool device = false;  // it uses a GPU
    DeviceTurn device_turn;  // that each run waits for where its region begins; empty: none does
    // Of a program with tuned code in it: a run is an error where the region's first execution does not pass
    // kTellTuned, and where a line of standard error has this in it. Empty: no line is.
    bool must_run_tuned = false;
    std::string failure_mark;
    bool fill_new_memory = false;  // with bytes that nobody takes for values (uninitialised_memory.h)
  };
  enum class Recording {
    kArrays,  // those that the region's first execution finds and leaves are written to in/ and out/
    kTimes,   // nothing is done with the arrays before the clock starts
  };

  // Compiles the program with the user's flags. Errors as RunReference.
  static absl::StatusOr<InstrumentedProgram> Build(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                   const Options& options, std::string* log);

  // In a sandbox that has a new copy of the user's files and the record folder, under the limits of the
  // study. Errors as RunReference; FAILED_PRECONDITION where it is not as the options demand.
  absl::StatusOr<ProgramRun> Run(Recording recording, std::string* log) const;

 private:
  InstrumentedProgram(const v1::StudySetup& setup, const ReferenceTools& tools, const Options& options,
                      TemporaryFolder folder, std::string program)
      : setup_(setup),
        tools_(tools),
        options_(options),
        folder_(std::move(folder)),
        program_(std::move(program)) {}

  // One run, which starts in `folder`; what it writes to its standard output goes to the file.
  absl::StatusOr<SubprocessResult> RunInTurn(const std::string& folder, const std::string& output_file) const;

  v1::StudySetup setup_;
  ReferenceTools tools_;
  Options options_;
  TemporaryFolder folder_;  // where it was built
  std::string program_;
};

// A folder for what the recorder leaves, with empty in/ and out/.
absl::StatusOr<TemporaryFolder> MakeRecordFolder();

}  // namespace tune
