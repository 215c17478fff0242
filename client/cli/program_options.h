// Options that say what to tune and how, shared by submit, tune and extract.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/project/compile_flags_of_entry.h"
#include "client/submit/front_end.h"
#include "client/submit/sizes.h"
#include "client/submit/study_request.h"

namespace tune {

// FILE, -I, -D, -p, --with, --function, --constant, --cflags, --ldflags, --arg, --stdin, --analysis-limit.
class ProgramOptions {
 public:
  void AddTo(CLI::App& verb);
  const std::string& file() const { return request_.file; }
  // What -p named; empty: it was not given.
  const std::string& project() const { return project_; }
  // With what the project's database says of the file, which is read once. Errors of the command line and of
  // the database.
  absl::StatusOr<FrontEndRequest> Request() const;
  // The same without a database, of a file that is compiled with these flags.
  absl::StatusOr<FrontEndRequest> RequestOf(const std::string& file, const EntryFlags& entry) const;
  // The files named on the command line, which are read.
  std::vector<std::string> Inputs() const;
  // The command line that builds `tuned_file` in place of the submitted file, with the same flags and, where
  // a region needs it, OpenMP; links `device_objects`, which nvcc has made of CUDA files.
  struct TunedParts {
    bool openmp = true;
    std::vector<std::string> device_objects;
    bool online = false;       // links libtune
    std::string libtune = {};  // folder that has it; empty: where the linker looks
  };
  std::string BuildCommand(const v1::Program& program, const std::string& tuned_file,
                           const TunedParts& parts) const;

 private:
  // In which headers are searched, each once.
  std::vector<std::string> IncludeFolders() const;

  FrontEndRequest request_;
  std::string project_, cflags_, ldflags_;
  std::vector<std::string> constants_;
  mutable std::optional<EntryFlags> entry_;  // of the file in the project
};

// Of the CUDA runtime and of the C++ in CUDA files, for the linker.
std::vector<std::string> DeviceLibraries();

// --carve-margin, --carve-uncoalesced, --carve-bandwidth, --carve-bytes. `carve` is called for what they set.
void AddCarvingLimits(CLI::App& verb, const std::function<v1::CarveOptions*()>& carve,
                      const std::string& group);

// Search, limits, target, name, region, parameter values.
class StudyOptions {
 public:
  void AddTo(CLI::App& verb);
  absl::StatusOr<StudyWishes> Wishes() const;
  // --target auto: a study for each target that there is a device for (ForEveryTarget).
  bool every_target() const { return target_ == "auto"; }
  // Of --sizes; empty: it was not given.
  absl::StatusOr<std::vector<ProgramSize>> Sizes() const;

 private:
  // Of --target cpu+cuda.
  absl::Status CheckShared(const StudyWishes& wishes) const;

  StudyWishes wishes_;
  std::vector<std::string> parameters_, sizes_, metrics_;
  bool carve_ = false;  // --carve
  std::string target_, evaluation_time_, reference_time_, compile_time_, memory_;
};

// One "n=1000" of an option, such as --param; usage errors.
absl::Status AddParameter(absl::string_view option, absl::string_view text,
                          std::map<std::string, int64_t>* parameters);

// --sizes, with the part of its help that says what becomes of each size.
CLI::Option* AddSizes(CLI::App& verb, std::vector<std::string>& sizes, const std::string& help);

// ParseSizes of what --sizes was given, none at all included; usage errors.
absl::StatusOr<std::vector<ProgramSize>> ParseGivenSizes(const std::vector<std::string>& texts);

// --generator, whose default is what `generator` holds.
CLI::Option* AddGenerator(CLI::App& verb, std::string& generator);

// --exact and --tf32x3, of which one may be given, with their help.
void AddRounding(CLI::App& verb, v1::Rounding& rounding, const std::string& exact, const std::string& tf32x3,
                 const std::string& group = "Options");
inline constexpr char kTf32x3Help[] =
    "Tensor cores compute products of matrices of floats, each split in two numbers of TF32: errors near "
    "those of floats";

// "s3/17": a study and the index of a candidate; the index is -1 when it is left out.
struct CandidateName {
  std::string study;
  int64_t index = -1;
};
absl::StatusOr<CandidateName> ParseCandidateName(absl::string_view text);

// For CLI11: STUDY, STUDY/INDEX with a mandatory index, sizes, times. A bad value is a usage error with the
// reason.
CLI::Validator StudyName();
CLI::Validator CandidateNameWithIndex();
CLI::Validator Size();
CLI::Validator Time();

}  // namespace tune
