// tune-generate: reads a v1::Extraction, writes tuned code of its regions as a v1::Archive, without server,
// worker or GPU. `tunectl generate` starts it, and makes files of what it writes; with --cases that is a
// v1::CaseDiscussions. tuned-server starts it with --serve, and compares what it answers with the code that
// workers send.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/decision/configuration.h"
#include "common/evaluation/rounding.h"
#include "common/space/cuda_device_options.h"
#include "common/space/schedule_space.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/extraction.pb.h"
#include "worker/cases/case_discussion.h"
#include "worker/generate/assumed_reference.h"
#include "worker/generate/compute_capability.h"
#include "worker/generate/generation_server.h"
#include "worker/generate/region_generator.h"
#include "worker/parts/parts_file.h"

namespace tune {
namespace {

struct Options {
  bool serve = false, cases = false, online = false;
  std::string extraction;    // file
  std::string architecture;  // empty: cpu
  int multiprocessors = 0;
  int region = 0;
  int level = 1;
  std::vector<std::string> parameters, settings;
  std::string configuration, trees, formats;  // files
  std::string parts;                          // empty: regions run as a whole
  std::string rounding = "free";
  GenerateRequest request;
};

void Declare(CLI::App& app, Options* options) {
  GenerateRequest& request = options->request;
  CLI::Option* serve = app.add_flag(
      "--serve", options->serve, "answer a server's requests, GenerationRequest messages on standard input");
  app.add_option("EXTRACTION", options->extraction, "file that holds a serialized Extraction")
      ->excludes(serve);
  app.add_option("--arch", options->architecture, "for this CUDA architecture (sm_90); none: OpenMP C");
  app.add_option("--multiprocessors", options->multiprocessors);
  app.add_flag("--cases", options->cases, "sizes as arguments, and a case discussion; CUDA");
  app.add_flag("--online", options->online, "with --cases: tuned by libtune while the program runs");
  app.add_option("--parts", options->parts,
                 "with --cases: CPU and GPU share the outermost loop, by these parts");
  app.add_option("--formats", options->formats, "with --cases: file that holds serialized CaseFormats");
  app.add_option("--region", options->region, "only this region, from 1");
  app.add_option("--parameter", options->parameters, "NAME=VALUE")->allow_extra_args(false);
  app.add_option("--config", options->configuration, "file of decisions");
  app.add_option("--set", options->settings, "KEY=OPTION")->allow_extra_args(false);
  app.add_option_function<uint64_t>("--seed", [&request](uint64_t seed) { request.seed = seed; });
  app.add_option("--level", options->level);
  app.add_option("--rounding", options->rounding, "free, exact or tf32x3")
      ->check(CLI::IsMember({"free", "exact", "tf32x3"}));
  app.add_flag_callback("--check", [&request] { request.diagnosis.set_check_mapping(true); });
  app.add_option_function<std::vector<std::string>>("-d",
                                                    [&request](const std::vector<std::string>& stages) {
                                                      request.diagnosis.mutable_stages()->Assign(
                                                          stages.begin(), stages.end());
                                                    })
      ->allow_extra_args(false);
  app.add_option("--tree", options->trees, "file of schedule trees");
  app.add_option("--generator", request.generator);
  app.add_option("--ppcg", request.ppcg);
}

// "n=5"
absl::Status AddValues(const std::vector<std::string>& texts, std::map<std::string, int64_t>* values) {
  for (const std::string& text : texts) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    int64_t value = 0;
    if (parts.first.empty() || !absl::SimpleAtoi(parts.second, &value))
      return absl::InvalidArgumentError(
          absl::StrCat("--parameter ", text, ": write NAME=INTEGER, such as n=1000"));
    if (!values->emplace(parts.first, value).second)
      return absl::InvalidArgumentError(
          absl::StrCat("--parameter ", text, ": ", parts.first, " was given before"));
  }
  return absl::OkStatus();
}

// "k[S0].unroll=4": no option has an equals sign, keys may.
absl::Status AddSettings(const std::vector<std::string>& texts,
                         std::map<std::string, std::string>* settings) {
  for (const std::string& text : texts) {
    const size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return absl::InvalidArgumentError(absl::StrCat("--set ", text, ": write KEY=OPTION"));
    (*settings)[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return absl::OkStatus();
}

absl::Status ReadFiles(Options* options) {
  if (!options->configuration.empty()) {
    TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(options->configuration));
    absl::StatusOr<v1::Configuration> configuration = ParseConfiguration(text);
    if (!configuration.ok()) return Annotate(configuration.status(), options->configuration);
    options->request.configuration = *std::move(configuration);
  }
  if (options->trees.empty()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(options->trees));
  absl::StatusOr<TreeTexts> trees = ReadTreeTexts(text);
  if (!trees.ok()) return Annotate(trees.status(), options->trees);
  options->request.trees = *std::move(trees);
  return absl::OkStatus();
}

absl::Status Complete(Options* options) {
  GenerateRequest& request = options->request;
  TUNE_RETURN_IF_ERROR(AddValues(options->parameters, &request.values));
  TUNE_RETURN_IF_ERROR(AddSettings(options->settings, &request.settings));
  TUNE_RETURN_IF_ERROR(ReadFiles(options));
  TUNE_ASSIGN_OR_RETURN(request.level, ParseScheduleLevel(options->level));
  request.rounding = RoundingOfName(options->rounding).value_or(v1::ROUNDING_UNSPECIFIED);
  if (!options->architecture.empty()) {
    TUNE_ASSIGN_OR_RETURN(request.device,
                          DeviceOfArchitecture(options->architecture, options->multiprocessors));
    return absl::OkStatus();
  }
  request.device.set_target(v1::CPU);
  request.device.set_cores(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<const v1::Scop*>> WantedRegions(const v1::Extraction& extraction,
                                                           const Options& options) {
  const int regions = extraction.scops_size();
  if (options.region < 0 || options.region > regions)
    return absl::InvalidArgumentError(absl::StrCat("--region ", options.region, ": the file has ", regions));
  std::vector<const v1::Scop*> wanted;
  for (int i = 0; i < regions; ++i) {
    if (options.region == 0 || options.region == i + 1) wanted.push_back(&extraction.scops(i));
  }
  const bool one = options.request.configuration || !options.request.trees.empty();
  if (one && wanted.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat("--config and --tree are of one region, and the file has ",
                                                   regions, ": say which one with --region K"));
  }
  return wanted;
}

// Keys of settings that no region was asked about.
absl::Status CheckSettings(const Options& options, const v1::Archive& archive) {
  std::vector<std::string> keys;
  for (const v1::ArchivedStudy& study : archive.studies()) {
    for (const v1::Decision& decision : study.candidates(0).candidate().configuration().decisions())
      keys.push_back(decision.key());
  }
  for (const auto& [key, option] : options.request.settings) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--set ", key, "=", option, ": there is no such decision; there are ", absl::StrJoin(keys, ", ")));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::Extraction> ReadExtraction(const Options& options) {
  if (options.extraction.empty()) return absl::InvalidArgumentError("name the file with the Extraction");
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(options.extraction));
  v1::Extraction extraction;
  if (!extraction.ParseFromString(bytes))
    return absl::InvalidArgumentError(options.extraction + ": not an Extraction as tune-extract writes it");
  return extraction;
}

absl::StatusOr<v1::CaseDiscussions> GenerateCases(const Options& options) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, ReadExtraction(options));
  TUNE_ASSIGN_OR_RETURN(const std::vector<const v1::Scop*> scops, WantedRegions(extraction, options));
  std::optional<DeviceFacts> device;
  if (!options.architecture.empty()) {
    TUNE_ASSIGN_OR_RETURN(const v1::Device named,
                          DeviceOfArchitecture(options.architecture, options.multiprocessors));
    device = FactsOf(named);
  }
  v1::CaseFormats formats;
  if (!options.formats.empty()) {
    TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(options.formats));
    if (!formats.ParseFromString(bytes))
      return absl::InvalidArgumentError(options.formats + ": no serialized CaseFormats");
  }
  const std::optional<v1::Rounding> rounding = RoundingOfName(options.rounding);
  if (rounding == v1::ROUNDING_TF32X3)
    return absl::InvalidArgumentError("--tf32x3 is of code for given sizes: leave --cases or --parts out");
  v1::CaseDiscussions discussions;
  std::vector<std::string> notes;
  const bool exact = rounding == v1::ROUNDING_EXACT;
  PartWishes wishes = {options.architecture, options.parts, options.online, formats};
  wishes.exact = exact;
  for (const v1::Scop* scop : scops) {
    TUNE_ASSIGN_OR_RETURN(
        *discussions.add_regions(),
        options.parts.empty()
            ? DiscussCases(*scop, {options.architecture, options.online, formats, exact, device}, &notes)
            : DiscussParts(*scop, wishes, &notes));
  }
  for (const std::string& note : notes) std::cerr << "note: " << note << "\n";
  return discussions;
}

