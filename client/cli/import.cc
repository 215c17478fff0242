#include <filesystem>
#include <memory>

#include "client/cli/commands.h"
#include "client/cli/transfer.h"
#include "client/exchange/bounded_json.h"
#include "client/exchange/kernel_tuner_cache.h"
#include "client/exchange/t4.h"
#include "client/report/words.h"
#include "common/exchange/archive.h"
#include "common/exchange/gzip.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

// The file as an archive, and the ids of its studies where they came from.
struct ImportFile {
  std::string archive;
  std::vector<std::string> ids;
  bool results_alone = false;
};

absl::Status ForeignFile(const std::string& path) {
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   " is neither an archive (`tunectl export`) nor JSON of T4 results or of a whole Kernel "
                   "Tuner cache; nothing was imported"));
}

absl::StatusOr<ImportFile> ReadImportFile(const std::string& path) {
  ImportFile result;
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadGzipFile(path));
  v1::Archive archive;
  if (LooksLikeArchive(text)) {
    absl::StatusOr<v1::Archive> parsed = ParseArchive(text);
    if (!parsed.ok()) return Annotate(parsed.status(), path);
    archive = *std::move(parsed);
    result.archive = text;
  } else {
    const absl::StatusOr<Json> json = ParseBoundedJson(text);
    if (!json.ok()) return ForeignFile(path);
    const std::string source = std::filesystem::path(path).filename().string();
    absl::StatusOr<v1::ArchivedStudy> study =
        IsKernelTunerCache(*json) ? ReadKernelTunerCache(*json, source) : ReadT4(*json, source);
    if (!study.ok()) return Annotate(study.status(), path);
    *archive.add_studies() = *std::move(study);
    archive.set_written_by(absl::StrCat("tunectl ", kVersion));
    TUNE_ASSIGN_OR_RETURN(result.archive, PrintArchive(archive));
    result.results_alone = true;
  }
  for (const v1::ArchivedStudy& study : archive.studies()) result.ids.push_back(study.study().id());
  return result;
}

absl::StatusOr<int> RunImport(Session& session, const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const ImportFile file, ReadImportFile(path));
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  ExchangeClient exchange(client);
  const std::string source = std::filesystem::path(path).filename().string();
  // Can be repeated: what is there already is not added again.
  TUNE_ASSIGN_OR_RETURN(const v1::ImportStudiesResponse response,
                        session.Retry([&] { return exchange.Import(file.archive, source); }));
  Json list = Json::array();
  for (int i = 0; i < response.studies_size(); ++i) {
    const std::string from = i < static_cast<int>(file.ids.size()) ? file.ids[i] : "";
    list.push_back(ImportedJson(from, response.studies(i)));
    if (!session.options.json) session.out() << ImportedText(from, response.studies(i), "");
  }
  if (session.options.json) {
    session.out() << PrintJson(list);
  } else if (response.studies().empty()) {
    session.out() << path << " holds no study.\n";
  } else if (file.results_alone) {
    session.out()
        << "These are results without code: `" << session.Hint("show " + response.studies(0).study().id())
        << "` shows them; they are no answer of `tunectl best FILE`, and there is nothing to fetch.\n";
  }
  return kExitOk;
}

}  // namespace

void AddImport(CLI::App& app, Session& session) {
  auto path = std::make_shared<std::string>();
  CLI::App* verb =
      AddVerb(app, session, "import", "Take studies from a file into the server",
              "  tunectl import lab.tune      an archive of `tunectl export`\n"
              "  tunectl import results.json  T4 results of any autotuner, kept as results without code\n"
              "  tunectl import cache.json    a cache file of Kernel Tuner, kept likewise\n\n"
              "Files may be compressed by gzip. All studies of the file are taken, or none. A study that is "
              "there already stays one.\n",
              "a list: from (id in the file), id, name, duplicate");
  verb->add_option("FILE", *path, "Archive, or JSON: T4 results, or a cache of Kernel Tuner")->required();
  verb->callback(
      [&session, path] { session.command = [&session, path] { return RunImport(session, *path); }; });
}

}  // namespace tune
