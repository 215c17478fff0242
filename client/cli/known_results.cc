#include "client/cli/known_results.h"

#include <set>

#include "absl/time/clock.h"
#include "client/cli/submission.h"
#include "client/report/match_text.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/decision/configuration.h"
#include "common/evaluation/generator.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

// What is known of one spec, and what becomes of it.
std::string KnownText(const v1::StudySpec& spec, const v1::LookUpResponse& known, absl::Time now) {
  const v1::Match& nearest = known.matches(0);
  std::string text = absl::StrCat(
      spec.name(), IsExact(nearest) ? " is known here: " : ": the nearest that is known here is ",
      KnownResultText(nearest.study(), now), "; ", MatchText(nearest), ".\n");
  absl::StrAppend(
      &text,
      IsExact(nearest) ? "Its configuration is verified first" : "The search begins with what is known", " (",
      FormatCount(spec.seeds_size(), "configuration"), "; --fresh leaves ",
      spec.seeds_size() == 1 ? "it" : "them", " out).\n");
  if (!spec.known().empty()) {
    absl::StrAppend(&text, "Results of ",
                    spec.known_size() == 1 ? "one study" : absl::StrCat(spec.known_size(), " studies"),
                    " are what the search expects at first.\n");
  }
  return text;
}

v1::LookUpRequest RequestFor(const v1::StudySpec& spec) {
  const std::map<std::string, int64_t> parameters(spec.program().parameter_values().begin(),
                                                  spec.program().parameter_values().end());
  v1::LookUpRequest request = LookUpRequestFor(spec.scop(), spec.program(), spec.target(),
                                               ResultKind(spec.generator(), spec.rounding()), parameters);
  request.set_results(kMaxResultsOfAMatch);
  request.mutable_search()->set_objective(spec.search().objective());
  request.mutable_search()->set_maximise(spec.search().maximise());
  *request.mutable_metrics() = spec.metrics();
  if (spec.has_kernel()) {
    request.clear_scop();
    if (spec.kernel().language() == v1::KERNEL_LANGUAGE_C) request.set_target(v1::CPU);
    request.mutable_kernel()->set_shape(KernelShape(spec.kernel(), spec.program()));
    request.mutable_kernel()->set_fingerprint(KernelFingerprint(spec.kernel(), spec.program()));
  }
  return request;
}

// On an error the specs that were not looked up stay as they are.
absl::Status SeedFromKnown(Session& session, StudyClient& client, std::vector<v1::StudySpec>* specs) {
  ExchangeClient exchange(&client);
  for (v1::StudySpec& spec : *specs) {
    const v1::LookUpRequest request = RequestFor(spec);
    TUNE_ASSIGN_OR_RETURN(const v1::LookUpResponse known,
                          session.Retry([&] { return exchange.LookUp(request); }));
    for (const v1::Configuration& seed : ChooseSeeds(known)) *spec.add_seeds() = seed;
    for (const v1::Match& match : known.matches()) {
      if (!match.results().results().empty()) *spec.add_known() = match.results();
    }
    if (!spec.seeds().empty() && !session.options.json)
      session.out() << KnownText(spec, known, absl::Now()) << std::flush;
  }
  return absl::OkStatus();
}

}  // namespace

v1::LookUpRequest LookUpRequestFor(const v1::Scop& scop, const v1::Program& program, v1::Target target,
                                   const std::string& kind,
                                   const std::map<std::string, int64_t>& parameters) {
  v1::LookUpRequest request;
  *request.mutable_scop() = scop;
  request.set_target(target);
  request.set_generator(kind);
  for (const auto& [name, value] : parameters) {
    v1::ParameterValue* parameter = request.add_parameters();
    parameter->set_name(name);
    parameter->set_value(value);
  }
  request.set_program_fingerprint(ProgramFingerprint(program));
  request.set_settings_fingerprint(SettingsFingerprint(program));
  return request;
}

std::vector<v1::Configuration> ChooseSeeds(const v1::LookUpResponse& known) {
  std::vector<v1::Configuration> seeds;
  std::set<std::string> seen;
  for (const v1::Match& match : known.matches()) {
    if (static_cast<int>(seeds.size()) == kMaxSeeds) break;
    if (match.configuration().decisions().empty()) continue;
    if (seen.insert(ConfigurationFingerprint(match.configuration())).second)
      seeds.push_back(match.configuration());
  }
  return seeds;
}

void AddFresh(CLI::App& verb, bool* fresh) {
  verb.add_flag("--fresh", *fresh, "Do not look up and use what is known already");
}

absl::StatusOr<std::vector<v1::Study>> SubmitWithKnown(Session& session, StudyClient& client, bool fresh,
                                                       std::vector<v1::StudySpec>* specs) {
  const absl::Status looked_up = fresh ? absl::OkStatus() : SeedFromKnown(session, client, specs);
  // Before anything is told: where no server answers, one error is enough.
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::Study> studies, SubmitStudies(session, client, *specs));
  if (!looked_up.ok()) {
    session.err() << "What is known was not looked up: " << looked_up.message() << "\n";
  }
  return studies;
}

}  // namespace tune
