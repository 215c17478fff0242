// The tuned files of finished studies, and of programs that were generated without one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/cli/safe_output.h"
#include "client/cli/session.h"
#include "common/tuned/guard.h"
#include "common/tuned/tuned_file.h"
#include "tune/v1/cases.pb.h"

namespace tune {

// A CUDA file that belongs to a tuned C file.
struct DeviceFile {
  std::string path;  // beside the C file
  std::string text;
  // Of its entry points, for C and C++; empty where it has none: made by an earlier version.
  std::string header_path, header;
  std::string architecture;                          // "sm_90"; empty: that of the machine that builds
  v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED;  // StudySpec
  std::vector<std::string> flags = {};               // further ones of nvcc
};

struct TunedOutput {
  std::string text;     // the user's file with its regions replaced
  v1::Program program;  // that it belongs to
  bool openmp = false;  // some region is for the cpu
  bool online = false;  // some region is tuned by libtune while the program runs
  // Of hand-written kernels: the source to which `text`, a header, belongs; empty: the text is a program's
  // file.
  std::string kernel_file;
  // In `device_files`, where there is one for them: what launches the kernels.
  std::string launch_function;
  // Of hand-written kernels: what runs of the best configurations depend on, for Kernel Launcher (wisdom.h);
  // and, of several sizes or devices, what the compiler is told to take the macros of each:
  // "-DTUNED_ON_NVIDIA_H200 -DTUNED_n=500".
  std::string wisdom;
  std::vector<std::string> size_macros;
  // The macros, as of -D, with which each region and size that is in the file was read.
  std::vector<std::vector<std::string>> defines;
  // One for each region and size that is for a GPU: their definitions would clash in one file. Of a region
  // with several sizes another one, with the entry points that take the right size.
  std::vector<DeviceFile> device_files;
  // Of each study that is left out since its tuned program is not faster than the user's, or no gain by its
  // objective (IsNoGain): "s5 (gemm): slower than ...". Where all are, there is no text.
  std::vector<std::string> not_faster;
  std::vector<std::string> taken;  // ids of the studies that are in the file
  // Of each study that is left out for a faster one of the same region and size.
  std::vector<std::string> slower_twins;
  // Of each study in the file whose code the server has not compared (CodeDoubt): "s5: its code is ...".
  std::vector<std::string> doubts;
};

// For the help of the verbs that put several sizes into one file; the second where they were measured.
inline constexpr char kSizesRule[] =
    "Code is right for exactly the size that it was made for: a file of several sizes takes the code of the "
    "one that it is\ncalled with, and at any other size, one in between as well, it runs the original "
    "text.\n";
inline constexpr char kSlowSizesRule[] =
    "Sizes at which the tuned program is not faster are left out, and run the original text, too.\n";

// One region and what takes its place.
struct TunedStudy {
  v1::StudySpec spec;
  v1::Study study;  // without an id: generated, never measured
  std::string code, device_file;
  v1::Configuration configuration;  // of hand-written kernels
  std::string doubt;                // CodeDoubt
  // Of code that is told its sizes, whatever the study's reference says.
  std::optional<SizeArguments> size_arguments = std::nullopt;
  std::string after_original = {};  // TunedRegion

  bool on_gpu() const { return !device_file.empty(); }
};

// Code for all sizes, which was never measured; `device` is for people.
TunedStudy TunedStudyOfCases(const v1::StudySpec& spec, const v1::CaseDiscussion& discussion,
                             const std::string& device);

// What the comment above the study's code says.
TunedFileHeader HeaderOf(const TunedStudy& study);

// INVALID_ARGUMENT: they were tuned for different objectives, so that neither is better.
absl::Status CheckSameObjective(const v1::Study& a, const v1::Study& b);

// Usage error for a name that cannot be that of a tuned C file.
absl::Status CheckOutputName(const std::string& output);

// Where the CUDA file of the C file or header `output` lies: "gemm.tuned.cu" for "gemm.tuned.c"; with a
// `number` other than 0 "gemm.tuned.2.cu".
std::string DeviceFilePath(const std::string& output, int number);

// Unless `one_size`, of studies with cases the file is that of PrintCaseStudies (case_studies.h). Else it
// asks the server for the studies' programs and best candidates. All must be of regions of one file, or of
// the same hand-written kernels; each may be there for several sizes, and of studies of the same size the one
// is taken that is fastest in the user's program, with another objective the best by that. Studies without a
// gain are left out unless `force`. `output` is where the C file will lie; empty: NAME.tuned.c. NOT_FOUND
// when a study has no correct candidate.
absl::StatusOr<TunedOutput> FetchTuned(Session& session, StudyClient& client,
                                       const std::vector<std::string>& studies, const std::string& output,
                                       bool force, bool one_size = false);

// Where the result of a study of the file lies unless the user says otherwise: "gemm.tuned.c", of
// hand-written kernels "gemm.tuned.h".
std::string DefaultOutput(const std::string& file, const v1::StudySpec& spec);

// The file of regions that are known, all of one file and each size once; at least one.
absl::StatusOr<TunedOutput> PrintTuned(const std::vector<TunedStudy>& studies, const std::string& output);

// What can be told before there is a result: the errors of CheckOutputName, and of CheckOutput for the C file
// and, unless the target is the cpu, for a CUDA file beside it.
absl::Status CheckTunedOutput(const std::string& output, v1::Target target, const OutputRules& rules);

// Writes the C file to `output` and the CUDA files beside it, by the rules; the program is `tuned`'s.
absl::Status WriteTunedFiles(const TunedOutput& tuned, const std::string& output, OutputRules rules);

// The objects that nvcc makes of the CUDA files, and the command lines that make them.
std::vector<std::string> DeviceObjects(const TunedOutput& tuned);
std::vector<std::string> DeviceBuildCommands(const TunedOutput& tuned);

// A line for each study that is left out of a file that has others.
std::string LeftOutText(const TunedOutput& tuned);

// A line for each study whose code was not compared.
std::string DoubtText(const TunedOutput& tuned);

// What is said instead of writing `output` when some study is not faster: why, and how to get the file.
// `command` writes it.
std::string WithheldText(const std::vector<std::string>& not_faster, const std::string& command);

// "gemm.tuned.c and gemm.tuned.cu": every file that WriteTunedFiles writes.
std::string NamesOfTunedFiles(const TunedOutput& tuned, const std::string& output);

}  // namespace tune
