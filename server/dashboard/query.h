// Parameters of a request's URL, checked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Reads parameters by name; the first thing that is wrong is kept for Finish, so that a route reads all of
// them and then asks once. Texts are decoded already.
class Query {
 public:
  explicit Query(std::multimap<std::string, std::string> values) : values_(std::move(values)) {}

  // An integer of [least, most].
  int64_t Int(const std::string& name, int64_t otherwise, int64_t least, int64_t most);
  // Any text of at most 200 bytes; empty without one.
  std::string Text(const std::string& name);
  // One of `words`; empty without one.
  std::string Word(const std::string& name, const std::vector<std::string>& words);

  // INVALID_ARGUMENT names the parameter, its value and what is accepted: for a value that was refused, a
  // parameter given twice, and one that nobody has read.
  absl::Status Finish() const;

 private:
  // Null when it is absent.
  const std::string* Find(const std::string& name);
  void Refuse(const std::string& name, const std::string& value, const std::string& accepted);

  std::multimap<std::string, std::string> values_;
  std::set<std::string> known_;
  absl::Status refused_;
};

// Whether `part` is somewhere in `text`, in any case.
bool HoldsText(absl::string_view text, absl::string_view part);

}  // namespace tune
