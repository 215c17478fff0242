// The user's C file as scops: through tune-extract, or from an extraction that was stored before.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/extraction.pb.h"
#include "tune/v1/regions.pb.h"

namespace tune {

// A file and how it is compiled, as on the command line.
struct FrontEndRequest {
  std::string file;                              // C, or a stored extraction
  std::vector<std::string> include_directories;  // -I
  std::vector<std::string> defines;              // -D, "NAME" or "NAME=VALUE"
  std::vector<std::string> with;                 // further C files of the program
  std::vector<std::string> compile_flags;
  std::vector<std::string> link_flags;
  std::vector<std::string> arguments;  // of the program
  std::string standard_input;          // file that the program reads; empty: none
  std::vector<std::string> fixed;      // parameters to be taken for the constants that the file sets them to
  std::map<std::string, int64_t> constants;  // parameters, and what they are to be taken for
  std::string function;  // whose loops are the regions, without pragmas; empty: those between pragmas
};

// What is in the file, ready to be submitted: at least one scop.
//   INVALID_ARGUMENT: the file or a part of it was refused; the message is the front end's report, several
//   lines. FAILED_PRECONDITION: the front end is missing or does not start; the message tells the ways out.
//   NOT_FOUND: no such file.
// `program` is the path of tune-extract; empty: the one beside this program.
absl::StatusOr<v1::Extraction> ReadProgram(const FrontEndRequest& request, const std::string& program = "");

// What could be regions of the C file, or of request.function. Errors as of
// ReadProgram, also INVALID_ARGUMENT for a stored extraction.
absl::StatusOr<v1::LoopNests> ReadLoopNests(const FrontEndRequest& request, const std::string& program = "");

// Whether the error is a report of the front end, lines that each name file, line and column.
bool IsFrontEndReport(const absl::Status& status);

// True for what PrintExtraction printed: by its first line, or by the name ending in ".scop".
bool IsStoredExtraction(absl::string_view path, absl::string_view content);

// Text form with a first line that says what it is. Read back by ReadProgram.
std::string PrintExtraction(const v1::Extraction& extraction);

// Writes it to a file, whatever was there before.
absl::Status StoreExtraction(const v1::Extraction& extraction, const std::string& path);

// Inverse of PrintExtraction. INVALID_ARGUMENT with line and column.
absl::StatusOr<v1::Extraction> ParseExtraction(absl::string_view path, absl::string_view content);

// The command line for `request`, program first.
std::vector<std::string> FrontEndCommand(const std::string& program, const FrontEndRequest& request);

}  // namespace tune
