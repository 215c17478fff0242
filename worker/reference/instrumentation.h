// C text that makes the user's program record the region's first execution.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The user's file with calls of the recorder around the region's body. Everything else keeps its text and, by
// #line, its line numbers. `prepare`: C statements that are run before the clock of the first execution
// starts. Nothing is included, so macros and feature tests of the file work as before. INVALID_ARGUMENT when
// the region does not lie inside `content`.
absl::StatusOr<std::string> InstrumentSource(const v1::Scop& scop, absl::string_view content,
                                             absl::string_view prepare = "");

struct RecorderOptions {
  std::string folder;        // gets in/, out/, and the files named below
  int64_t memory_bytes = 0;  // largest accepted size of all arrays together
};

// Files that the recorder leaves in its folder.
inline constexpr char kRecordFile[] =
    "record.txt";  // written when the first execution has ended; see program_record.h
inline constexpr char kEntryFile[] =
    "entry.txt";  // the same without the time, written when the first execution begins
inline constexpr char kErrorFile[] = "error.txt";  // one line: why the recorder ended the program
inline constexpr char kAllocationFile[] =
    "allocation.txt";  // bytes in use and bytes asked for when an allocation failed first
inline constexpr char kExecutionsFile[] =
    "executions.bin";  // ExecutionLog (program_record.h), made by who runs the program

// A C statement that tells the recorder that the tuned code runs, for the start of that code.
inline constexpr char kTellTuned[] =
    "extern void tune_reference_tuned(void) __asm__(\"tune_reference_tuned\"); tune_reference_tuned();";

// The recorder: a translation unit to be linked with the program.
absl::StatusOr<std::string> PrintRecorder(const v1::Scop& scop, const RecorderOptions& options);

// Functions that the recorder wraps (ld --wrap) to learn why a program ran out of memory, and where what
// pointers lead to ends.
std::vector<std::string> RecorderLinkFlags();

}  // namespace tune
