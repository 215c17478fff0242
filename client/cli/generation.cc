// Starts tune-generate.
#include "absl/strings/strip.h"
#include "client/cli/build_text.h"
#include "client/cli/generate_options.h"
#include "client/cli/interrupt.h"
#include "client/submit/shell_words.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

constexpr char kDefaultParts[] = "cpu:1,gpu:1";
constexpr size_t kLargestResult = 256 << 20;

std::vector<std::string> GeneratorCommand(const std::string& program, const std::string& extraction,
                                          const GenerateOptions& options) {
  std::vector<std::string> command = {program, extraction};
  // With '=', so that a value that starts with '-' is not taken for an option.
  const auto add = [&command](absl::string_view option, absl::string_view value) {
    if (!value.empty()) command.push_back(absl::StrCat(option, "=", value));
  };
  add("--arch", options.architecture);
  if (options.multiprocessors > 0) add("--multiprocessors", absl::StrCat(options.multiprocessors));
  if (options.region > 0) add("--region", absl::StrCat(options.region));
  add("--level", absl::StrCat(options.level));
  for (const std::string& parameter : options.parameters) add("--parameter", parameter);
  for (const std::string& setting : options.settings) add("--set", setting);
  add("--config", options.configuration);
  add("--tree", options.tree);
  add("--seed", options.seed);
  add("--generator", options.generator);
  add("--ppcg", options.ppcg);
  add("--rounding", RoundingName(options.rounding));
  if (options.check) command.push_back("--check");
  if (options.cases || options.shares()) command.push_back("--cases");
  if (options.shares()) add("--parts", options.parts.empty() ? kDefaultParts : options.parts);
  if (options.online) command.push_back("--online");
  for (const std::string& stage : options.stages) command.insert(command.end(), {"-d", stage});
  return command;
}

}  // namespace

absl::StatusOr<std::string> RunGenerator(Session& session, const v1::Extraction& extraction,
                                         const GenerateOptions& options) {
  const absl::StatusOr<std::string> program = FindSiblingProgram("tune-generate");
  if (!program.ok())
    return absl::FailedPreconditionError(
        absl::StrCat("the code generator is not installed: ", program.status().message()));
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string file = folder.path() + "/extraction";
  TUNE_RETURN_IF_ERROR(WriteFile(file, extraction.SerializeAsString()));
  std::vector<std::string> command = GeneratorCommand(*program, file, options);
  if (!options.case_formats.formats().empty()) {
    TUNE_RETURN_IF_ERROR(WriteFile(file + ".formats", options.case_formats.SerializeAsString()));
    command.push_back("--formats=" + file + ".formats");
  }
  const InterruptGuard interrupt;
  SubprocessOptions limits;
  limits.output_limit_bytes = kLargestResult;
  limits.cancelled = [](void* guard) { return static_cast<const InterruptGuard*>(guard)->interrupted(); };
  limits.cancelled_argument = const_cast<InterruptGuard*>(&interrupt);
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult run, RunSubprocess(command, limits));
  if (run.cancelled) return absl::CancelledError("interrupted");
  if (run.ok() && !run.standard_output.empty()) {
    session.err() << run.standard_error;
    return run.standard_output;
  }
  const absl::string_view message = absl::StripSuffix(run.standard_error, "\n");
  if (run.signal == 0 && run.exit_code == 1 && !message.empty())
    return absl::InvalidArgumentError(options.program.file().empty()
                                          ? std::string(message)
                                          : absl::StrCat(options.program.file(), ": ", message));
  return absl::InternalError(absl::StrCat(*program, " ", run.ok() ? "wrote no result" : run.Describe(),
                                          message.empty() ? "" : ": ", message));
}

absl::StatusOr<std::string> HowToBuild(Session& session, const TunedOutput& tuned,
                                       const GenerateOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<ProgramSize> sizes, ParseGivenSizes(options.sizes));
  return absl::StrCat(BuildText(options.program, sizes, tuned, options.OutputPath()), "It was never run: `",
                      session.Hint("tune " + JoinShellWords({options.program.file()})),
                      "` finds faster code, and compares its results with the original's.\n");
}

int Interrupted(Session& session) {
  session.err() << "Interrupted; nothing was written.\n";
  return kExitInterrupted;
}

}  // namespace tune
