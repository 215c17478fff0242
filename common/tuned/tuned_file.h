// The user's file with tuned regions in place of the original ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "common/evaluation/rounding.h"
#include "common/tuned/guard.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/program.pb.h"
#include "tune/v1/scop.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// What the comment above a tuned region says.
struct TunedFileHeader {
  std::string study;                // "s12"; empty: generated, never measured
  std::string device;               // model that it was tuned for; may be empty
  double gain_over_sequential = 0;  // 3.2: as many times as fast as the region was; 0: not known
  double gain_over_default = 0;     // over the default configuration, by the objective; 0: not known
  std::string compile_flags;        // that it was measured with: "-O3 -march=native -fopenmp"
  // On cuda, in place of compile_flags: name of the CUDA file that the code calls, and what nvcc's -arch
  // takes.
  std::string device_file;                           // "gemm.tuned.cu"
  std::string architecture;                          // "sm_90"; empty: that of the machine that builds
  v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED;  // StudySpec
  bool shared = false;         // CPU and GPU share the region: times are with copies, the C file has OpenMP
  std::string doubt = {};      // about its code (common/evaluation/code_doubt.h)
  std::string objective = {};  // that it was tuned for; empty: time
};

// What the study gained, and by which objective.
void SetGains(const v1::Study& study, TunedFileHeader* header);

// An int, 0 before the code of a region that mentions it. Such code may fail without having changed anything:
// unless it sets that to 1 the original runs.
inline constexpr char kTuneDone[] = "tune_done";

// One region of a file and the code that takes its place.
struct TunedRegion {
  const v1::Scop* scop;            // not owned
  const v1::Reference* reference;  // not owned
  std::string code;                // Evaluation.code: a C block in the user's own names; kTuneDone
  TunedFileHeader header;
  // Code that is told its sizes: `reference` does not count.
  std::optional<SizeArguments> size_arguments = std::nullopt;
  // C that stands behind the original text, and runs after it; with size_arguments, of code that may fail.
  std::string after_original = {};
};

// The text of the file that holds the regions, each one replaced by
//   /* who, how fast, for which sizes, which flags */
//   if (n == 1000 && m == 1200) { tuned code } else { original text }
// The condition is that of guard.h, so that in any build and call the file computes what the original does.
// A region that is there for several sizes has one condition after the other, in the order given:
//   if (n == 500) { its code } else if (n == 1000) { its code } else { original text }
// At a size between two of them, as at any other, the original text runs: code is made for its size alone.
// Code that is told its sizes (TunedRegion::size_arguments) is the only one of its region, and is for all of
// them. The two pragma lines go, every other byte stays; a file in C++ may begin with declarations of
// functions. The result needs no flag that the original did not need; without -fopenmp it computes the same
// on one thread; on cuda it must be linked with its CUDA file. INVALID_ARGUMENT when the regions are not all
// in one file of the program, overlap, or lie outside it, when one is there twice for the same size, or a
// parameter has no value.
absl::StatusOr<std::string> PrintTunedFile(const v1::Program& program,
                                           const std::vector<TunedRegion>& regions);

// The C compiler's flags with which candidates of the program are measured: its CompileFlags, and -fopenmp.
std::string MeasuredFlags(const v1::Program& program);

// The words with which nvcc compiles a CUDA file: "nvcc -O3 -arch=sm_90 -c"; of an `exact` study (StudySpec)
// with kExactCudaFlag.
std::string NvccCommand(const std::string& architecture, v1::Rounding rounding);

// The same as PrintTunedFile for one region.
absl::StatusOr<std::string> PrintTunedFile(const v1::Program& program, const v1::Scop& scop,
                                           const v1::Reference& reference, absl::string_view code,
                                           const TunedFileHeader& header);

// Of hand-written kernels the best configuration as a header of theirs: who, how fast, for which device, with
// which flags; then `code`, Evaluation.code. `file`: the source with the kernels.
std::string PrintTunedHeader(absl::string_view file, absl::string_view code, const TunedFileHeader& header);

}  // namespace tune
