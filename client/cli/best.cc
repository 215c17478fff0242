#include <filesystem>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/cli/known_results.h"
#include "client/cli/program_options.h"
#include "client/report/json.h"
#include "client/report/match_text.h"
#include "client/report/objective_report.h"
#include "client/report/summary.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/decision/configuration.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

struct BestOptions {
  ProgramOptions program;
  std::vector<std::string> parameters;
  std::string device, target, generator = kBuiltinGenerator;
  std::string objective;
  v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED;
  int limit = 5;
};

absl::StatusOr<int> RunBestOfStudy(Session& session, const std::string& id) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, client->GetStudy(id));
  if (study.best_index() < 0) {
    return absl::NotFoundError(
        absl::StrCat(id, " (", StudyStateName(study.state()), ") has no correct candidate; `",
                     session.Hint(absl::StrCat("show ", id, " --candidates")), "` tells why"));
  }
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client->GetCandidate(id, study.best_index()));
  if (session.options.json) {
    session.out() << PrintJson(ToJson(candidate));
    return kExitOk;
  }
  const v1::Measurement* best = BestMeasurement(study);
  session.out() << "# " << OneLine(StudyTitle(study)) << ", candidate " << id << "/" << candidate.index();
  if (!IsTimeObjective(study.search())) {
    session.out() << ", " << BestByObjective(study);
  } else if (best != nullptr) {
    session.out() << ", " << FormatMeasurement(*best);
  }
  if (!study.device().model().empty()) session.out() << " on " << OneLine(study.device().model());
  session.out() << "\n" << Printable(PrintConfiguration(candidate.configuration()));
  return kExitOk;
}

// --parameter values by name; each must be a parameter of some region.
absl::StatusOr<std::map<std::string, int64_t>> ParseParameters(const std::vector<std::string>& texts,
                                                               const v1::Extraction& extraction) {
  std::set<std::string> names;
  for (const v1::Scop& scop : extraction.scops()) {
    for (const v1::Parameter& parameter : scop.parameters()) {
      if (parameter.factors().empty()) names.insert(parameter.name());
    }
  }
  std::map<std::string, int64_t> values;
  for (const std::string& text : texts) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    int64_t value = 0;
    if (!absl::SimpleAtoi(parts.second, &value)) {
      return UsageError(absl::StrCat("--parameter ", text, ": write NAME=INTEGER, such as n=1000"));
    }
    if (names.count(parts.first) == 0) {
      return UsageError(absl::StrCat("--parameter ", text, ": no region has this parameter; ",
                                     names.empty() ? "they have none" : "known are ",
                                     absl::StrJoin(names, ", ")));
    }
    if (!values.emplace(parts.first, value).second) {
      return UsageError(absl::StrCat("--parameter ", text, ": ", parts.first, " was given before"));
    }
  }
  return values;
}

// The bundle as a submission with these values would hold it.
v1::Program AsSubmitted(v1::Program program, const std::map<std::string, int64_t>& parameters) {
  if (program.has_main()) return program;
  for (const auto& [name, value] : parameters) (*program.mutable_parameter_values())[name] = value;
  return program;
}

class BestOfFile {
 public:
  BestOfFile(Session& session, const BestOptions& options) : session_(session), options_(options) {}

  absl::StatusOr<int> Run() {
    TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options_.program.Request());
    TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, ReadProgram(request));
    TUNE_ASSIGN_OR_RETURN(const auto parameters, ParseParameters(options_.parameters, extraction));
    TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session_.Client());
    ExchangeClient exchange(client);
    const v1::Target target = options_.target == "cpu"  ? v1::CPU
                              : options_.target.empty() ? v1::TARGET_UNSPECIFIED
                                                        : v1::CUDA;
    const std::string generator =
        options_.target == kSharedGenerator ? std::string(kSharedGenerator) : options_.generator;
    for (const v1::Scop& scop : extraction.scops()) {
      v1::LookUpRequest look_up =
          LookUpRequestFor(scop, AsSubmitted(extraction.program(), parameters), target,
                           ResultKind(generator, options_.rounding), parameters);
      look_up.set_device(options_.device);
      look_up.set_limit(options_.limit);
      look_up.mutable_search()->set_objective(options_.objective);
      TUNE_ASSIGN_OR_RETURN(const v1::LookUpResponse known,
                            session_.Retry([&] { return exchange.LookUp(look_up); }));
      Tell(scop, known);
    }
    if (session_.options.json) session_.out() << PrintJson(json_);
    return found_ ? kExitOk : kExitFailed;
  }

 private:
  void Tell(const v1::Scop& scop, const v1::LookUpResponse& known) {
    found_ |= !known.matches().empty();
    if (session_.options.json) {
      Json matches = Json::array();
      for (const v1::Match& match : known.matches()) matches.push_back(ToJson(match));
      json_.push_back({{"region", scop.name()},
                       {"devices", std::vector<std::string>(known.devices().begin(), known.devices().end())},
                       {"matches", matches}});
      return;
    }
    if (known.matches().empty()) {
      session_.err() << scop.name() << ": nothing is known here; `"
                     << session_.Hint("submit " + options_.program.file())
                     << "` with the same options tunes it.\n";
      return;
    }
    session_.out() << scop.name() << (IsExact(known.matches(0)) ? "" : ": not known exactly; the nearest is")
                   << "\n";
    const absl::Time now = absl::Now();
    for (const v1::Match& match : known.matches()) {
      session_.out() << "  " << KnownResultText(match.study(), now) << "\n    " << MatchText(match) << "\n";
    }
    const std::string& id = known.matches(0).study().id();
    const std::string output = TunedName(options_.program.file());
    session_.out() << "`" << session_.Hint(absl::StrCat("fetch ", id, " -o ", output))
                   << "` writes the program of that study with the tuned code, `"
                   << session_.Hint("best " + id) << "` prints the configuration, `"
                   << session_.Hint("submit " + options_.program.file())
                   << "` with the same options verifies it for yours.\n";
  }

  Session& session_;
  const BestOptions& options_;
  bool found_ = false;
  Json json_ = Json::array();
};

