// The files that commands write for the user: never over what a command has read, nor over a file that
// tunectl did not write.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/program.pb.h"

namespace tune {

// Added to the help of --output and --force.
inline constexpr char kForceHelp[] =
    "Also replace an existing file that tunectl did not write, or that was changed since; never a file of "
    "the program";
inline constexpr char kForceTunedHelp[] =
    "Also write code that is not faster than the program, and replace an existing file that tunectl did not "
    "write, or that was changed since; never a file of the program";

struct OutputFile {
  std::string path, text;
};

// What a command may not write to.
struct OutputRules {
  std::vector<std::string>
      inputs;  // files that it reads; empty names and those that are not there count for nothing
  const v1::Program* program = nullptr;  // whose files are not to be lost, wherever they lie; may be null
  bool force = false;                    // --force
};

// `text` of a C or CUDA file with a last line by which tunectl knows its own files again, as long as nobody
// changes them: a comment with a checksum.
std::string WithMark(absl::string_view text);

// Whether a file with this content is one that tunectl wrote: with an unbroken mark, an archive, T4, a Kernel
// Tuner cache, wisdom, formats of cases, or a stored extraction; compressed by gzip or not.
bool WrittenByTunectl(absl::string_view content);

// OK when there is no such file, or when it is one that may be replaced: tunectl's own, an empty one, or,
// with force, any other. FAILED_PRECONDITION: the file is one of the inputs, by whatever path, symbolic or
// hard link, or holds what a file of the program does. ALREADY_EXISTS: it is somebody's.
absl::Status CheckOutput(const std::string& path, const OutputRules& rules);

// Writes all files, when CheckOutput allows each; each appears at once as a whole. Through symbolic links; to
// what is no regular file (/dev/stdout) as it is.
absl::Status WriteOutputs(const std::vector<OutputFile>& files, const OutputRules& rules);

}  // namespace tune
