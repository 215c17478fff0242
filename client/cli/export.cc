#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/cli/safe_output.h"
#include "client/exchange/case_formats.h"
#include "client/exchange/kernel_tuner_cache.h"
#include "client/exchange/t4.h"
#include "client/exchange/wisdom.h"
#include "client/report/units.h"
#include "client/submit/exchange_client.h"
#include "common/exchange/archive.h"
#include "common/exchange/gzip.h"

namespace tune {
namespace {

struct ExportOptions {
  std::vector<std::string> studies;
  std::string format = "archive";
  std::string output;
  bool force = false;
};

// Of all studies that are of a GPU and found something.
absl::StatusOr<std::string> FormatsText(const v1::Archive& archive) {
  v1::CaseFormats formats;
  for (const v1::ArchivedStudy& study : archive.studies()) {
    for (const v1::ArchivedCandidate& candidate : study.candidates()) {
      if (candidate.candidate().index() == study.study().best_index())
        formats.MergeFrom(CaseFormatsOf(study.study(), candidate.candidate().configuration()));
    }
  }
  if (formats.formats().empty()) {
    return absl::InvalidArgumentError(
        "--format cases is of studies of regions on a GPU that found something correct: there is none of "
        "them");
  }
  return PrintCaseFormats(formats);
}

// The content of the file to write.
absl::StatusOr<std::string> ExportedText(ExchangeClient& exchange, const ExportOptions& options) {
  const bool archive = options.format == "archive";
  TUNE_ASSIGN_OR_RETURN(std::string file, exchange.Export(options.studies, /*without_texts=*/!archive));
  if (archive) return file;
  TUNE_ASSIGN_OR_RETURN(const v1::Archive content, ParseArchive(file));
  if (options.format == "cases") return FormatsText(content);
  if (options.format == "wisdom") {
    return WriteWisdom(std::vector<v1::ArchivedStudy>(content.studies().begin(), content.studies().end()));
  }
  TUNE_ASSIGN_OR_RETURN(const Json json, options.format == "t4" ? WriteT4(content.studies(0))
                                                                : WriteKernelTunerCache(content.studies(0)));
  return PrintJson(json);
}

absl::StatusOr<int> RunExport(Session& session, const ExportOptions& options) {
  const bool to_file = !options.output.empty() && options.output != "-";
  if (options.format == "archive" && !to_file) {
    return UsageError("an archive is not text: name its file with --output FILE");
  }
  if ((options.format == "t4" || options.format == "kernel-tuner") && options.studies.size() > 1) {
    return UsageError(absl::StrCat("a file of --format ", options.format,
                                   " holds the results of one study: export each to a file of its own"));
  }
  OutputRules rules;
  rules.force = options.force;
  if (to_file) TUNE_RETURN_IF_ERROR(CheckOutput(options.output, rules));
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  ExchangeClient exchange(client);
  TUNE_ASSIGN_OR_RETURN(std::string text, session.Retry([&] { return ExportedText(exchange, options); }));
  if (!to_file) {
    session.out() << text;
    return kExitOk;
  }
  if (IsGzipName(options.output)) text = Gzip(text);
  TUNE_RETURN_IF_ERROR(WriteOutputs({{options.output, text}}, rules));
  if (session.options.json) {
    session.out() << PrintJson({{"studies", options.studies},
                                {"format", options.format},
                                {"file", options.output},
                                {"bytes", text.size()}});
  } else {
    session.out() << "Wrote " << options.output << ": " << options.studies.size()
                  << (options.studies.size() == 1 ? " study, " : " studies, ")
                  << FormatBytes(static_cast<int64_t>(text.size())) << ".\n";
  }
  return kExitOk;
}

}  // namespace

void AddExport(CLI::App& app, Session& session) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = AddVerb(
      app, session, "export", "Write studies that have ended to a file, for other servers and other tools",
      "  tunectl export s3 s4 -o lab.tune               complete: `tunectl import` takes it\n"
      "  tunectl export s3 --format t4 -o gemm.json     results as the autotuning community exchanges them\n"
      "  tunectl export s3 --format kernel-tuner -o gemm.json.gz\n"
      "  tunectl export s3 s7 --format wisdom -o gemm.wisdom\n"
      "  tunectl export s3 s7 --format cases -o gemm.formats\n\n"
      "archive: everything of the studies, with version and checksum. t4: every candidate of one study in "
      "the\n"
      "T4 1.1.0 schema. wisdom: the best configuration of studies of one kernel (sizes, devices) as lines "
      "of\n"
      "JSON. kernel-tuner: the candidates of one study of a hand-written kernel as a cache file of Kernel "
      "Tuner,\n"
      "which goes on from it and simulates with it. cases: block formats that were the fastest, by kernel, "
      "size and\ndevice, for `tunectl generate --cases --formats FILE`.\n",
      "studies, format, file and bytes; without --output the exported text itself");
  verb->add_option("STUDY", options->studies, "Ids of studies that have ended")
      ->required()
      ->check(StudyName());
  verb->add_option("--format", options->format, "Default: archive")
      ->check(CLI::IsMember({"archive", "cases", "kernel-tuner", "t4", "wisdom"}));
  verb->add_option("-o,--output", options->output,
                   "File to write, compressed where its name ends in .gz. Default, but for an archive: "
                   "standard output")
      ->type_name("FILE");
  verb->add_flag("--force", options->force, kForceHelp);
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunExport(session, *options); };
  });
}

}  // namespace tune