// "s12": what the server calls studies, unless there is a file of that name that is named with its folder.
bool IsStudyId(const std::string& text) {
  return text.size() > 1 && text[0] == 's' && text.find_first_not_of("0123456789", 1) == std::string::npos;
}

absl::StatusOr<int> RunBest(Session& session, const BestOptions& options) {
  const std::string& subject = options.program.file();
  if (IsStudyId(subject)) return RunBestOfStudy(session, subject);
  std::error_code error;
  const std::string study = subject.substr(0, subject.find('/'));
  if (IsStudyId(study) && !std::filesystem::exists(subject, error)) {
    return UsageError(absl::StrCat("write the study alone, ", study, ", or the name of a C file"));
  }
  if (options.target == kSharedGenerator && options.generator != kBuiltinGenerator)
    return UsageError("--target cpu+cuda has a generator of its own: leave --generator out");
  return BestOfFile(session, options).Run();
}

}  // namespace

void AddBest(CLI::App& app, Session& session) {
  auto options = std::make_shared<BestOptions>();
  CLI::App* verb = AddVerb(
      app, session, "best",
      "What the lab knows of a C file without tuning it; or the best configuration of a study, as `replay` "
      "takes "
      "it",
      "  tunectl best gemm.c -DLARGE_DATASET            on the workers' devices\n"
      "  tunectl best gemm.c --device H100 --parameter n=4000\n"
      "  tunectl best s3\n"
      "  tunectl best s3 | sed 's/ = pluto/ = feautrier/' | tunectl replay s3 -\n\n"
      "A file is the same when it computes the same in the same order on the same types: names, comments and "
      "layout do\n"
      "not matter. Results are named nearest first, with how they match: the same device or another of its\n"
      "architecture or another; the same sizes or others. Exit code 1: nothing is known.\n",
      "for a file a list, one entry a region: region, devices\nthat were compared with, matches (device, "
      "sizes, "
      "exact, study, configuration); for a study the best\ncandidate as `show` prints it");
  options->program.AddTo(*verb);
  verb->get_option("FILE")->description(
      "Id of a study, or a C file with `#pragma scop` .. `#pragma endscop`, or what `tunectl extract "
      "--output` "
      "stored");
  verb->add_option("--device", options->device,
                   "Part of a device's model, such as H200, or an architecture, such as sm_90. Default: the "
                   "workers' devices")
      ->type_name("TEXT");
  verb->add_option("--target", options->target, "Default: the best that a worker has")
      ->check(CLI::IsMember({"cpu", "cuda", kSharedGenerator}));
  AddGenerator(*verb, options->generator)->description("Whose results: builtin, or ppcg");
  AddRounding(*verb, options->rounding, "Results of studies with --exact",
              "Results of studies with --tf32x3");
  verb->add_option("--parameter,--param", options->parameters,
                   "Value of a size of the region, to compare with the studies'")
      ->type_name("NAME=N")
      ->allow_extra_args(false);
  verb->add_option("--objective", options->objective,
                   "Rank results by this, whatever they were tuned for. Default: time")
      ->check(CLI::IsMember({"time", "energy", "power", "edp"}));
  verb->add_option("--limit", options->limit, "How many results for each region. Default: 5")
      ->check(CLI::Range(1, 100))
      ->type_name("N");
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunBest(session, *options); }; });
}

}  // namespace tune
