#include "client/project/compilation_database.h"

#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/exchange/bounded_json.h"
#include "client/submit/shell_words.h"
#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

constexpr char kName[] = "compile_commands.json";

fs::path Normal(const fs::path& path, const fs::path& folder) {
  return (path.is_absolute() ? path : folder / path).lexically_normal();
}

// `arguments`, or `command` split as a shell would.
absl::StatusOr<std::vector<std::string>> WordsOf(const Json& entry) {
  const auto arguments = entry.find("arguments");
  if (arguments == entry.end()) {
    if (const std::string command = TextMember(entry, "command"); !command.empty())
      return SplitShellWords(command);
    return absl::InvalidArgumentError("neither `arguments` nor `command`");
  }
  std::vector<std::string> words;
  if (!arguments->is_array()) return absl::InvalidArgumentError("`arguments` is no list");
  for (const Json& word : *arguments) {
    if (!word.is_string()) return absl::InvalidArgumentError("`arguments` holds something else than text");
    words.push_back(word.get<std::string>());
  }
  return words;
}

absl::StatusOr<EntryFlags> FlagsOfEntry(const Json& entry, const fs::path& folder) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<std::string> words, WordsOf(entry));
  return FlagsOfCommand(words, folder.string());
}

}  // namespace

std::string DatabaseFile(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? (fs::path(path) / kName).string() : path;
}

absl::StatusOr<CompilationDatabase> CompilationDatabase::Read(const std::string& path) {
  CompilationDatabase database;
  database.path_ = DatabaseFile(path);
  const absl::StatusOr<std::string> text = ReadFile(database.path_);
  if (!text.ok())
    return absl::Status(text.status().code(),
                        absl::StrCat(text.status().message(), "; CMake writes a ", kName,
                                     " into the build folder with -D CMAKE_EXPORT_COMPILE_COMMANDS=ON, and "
                                     "`bear -- make` makes one of other builds"));
  const absl::StatusOr<Json> json = ParseBoundedJson(*text);
  if (!json.ok())
    return absl::InvalidArgumentError(absl::StrCat(database.path_, ": ", json.status().message()));
  if (!json->is_array())
    return absl::InvalidArgumentError(absl::StrCat(database.path_, ": not a list of compiled files"));
  std::error_code error;
  const fs::path beside = fs::absolute(database.path_, error).parent_path();
  std::set<std::string> known;
  for (const Json& entry : *json) {
    const std::string file = TextMember(entry, "file");
    if (file.empty())
      return absl::InvalidArgumentError(
          absl::StrCat(database.path_, ": an entry does not say its `file`: ", entry.dump().substr(0, 200)));
    const fs::path folder = Normal(TextMember(entry, "directory"), beside);
    const std::string absolute = Normal(file, folder).string();
    if (known.insert(absolute).second) database.files_.push_back({absolute, FlagsOfEntry(entry, folder)});
  }
  if (database.files_.empty())
    return absl::InvalidArgumentError(absl::StrCat(
        database.path_, ": holds no file; build the project as it wants to be, and make it again"));
  return database;
}

absl::StatusOr<EntryFlags> CompilationDatabase::FlagsOf(const std::string& file) const {
  std::error_code error;
  const std::string absolute = fs::absolute(file, error).lexically_normal().string();
  const CompiledFile* found = nullptr;
  for (const CompiledFile& each : files_) {
    if (each.file == absolute) found = &each;
  }
  for (size_t i = 0; found == nullptr && i < files_.size(); ++i) {
    if (fs::equivalent(files_[i].file, file, error) && !error) found = &files_[i];
  }
  if (found == nullptr)
    return absl::NotFoundError(
        absl::StrCat(path_, " has no entry of ", file, "; leave -p out, and give its -I, -D and --cflags"));
  if (found->flags.ok()) return found->flags;
  return absl::Status(found->flags.status().code(),
                      absl::StrCat(path_, ": ", file, ": ", found->flags.status().message()));
}

}  // namespace tune
