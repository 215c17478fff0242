#include "client/project/compile_flags_of_entry.h"

#include <algorithm>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/submit/shell_words.h"
#include "common/base/file.h"
#include "common/evaluation/compile_flags.h"
#include "tune/v1/program.pb.h"

namespace tune {
namespace {

constexpr int kDeepestWordFile = 10;
constexpr size_t kMostWords = 100'000;

// Of options with a folder, in the order in which compilers search these.
constexpr const char* kFolderOptions[] = {"-iquote", "-I", "-isystem", "-idirafter"};

// Their value is the next word, and neither is of use.
constexpr const char* kLeftOutWithValue[] = {
    "-o",       "-MF", "-MT", "-MQ", "-MJ", "-x",       "-Xclang", "-Xpreprocessor",   "-Xassembler",
    "-L",       "-l",  "-T",  "-u",  "-z",  "-Xlinker", "-mllvm",  "-dependency-file", "-dumpdir",
    "-dumpbase"};

// Their value is the next word, and both are kept.
constexpr const char* kKeptWithValue[] = {"--param", "-imacros", "-isysroot", "-target", "-arch"};

// What a build adds that is not about what the program means.
bool IsInstrumentation(absl::string_view flag) {
  for (const char* prefix : {"-fsanitize", "-fno-sanitize", "-fprofile", "-ftest-coverage", "-fdiagnostics",
                             "-fcolor-diagnostics", "-fno-color-diagnostics", "-fmessage-length",
                             "-fdebug-prefix-map", "-ffile-prefix-map", "-fmacro-prefix-map", "-fstack-usage",
                             "-fdump", "-fmodule", "-fpch", "-fplugin", "-fpass-plugin", "-ftime-report"}) {
    if (absl::StartsWith(flag, prefix)) return true;
  }
  return false;
}

bool IsKept(absl::string_view flag) {
  if (IsInstrumentation(flag)) return false;
  for (const char* prefix : {"-std=", "-O", "-f", "-m", "--param=", "--sysroot", "--target="}) {
    if (absl::StartsWith(flag, prefix)) return true;
  }
  return flag == "-pthread";
}

bool Optimises(absl::string_view flag) {
  return absl::ConsumePrefix(&flag, "-O") && flag != "0" && flag != "g";
}

class Reader {
 public:
  explicit Reader(const std::string& folder) : folder_(folder) {}

  absl::StatusOr<EntryFlags> Read(const std::vector<std::string>& words) {
    TUNE_RETURN_IF_ERROR(AddWords(words, 0));
    for (size_t i = 0; i < words_.size(); ++i) Take(&i);
    EntryFlags found;
    for (const std::vector<std::string>& folders : folders_)
      found.include_directories.insert(found.include_directories.end(), folders.begin(), folders.end());
    found.defines = std::move(defines_);
    if (!optimises_) found.flags = CompileFlags(v1::Program());
    for (std::string& flag : flags_) {
      if (optimises_ || !absl::StartsWith(flag, "-O")) found.flags.push_back(std::move(flag));
    }
    for (const std::string& file : included_) Include(file, &found);
    return found;
  }

 private:
  absl::Status AddWords(const std::vector<std::string>& words, int depth) {
    for (const std::string& word : words) {
      if (word.size() < 2 || word[0] != '@') {
        words_.push_back(word);
      } else if (depth == kDeepestWordFile) {
        return absl::InvalidArgumentError(absl::StrCat(word, ": files of options name each other"));
      } else {
        TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(Absolute(word.substr(1))));
        TUNE_ASSIGN_OR_RETURN(const std::vector<std::string> inside, SplitShellWords(text));
        TUNE_RETURN_IF_ERROR(AddWords(inside, depth + 1));
      }
      if (words_.size() > kMostWords)
        return absl::InvalidArgumentError(absl::StrCat("more than ", kMostWords, " options"));
    }
    return absl::OkStatus();
  }

  std::string Absolute(const std::string& path) const {
    return (std::filesystem::path(folder_) / path).lexically_normal().string();
  }

  // The value of an option, in the same word or the next one, behind which `i` then is; false: of another
  // one.
  bool Value(const char* option, size_t* i, std::string* value) const {
    absl::string_view word = words_[*i];
    if (!absl::ConsumePrefix(&word, option)) return false;
    if (word.empty() && *i + 1 < words_.size()) word = words_[++*i];
    *value = std::string(word);
    return true;
  }

  void Take(size_t* i) {
    const std::string& word = words_[*i];
    std::string value;
    for (size_t kind = 0; kind < std::size(kFolderOptions); ++kind) {
      if (!Value(kFolderOptions[kind], i, &value)) continue;
      if (value != "-") folders_[kind].push_back(Absolute(value));
      return;
    }
    if (absl::c_linear_search(kLeftOutWithValue, word)) {
      ++*i;
    } else if (absl::c_linear_search(kKeptWithValue, word)) {
      flags_.push_back(word);
      if (*i + 1 < words_.size()) flags_.push_back(words_[++*i]);
    } else if (word == "-include") {
      if (*i + 1 < words_.size()) included_.push_back(words_[++*i]);
    } else if (Value("-D", i, &value)) {
      Define(value);
    } else if (Value("-U", i, &value)) {
      Undefine(value);
    } else if (word == "-ansi") {
      flags_.push_back("-std=c90");
    } else if (IsKept(word)) {
      if (absl::StartsWith(word, "-O")) optimises_ = Optimises(word);  // the last one holds
      flags_.push_back(word);
    }
  }

  // A file that stands before the first line is named without its folder, which is one of those that are
  // searched, so that it is found where the program is built. What CMake makes for precompiled headers names
  // files of one machine, and sources do without it.
  void Include(const std::string& file, EntryFlags* found) {
    namespace fs = std::filesystem;
    const fs::path path = Absolute(file);
    const std::string name = path.filename().string(), folder = path.parent_path().string();
    if (absl::StartsWith(name, "cmake_pch.")) return;
    std::vector<std::string>& folders = found->include_directories;
    std::error_code error;
    const auto has_other = [&](const fs::path& searched) {
      return fs::exists(searched / name, error) && !fs::equivalent(searched / name, path, error);
    };
    const bool is_named = fs::exists(path, error) && !has_other(fs::current_path(error)) &&
                          std::none_of(folders.begin(), folders.end(), has_other);
    if (is_named && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
    // Where another file of this name would be found it keeps its folder, which the front end refuses.
    found->flags.insert(found->flags.end(), {"-include", is_named ? name : file});
  }

  static std::string NameOf(const std::string& define) { return define.substr(0, define.find('=')); }

  // Of several words on one macro the last one holds.
  void Forget(const std::string& name) {
    std::erase_if(defines_, [&](const std::string& other) { return NameOf(other) == name; });
    std::erase(flags_, "-U" + name);
  }
  void Define(const std::string& define) {
    Forget(NameOf(define));
    defines_.push_back(define);
  }
  void Undefine(const std::string& name) {
    Forget(name);
    flags_.push_back("-U" + name);
  }

  const std::string folder_;
  std::vector<std::string> words_;
  std::vector<std::string> folders_[std::size(kFolderOptions)];
  std::vector<std::string> defines_, flags_, included_;
  bool optimises_ = false;
};

}  // namespace

absl::StatusOr<EntryFlags> FlagsOfCommand(const std::vector<std::string>& words, const std::string& folder) {
  return Reader(folder).Read(words);
}

}  // namespace tune
