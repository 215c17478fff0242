// What applications learnt while they ran: looked at, sent to a server, and taken from one.
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/sent_tries.h"
#include "client/cli/sent_wisdom.h"
#include "client/exchange/application_wisdom.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "common/exchange/results_alone.h"

namespace tune {
namespace {

constexpr int kMostStudies = 100'000;  // of a server, that are looked at

struct WisdomOptions {
  std::string file, region, tries;
  bool send = false, refresh = false;
  int every = 0;  // seconds; 0: once
};

bool IsWanted(const WisdomOptions& options, const std::string& region) {
  // Regions of generated files are "gemm:0123456789ab".
  return options.region.empty() || region == options.region ||
         region.substr(0, region.find(':')) == options.region;
}

absl::StatusOr<std::vector<LearntResult>> ReadWanted(const WisdomOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<LearntResult> all, ReadLearntResults(options.file));
  std::vector<LearntResult> wanted;
  for (const LearntResult& result : all)
    if (IsWanted(options, result.region)) wanted.push_back(result);
  return wanted;
}

std::string ValuesText(const LearntResult& result) {
  return absl::StrJoin(result.values, ", ", absl::PairFormatter(" = "));
}

absl::StatusOr<int> List(Session& session, const WisdomOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<LearntResult> results, ReadWanted(options));
  if (session.options.json) {
    Json list = Json::array();
    for (const LearntResult& result : results)
      list.push_back({{"region", result.region},
                      {"device", result.device},
                      {"inputs", result.inputs},
                      {"seconds", result.seconds},
                      {"values", result.values}});
    session.out() << PrintJson(list);
    return kExitOk;
  }
  if (results.empty()) {
    session.out() << options.file << " holds nothing that is asked for.\n";
    return kExitOk;
  }
  Table table({{"REGION"}, {"INPUTS"}, {"TIME", Table::Align::kRight}, {"DEVICE"}, {"CONFIGURATION"}});
  for (const LearntResult& result : results)
    table.AddRow({OneLine(result.region), absl::StrJoin(result.inputs, ","), FormatSeconds(result.seconds),
                  OneLine(result.device), OneLine(ValuesText(result))});
  session.out() << table.Print();
  return kExitOk;
}

// What `tries` has told is not sent again.
absl::StatusOr<int> Send(Session& session, const WisdomOptions& options, const ApplicationTries& tries) {
  TUNE_ASSIGN_OR_RETURN(std::vector<LearntResult> results, ReadWanted(options));
  std::erase_if(results, [&](const LearntResult& result) { return tries.Tells(result); });
  TUNE_ASSIGN_OR_RETURN(const SentWisdom sent, SendWisdom(session, results, options.file));
  if (session.options.json) {
    session.out() << PrintJson({{"sent", results.size()}, {"new", sent.fresh}});
  } else if (sent.fresh > 0 || options.every == 0) {
    session.out() << "Sent " << FormatCount(static_cast<int64_t>(results.size()), "result") << " of "
                  << options.file << ", of which the server did not know " << sent.fresh << ".\n";
  }
  return kExitOk;
}

using LearntKey = std::tuple<std::string, std::string, std::vector<int64_t>>;

// Those of the server that the file does not know, or knows a slower one of.
absl::StatusOr<std::vector<LearntResult>> FindBetter(StudyClient& client, const WisdomOptions& options) {
  std::map<LearntKey, double> known;
  const absl::StatusOr<std::vector<LearntResult>> own = ReadLearntResults(options.file);
  if (!own.ok() && !absl::IsNotFound(own.status())) return own.status();
  for (size_t i = 0; own.ok() && i < own->size(); ++i)
    known[{(*own)[i].region, (*own)[i].device, (*own)[i].inputs}] = (*own)[i].seconds;
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> studies, client.ListStudies(kMostStudies));
  std::map<LearntKey, std::pair<LearntResult, std::string>> better;  // with the study's id
  for (const v1::Study& study : studies) {
    const std::optional<LearntResult> result = LearntResultOf(study, {});
    if (!result || !IsWanted(options, result->region)) continue;
    const LearntKey key = {result->region, result->device, result->inputs};
    const auto [entry, is_new] = known.emplace(key, result->seconds);
    if (!is_new && entry->second <= result->seconds) continue;
    entry->second = result->seconds;
    better[key] = {*result, study.id()};
  }
  std::vector<LearntResult> results;
  for (const auto& [key, found] : better) {
    TUNE_ASSIGN_OR_RETURN(const v1::Study study, client.GetStudy(found.second));
    TUNE_ASSIGN_OR_RETURN(const v1::Candidate best, client.GetCandidate(found.second, study.best_index()));
    if (const auto result = LearntResultOf(study, best.configuration())) results.push_back(*result);
  }
  return results;
}

