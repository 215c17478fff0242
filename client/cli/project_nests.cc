#include "client/cli/project_nests.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "client/project/compilation_database.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/submit/shell_words.h"

namespace tune {
namespace {

constexpr unsigned kMostReaders = 8;
constexpr absl::Duration kProgressPeriod = absl::Seconds(2);

bool IsSource(absl::string_view file) {
  for (const char* extension : {".c", ".C", ".cc", ".cpp", ".cxx", ".c++"}) {
    if (absl::EndsWith(file, extension)) return true;
  }
  return false;
}

// As short as a user would write it.
std::string NameFromHere(const std::string& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return error || relative.empty() || absl::StartsWith(relative, "..") ? file : relative;
}

struct ReadFileNests {
  std::string file;
  absl::StatusOr<v1::LoopNests> nests;
};

// Of one function, if `function` is not empty.
absl::StatusOr<v1::LoopNests> NestsOf(const ProgramOptions& options, const CompiledFile& compiled,
                                      const std::string& file) {
  TUNE_RETURN_IF_ERROR(compiled.flags.status());
  TUNE_ASSIGN_OR_RETURN(FrontEndRequest request, options.RequestOf(file, *compiled.flags));
  const std::string function = request.function;  // which not every file has
  request.function.clear();
  request.with.clear();
  TUNE_ASSIGN_OR_RETURN(v1::LoopNests nests, ReadLoopNests(request));
  if (!function.empty()) {
    auto* const all = nests.mutable_nests();
    all->erase(std::remove_if(all->begin(), all->end(),
                              [&](const v1::LoopNest& nest) { return nest.function() != function; }),
               all->end());
  }
  return nests;
}

std::vector<ReadFileNests> ReadAll(Session& session, const ProgramOptions& options,
                                   const std::vector<CompiledFile>& files) {
  std::vector<ReadFileNests> results(files.size(), {"", absl::UnknownError("not read")});
  std::atomic<size_t> next = 0, done = 0;
  const auto read_some = [&](const auto& after_each) {
    for (size_t i = next++; i < files.size(); i = next++) {
      results[i].file = NameFromHere(files[i].file);
      results[i].nests = NestsOf(options, files[i], results[i].file);
      ++done;
      after_each();
    }
  };
  std::vector<std::jthread> readers;
  const size_t most =
      std::min<size_t>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostReaders), files.size());
  while (readers.size() + 1 < most) readers.emplace_back([&] { read_some([] {}); });
  absl::Time told = absl::Now();
  read_some([&] {
    if (absl::Now() < told + kProgressPeriod) return;
    told = absl::Now();
    session.err() << done << " of " << files.size() << " files\n";
  });
  readers.clear();  // waits for them
  return results;
}

Json ProjectJson(const std::vector<ReadFileNests>& results, const NestFigures& figures) {
  Json list = Json::array();
  for (const ReadFileNests& result : results) {
    const bool read = result.nests.ok();
    list.push_back({{"file", result.file},
                    {"nests", read ? NestsJson(*result.nests, figures) : Json::array()},
                    {"error", read ? Json() : Json(std::string(result.nests.status().message()))}});
  }
  return list;
}

std::string ProjectText(const std::vector<ReadFileNests>& results, const NestFigures& figures,
                        const std::string& project) {
  std::vector<FileNests> files;
  std::string refused;
  int64_t accepted = 0, nests = 0, unread = 0;
  for (const ReadFileNests& result : results) {
    if (!result.nests.ok()) {
      ++unread;
      // The front end's lines name the file.
      const std::string line = FirstLine(result.nests.status().message());
      absl::StrAppend(&refused, absl::StartsWith(line, result.file) ? "" : result.file + ": ", line, "\n");
      continue;
    }
    if (result.nests->nests().empty()) continue;
    files.push_back({result.file, &*result.nests});
    nests += result.nests->nests_size();
    accepted += std::count_if(result.nests->nests().begin(), result.nests->nests().end(), IsAccepted);
  }
  const std::string count = FormatCount(static_cast<int64_t>(results.size()), "file");
  std::string text = files.empty() ? "" : PrintNestsOfFiles(files, figures);
  absl::StrAppend(&text, refused, count, ", ", FormatCount(nests, "nest"), ", ", accepted, " accepted");
  if (unread > 0) absl::StrAppend(&text, "; ", FormatCount(unread, "file"), " cannot be read");
  if (accepted > 0)
    absl::StrAppend(&text, "\n`tunectl tune FILE -p ", JoinShellWords({project}),
                    " --function NAME` tunes those of a function");
  return text + ".\n";
}

}  // namespace

absl::StatusOr<int> ListProject(Session& session, const ProgramOptions& options, const NestFigures& figures) {
  TUNE_ASSIGN_OR_RETURN(const CompilationDatabase database, CompilationDatabase::Read(options.project()));
  std::vector<CompiledFile> sources;
  for (const CompiledFile& file : database.files()) {
    if (IsSource(file.file)) sources.push_back(file);
  }
  if (sources.empty())
    return absl::InvalidArgumentError(absl::StrCat(database.path(), ": none of its files is of C or C++"));
  const std::vector<ReadFileNests> results = ReadAll(session, options, sources);
  if (session.options.json) {
    session.out() << PrintJson(ProjectJson(results, figures));
  } else {
    session.out() << ProjectText(results, figures, options.project());
  }
  const bool any = std::any_of(results.begin(), results.end(),
                               [](const ReadFileNests& result) { return result.nests.ok(); });
  return any ? kExitOk : kExitFailed;
}

}  // namespace tune
