#include "worker/build/flag_check.h"

#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/base/one_of.h"

namespace tune {
namespace {

// A name or a value that is no path, no command and no file of options: "vect-cost-model=unlimited".
bool IsPlain(absl::string_view text) {
  for (const char c : text) {
    if (!absl::ascii_isalnum(c) && !absl::StrContains("_.,+:=-", c)) return false;
  }
  return !text.empty();
}

// -fplugin=NAME loads code, -fmodule-mapper=COMMAND runs it, -fpass-plugin= is clang's.
bool IsFeature(absl::string_view name) {
  return IsPlain(name) && !absl::StartsWith(name, "plugin") && !absl::StartsWith(name, "pass-plugin") &&
         !absl::StartsWith(name, "module");
}

// -mllvm takes the next word.
bool IsMachineOption(absl::string_view name) { return IsPlain(name) && name != "llvm"; }

// Words of a -Wl,: none that writes a file, reads one, or loads a plugin.
bool IsLinkerSetting(absl::string_view words) {
  return IsPlain(words) &&
         (absl::StartsWith(words, "-z,") || absl::StartsWith(words, "--hash-style=") ||
          IsOneOf(words, {"--as-needed", "--no-as-needed", "--gc-sections", "-O1", "-O2", "--build-id=none",
                          "--no-undefined", "--whole-archive", "--no-whole-archive", "-Bstatic", "-Bdynamic",
                          "--start-group", "--end-group", "-Bsymbolic"}));
}

// -W of warnings; -Wl, is the linker's, -Wa, and -Wp, could write files.
bool IsWarning(absl::string_view name) {
  if (absl::ConsumePrefix(&name, "l,")) return IsLinkerSetting(name);
  return IsPlain(name) && !absl::StartsWith(name, "a,") && !absl::StartsWith(name, "p,");
}

bool IsFile(absl::string_view word) { return !word.empty() && word[0] != '@' && word[0] != '-'; }

// Of options with a value in the same word or the next one.
bool TakesText(absl::string_view option) { return IsOneOf(option, {"-D", "-U", "-I", "-L"}); }
bool TakesWord(absl::string_view option) {
  return TakesText(option) || IsOneOf(option, {"-l", "-include", "-isystem", "-iquote", "--param"});
}

bool IsAccepted(absl::string_view flag) {
  if (IsOneOf(flag, {"-w", "-s", "-ansi", "-pedantic", "-pedantic-errors", "-pthread", "-static",
                     "-static-libgcc", "-pie", "-no-pie", "-rdynamic", "-pipe"})) {
    return true;
  }
  const absl::string_view option = flag.substr(0, 2), rest = flag.size() > 2 ? flag.substr(2) : "";
  if (!rest.empty() && TakesText(option)) return true;
  if (option == "-l") return IsPlain(rest);
  if (option == "-O" || option == "-g") return rest.empty() || IsPlain(rest);
  if (option == "-f") return IsFeature(rest);
  if (option == "-m") return IsMachineOption(rest);
  if (option == "-W") return IsWarning(rest);
  if (absl::ConsumePrefix(&flag, "-std=") || absl::ConsumePrefix(&flag, "--param=")) return IsPlain(flag);
  return IsFile(flag);
}

template <typename Flags>
absl::Status Check(const Flags& flags, const char* option) {
  for (int i = 0; i < flags.size(); ++i) {
    if (TakesWord(flags[i]) && i + 1 < flags.size() && IsFile(flags[i + 1])) {
      ++i;
    } else if (!IsAccepted(flags[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("the flag `", flags[i],
                       "` is refused: a worker takes -O -g -std= -f -m -W -w -D -U -I -l -L and files, and "
                       "nothing that runs "
                       "commands, loads plugins or names files to be written; leave it out of ",
                       option));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckFlags(const v1::Program& program) {
  TUNE_RETURN_IF_ERROR(Check(program.compile_flags(), "--cflags"));
  return Check(program.link_flags(), "--ldflags");
}

}  // namespace tune
