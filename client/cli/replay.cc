#include <iostream>
#include <iterator>
#include <memory>

#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/program_options.h"
#include "client/report/candidate_view.h"
#include "client/report/json.h"
#include "common/base/file.h"
#include "common/decision/configuration.h"

namespace tune {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);

struct ReplayOptions {
  std::string name;  // STUDY or STUDY/INDEX
  std::string file;  // configuration; "-": standard input
  bool no_wait = false;
  bool check = false;
  std::vector<std::string> stages;
};

absl::StatusOr<v1::Configuration> ReadConfiguration(const std::string& file) {
  std::string text;
  if (file == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    TUNE_ASSIGN_OR_RETURN(text, ReadFile(file));
  }
  auto configuration = ParseConfiguration(text);
  if (!configuration.ok()) return Annotate(configuration.status(), file == "-" ? "standard input" : file);
  if (configuration->decisions().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file == "-" ? "standard input" : file,
                     ": no decisions; write one `key = option` a line, as `tunectl best` does"));
  }
  return configuration;
}

absl::StatusOr<v1::Configuration> WantedConfiguration(StudyClient& client, const CandidateName& name,
                                                      const ReplayOptions& options) {
  if (name.index < 0) return ReadConfiguration(options.file);
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client.GetCandidate(name.study, name.index));
  return candidate.configuration();
}

// Asks until the candidate is evaluated; without a value when the user interrupts. Bears with a server that
// is away for a while.
absl::StatusOr<std::optional<v1::Candidate>> AwaitEvaluation(Session& session, StudyClient& client,
                                                             const CandidateName& name) {
  const InterruptGuard interrupt;
  absl::Time next_maintenance = absl::InfinitePast();
  absl::Time last_answer = absl::Now();
  while (!interrupt.interrupted()) {
    const absl::StatusOr<v1::Candidate> candidate = client.GetCandidate(name.study, name.index);
    const absl::Time now = absl::Now();
    if (candidate.ok()) {
      last_answer = now;
      if (candidate->state() == v1::EVALUATED || candidate->state() == v1::POISONED) return *candidate;
    } else if (!IsUnreachable(candidate.status()) || now - last_answer > kPatience) {
      return candidate.status();
    }
    if (session.private_server() != nullptr && now >= next_maintenance) {
      TUNE_RETURN_IF_ERROR(session.private_server()->Maintain());
      next_maintenance = now + absl::Seconds(1);
    }
    absl::SleepFor(absl::Milliseconds(100));
  }
  return std::nullopt;
}

absl::StatusOr<int> RunReplay(Session& session, const ReplayOptions& options) {
  absl::StatusOr<CandidateName> name = ParseCandidateName(options.name);
  if (!name.ok()) return UsageError(name.status().message());
  if (name->index < 0 && options.file.empty())
    return UsageError("replay STUDY needs a FILE with decisions, or - for standard input");
  if (name->index >= 0 && !options.file.empty())
    return UsageError("replay takes STUDY/INDEX or STUDY FILE, not both");
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client(Needs::kServerAndWorker));
  TUNE_ASSIGN_OR_RETURN(const v1::Configuration configuration, WantedConfiguration(*client, *name, options));
  v1::Diagnosis diagnosis;
  diagnosis.set_check_mapping(options.check);
  for (const std::string& stage : options.stages) diagnosis.add_stages(stage);
  TUNE_ASSIGN_OR_RETURN(name->index, client->Replay(name->study, configuration, diagnosis));
  const std::string made = absl::StrCat(name->study, "/", name->index);
  if (options.no_wait) {
    if (session.options.json) {
      session.out() << PrintJson({{"study", name->study}, {"index", name->index}});
    } else {
      session.out() << made << " waits for a worker; `" << session.Hint("show " + made) << "` shows it.\n";
    }
    return kExitOk;
  }
  TUNE_ASSIGN_OR_RETURN(const std::optional<v1::Candidate> candidate,
                        AwaitEvaluation(session, *client, *name));
  if (!candidate.has_value()) {
    session.err() << made << " is still evaluated; `" << session.Hint("show " + made) << "` shows it.\n";
    return kExitInterrupted;
  }
  if (session.options.json) {
    session.out() << PrintJson(ToJson(*candidate));
  } else {
    session.out() << CandidateDetails(name->study, *candidate, {});
  }
  return candidate->evaluation().outcome() == v1::CORRECT ? kExitOk : kExitFailed;
}

}  // namespace

void AddReplay(CLI::App& app, Session& session) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = AddVerb(app, session, "replay",
                           "Evaluate a configuration beside the search; exit code 1 when it is not correct",
                           "  tunectl replay s3/17                     evaluate candidate 17 once more\n"
                           "  tunectl replay s3 mine.txt               lines of `key = option`\n"
                           "  tunectl best s3 | tunectl replay s3 -\n"
                           "  tunectl replay s3/17 --check -d tiles    how it is made\n",
                           "the new candidate as `show` prints it, with --no-wait study and index");
  verb->add_option("STUDY[/INDEX]", options->name, "Study, or candidate whose configuration is taken")
      ->required();
  verb->add_option("FILE", options->file, "Configuration, as `tunectl best` prints it; - for standard input");
  verb->add_flag(
      "--check", options->check,
      "Prove that the mapping to a GPU is right: each instance of a statement once, no dependence between "
      "blocks, barriers where threads depend on each other, tiles that hold what is read. A candidate "
      "that fails is not built. Not of ppcg's");
  verb->add_option(
          "-d,--dump", options->stages,
          "Print the schedule tree after this stage: schedule, mapped (cpu); schedule, host, block, threads, "
          "tiles, copies (cuda, but for ppcg's); or the program that is made of the last one, of which the "
          "code "
          "is another form: program (but for ppcg's); or count the instructions of the kernels: instructions")
      ->option_text("STAGE ...");
  verb->add_flag("--no-wait", options->no_wait, "Do not wait for the evaluation");
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunReplay(session, *options); };
  });
}

}  // namespace tune