absl::StatusOr<size_t> RefreshOnce(Session& session, const WisdomOptions& options) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const std::vector<LearntResult> results,
                        session.Retry([&] { return FindBetter(*client, options); }));
  if (!results.empty()) TUNE_RETURN_IF_ERROR(AddLearntResults(options.file, results));
  return results.size();
}

// False once Ctrl-C came.
bool Pause(const InterruptGuard& interrupt, absl::Duration time) {
  const absl::Time end = absl::Now() + time;
  while (absl::Now() < end && !interrupt.interrupted()) absl::SleepFor(absl::Milliseconds(100));
  return !interrupt.interrupted();
}

absl::Status Refresh(Session& session, const WisdomOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const size_t added, RefreshOnce(session, options));
  if (session.options.json) session.out() << PrintJson({{"taken", added}});
  if (!session.options.json && (added > 0 || options.every == 0))
    session.out() << "Took " << FormatCount(static_cast<int64_t>(added), "result") << " into " << options.file
                  << ".\n";
  return absl::OkStatus();
}

// What --tries names, followed from its beginning.
struct FollowedTries {
  explicit FollowedTries(const std::string& file) : tries(file) {}
  ApplicationTries tries;
  std::vector<std::string> studies;
};

// What --send and --refresh ask for.
absl::Status Exchange(Session& session, const WisdomOptions& options, FollowedTries* followed) {
  if (!options.tries.empty())
    TUNE_RETURN_IF_ERROR(SendTries(session, /*run_ended=*/false, &followed->tries, &followed->studies));
  if (options.send) {
    const absl::Status sent = Send(session, options, followed->tries).status();
    // An application that has not settled on anything has no file yet.
    if (!sent.ok() && !(options.every > 0 && absl::IsNotFound(sent))) return sent;
  }
  return options.refresh ? Refresh(session, options) : absl::OkStatus();
}

absl::StatusOr<int> ExchangeUntilInterrupted(Session& session, const WisdomOptions& options) {
  const InterruptGuard interrupt;
  FollowedTries followed(options.tries);
  do {
    const absl::Status exchanged = Exchange(session, options, &followed);
    // In the background a server that is away for a while is asked again.
    if (!exchanged.ok() && !IsUnreachable(exchanged)) return exchanged;
    if (!exchanged.ok()) session.err() << exchanged.message() << "\n";
    session.out().flush();
  } while (Pause(interrupt, absl::Seconds(options.every)));
  return kExitInterrupted;
}

absl::StatusOr<int> RunWisdom(Session& session, const WisdomOptions& options) {
  const bool exchanges = options.send || options.refresh;
  if (options.every > 0 && !exchanges)
    return UsageError("--every says how often --send and --refresh are repeated: give one of them");
  if (options.every > 0) return ExchangeUntilInterrupted(session, options);
  if (!exchanges) return List(session, options);
  FollowedTries followed(options.tries);
  TUNE_RETURN_IF_ERROR(Exchange(session, options, &followed));
  return kExitOk;
}

}  // namespace

void AddWisdom(CLI::App& app, Session& session) {
  auto options = std::make_shared<WisdomOptions>();
  CLI::App* verb = AddVerb(
      app, session, "wisdom", "What applications learnt with libtune: show it, send it, take it",
      "  tunectl wisdom app.wisdom                          what the file holds\n"
      "  tunectl wisdom app.wisdom --send                   to the server, as results of origin online\n"
      "  tunectl wisdom app.wisdom --send --every 10        while the application runs, until Ctrl-C\n"
      "  tunectl wisdom app.wisdom --send --tries app.tries --every 1    with what it tries, live\n"
      "  tunectl wisdom app.wisdom --refresh --every 600    from the server, every ten minutes, until "
      "Ctrl-C\n\n"
      "The file is that of libtune's option wisdom_file, or of TUNE_WISDOM_FILE; applications that use it "
      "may "
      "run\nmeanwhile: they see what others added when they meet new sizes. Of two results of the same "
      "region, "
      "device and\ninputs the faster one stays, in the file and for who takes it from the server. Nothing is "
      "measured.\n",
      "a list: region, device, inputs, seconds, values; with --send sent and new, with --refresh taken");
  verb->add_option("FILE", options->file, "Wisdom file")->required()->type_name("FILE");
  verb->add_option("--region", options->region, "Only of this region. Default: all")->type_name("NAME");
  CLI::Option* send = verb->add_flag("--send", options->send, "Send what the file holds to the server");
  verb->add_option("--tries", options->tries,
                   "With --send: also what applications try, which `watch` and the page then show live; the "
                   "file of libtune's option tries_file, or of TUNE_TRIES_FILE")
      ->needs(send)
      ->type_name("FILE");
  verb->add_flag("--refresh", options->refresh,
                 "Take what the server has and the file has not, or slower, into the file");
  verb->add_option("--every", options->every,
                   "Repeat --send and --refresh, so many seconds after the last time")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("SECONDS");
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunWisdom(session, *options); };
  });
}

}  // namespace tune
