#include "common/decision/configuration.h"

#include <set>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/fingerprint.h"

namespace tune {
namespace {

absl::Status LineError(int number, absl::string_view line, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("configuration, line ", number, ": ", why, ": \"", line, "\""));
}

// The options that may be chosen at `point`, for messages.
std::string AllowedOptions(const DecisionPoint& point) {
  std::vector<std::string> allowed;
  for (size_t i = 0; i < point.options.size(); ++i) {
    if (point.allowed[i]) allowed.push_back(point.options[i]);
  }
  return absl::StrJoin(allowed, ", ");
}

}  // namespace

std::string PrintConfiguration(const v1::Configuration& configuration) {
  std::string text;
  for (const v1::Decision& decision : configuration.decisions()) {
    absl::StrAppend(&text, decision.key(), " = ", decision.option(), "\n");
  }
  return text;
}

absl::StatusOr<v1::Configuration> ParseConfiguration(absl::string_view text) {
  v1::Configuration configuration;
  std::set<std::string> keys;
  int number = 0;
  for (absl::string_view raw : absl::StrSplit(text, '\n')) {
    ++number;
    const absl::string_view line = absl::StripAsciiWhitespace(raw);
    if (line.empty() || line[0] == '#') continue;
    const size_t equals = line.find('=');
    if (equals == absl::string_view::npos) return LineError(number, line, "expected `key = option`");
    const absl::string_view key = absl::StripAsciiWhitespace(line.substr(0, equals));
    const absl::string_view option = absl::StripAsciiWhitespace(line.substr(equals + 1));
    if (key.empty()) return LineError(number, line, "no key before `=`");
    if (option.empty()) return LineError(number, line, "no option after `=`");
    if (!keys.insert(std::string(key)).second) return LineError(number, line, "this key was decided before");
    v1::Decision* decision = configuration.add_decisions();
    decision->set_key(std::string(key));
    decision->set_option(std::string(option));
  }
  return configuration;
}

std::string ConfigurationFingerprint(const v1::Configuration& configuration) {
  Fingerprinter fingerprinter;
  // Sorted: what was decided counts, not when.
  std::set<std::pair<std::string, std::string>> decisions;
  for (const v1::Decision& decision : configuration.decisions()) {
    decisions.emplace(decision.key(), decision.option());
  }
  for (const auto& [key, option] : decisions) fingerprinter.Add(absl::StrCat(key, " = ", option, "\n"));
  return fingerprinter.Finish();
}

absl::StatusOr<int> RecordingChooser::Choose(const DecisionPoint& point) {
  TUNE_ASSIGN_OR_RETURN(const int chosen, inner_->Choose(point));
  v1::Decision* decision = configuration_.add_decisions();
  decision->set_key(point.key);
  decision->set_option(point.options[chosen]);
  return chosen;
}

absl::StatusOr<int> ReplayChooser::Choose(const DecisionPoint& point) {
  for (int i = 0; i < configuration_.decisions_size(); ++i) {
    const v1::Decision& decision = configuration_.decisions(i);
    if (decision.key() != point.key) continue;
    for (size_t option = 0; option < point.options.size(); ++option) {
      if (point.options[option] == decision.option() && point.allowed[option]) {
        used_[i] = true;
        return static_cast<int>(option);
      }
    }
    return absl::InvalidArgumentError(absl::StrCat("configuration: \"", decision.option(),
                                                   "\" is not possible for ", point.key,
                                                   "; possible here: ", AllowedOptions(point)));
  }
  if (point.unrecorded_option >= 0) return point.unrecorded_option;
  return absl::InvalidArgumentError(absl::StrCat("configuration: nothing is decided for ", point.key,
                                                 "; add a line `", point.key,
                                                 " = OPTION` with one of: ", AllowedOptions(point)));
}

absl::Status ReplayChooser::CheckAllUsed() const {
  std::vector<std::string> unused;
  for (int i = 0; i < configuration_.decisions_size(); ++i) {
    if (!used_[i]) unused.push_back(configuration_.decisions(i).key());
  }
  if (unused.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "configuration: the space has no such decision after the others: ", absl::StrJoin(unused, ", "),
      "; remove these lines, or check the names of the kernels"));
}

}  // namespace tune
