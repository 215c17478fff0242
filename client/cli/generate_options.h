// What verbs that generate code off line are asked for, and the generator that they start.
#pragma once

#include <string>
#include <vector>

#include "client/cli/program_options.h"
#include "client/cli/session.h"
#include "client/cli/tuned_output.h"
#include "common/evaluation/generator.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/extraction.pb.h"

namespace tune {

struct GenerateOptions {
  ProgramOptions program;
  std::string target, architecture;
  int multiprocessors = 0;
  int region = 0;
  int level = 1;
  std::vector<std::string> parameters, sizes, settings;
  std::string configuration, tree;  // files
  std::string formats;              // file, of --format cases
  v1::CaseFormats case_formats;     // what it holds
  std::string seed;                 // number; empty: not given
  v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED;
  bool check = false, decisions = false, cases = false, online = false, force = false;
  std::vector<std::string> stages;
  std::string generator = kBuiltinGenerator, ppcg;
  std::string parts;  // of a region that CPU and GPU share; empty: the default
  std::string output;

  bool shares() const { return target == "cpu+cuda"; }
  std::string OutputPath() const { return output.empty() ? TunedName(program.file()) : output; }
  // The same, with the parameters of this size.
  GenerateOptions At(const SizedProgram& sized) const {
    GenerateOptions options = *this;
    for (const auto& [name, value] : sized.parameters)
      options.parameters.push_back(absl::StrCat(name, "=", value));
    return options;
  }
  v1::Target Target() const { return target == "cpu" ? v1::CPU : v1::CUDA; }
};

// What tune-generate makes of the extraction, a serialized message. CANCELLED by Ctrl-C.
absl::StatusOr<std::string> RunGenerator(Session& session, const v1::Extraction& extraction,
                                         const GenerateOptions& options);

// The same as a message.
template <typename Message>
absl::StatusOr<Message> GeneratedMessage(Session& session, const v1::Extraction& extraction,
                                         const GenerateOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, RunGenerator(session, extraction, options));
  Message message;
  if (!message.ParseFromString(bytes)) return absl::InternalError("tune-generate's result cannot be read");
  return message;
}

// Lines: which files were written, the commands that build them, and that nothing was measured. Errors are
// those of ParseGivenSizes.
absl::StatusOr<std::string> HowToBuild(Session& session, const TunedOutput& tuned,
                                       const GenerateOptions& options);

// Says that Ctrl-C came before anything was written; the exit status.
int Interrupted(Session& session);

// The files of `--cases`, written, and what is said of them.
absl::StatusOr<int> RunCases(Session& session, const GenerateOptions& options);

}  // namespace tune