absl::StatusOr<v1::Archive> Generate(Options options) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, ReadExtraction(options));
  TUNE_RETURN_IF_ERROR(Complete(&options));
  TUNE_ASSIGN_OR_RETURN(const std::vector<const v1::Scop*> scops, WantedRegions(extraction, options));
  TUNE_RETURN_IF_ERROR(CheckValues(scops, options.request.values));
  v1::Archive archive;
  std::vector<std::string> notes;
  for (const v1::Scop* scop : scops) {
    TUNE_ASSIGN_OR_RETURN(*archive.add_studies(), GenerateRegion(*scop, options.request, &notes));
  }
  TUNE_RETURN_IF_ERROR(CheckSettings(options, archive));
  for (const std::string& note : notes) std::cerr << "note: " << note << "\n";
  return archive;
}

// The exit status; a message, or why there is none.
template <typename Message>
int Write(const absl::StatusOr<Message>& message) {
  if (!message.ok()) {
    std::cerr << message.status().message() << "\n";
    return 1;
  }
  return message->SerializeToOstream(&std::cout) && std::cout.flush() ? 0 : 2;
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  CLI::App app("Makes tuned code of extracted regions; for `tunectl generate`");
  app.name("tune-generate");
  tune::Options options;
  tune::Declare(app, &options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.serve) {
    const absl::Status served = tune::ServeGeneration(STDIN_FILENO, STDOUT_FILENO);
    if (!served.ok()) std::cerr << "tune-generate: " << served.message() << "\n";
    return served.ok() ? 0 : 1;
  }
  return options.cases ? tune::Write(tune::GenerateCases(options))
                       : tune::Write(tune::Generate(std::move(options)));
}
