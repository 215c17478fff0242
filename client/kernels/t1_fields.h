// Members of a T1 file's objects: what is wrong with them, and which nobody asked for.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/report/json.h"
#include "common/kernel_definition/fault_list.h"

namespace tune {

// What is said of a file beside its definition.
struct T1Report {
  FaultList faults;
  std::vector<std::string> notes;  // "General.OutputFile: ...": fields that are not taken, and why
};

// "a string", "a number", ...: for messages.
std::string JsonKind(const Json& json);

// An object of the file. Its members are asked for by name; a member of another type is a fault with its
// path, "KernelSpecification.Arguments[2].Size", and counts as missing.
class T1Object {
 public:
  // `json`: a fault where it is no object.
  T1Object(const Json& json, std::string path, T1Report* report);

  // Null where it is missing or null.
  const Json* Find(const std::string& name);
  std::optional<std::string> Text(const std::string& name);
  std::optional<double> Number(const std::string& name);
  std::optional<int64_t> Integer(const std::string& name);
  std::optional<bool> Boolean(const std::string& name);
  // An array of strings; nothing where it is missing.
  std::vector<std::string> Texts(const std::string& name);
  // Empty where it is missing.
  std::vector<T1Object> Objects(const std::string& name);
  // One of `words`; anything else is a fault that names them.
  std::optional<std::string> Word(const std::string& name, const std::vector<std::string>& words);
  // A fault where the member is missing; else nothing.
  void Require(const std::string& name);

  std::string PathOf(const std::string& name) const;
  void Fault(const std::string& name, absl::string_view why);
  void Note(const std::string& name, absl::string_view why);
  // A note for each member that nobody asked for. Call last.
  void NoteOthers();

 private:
  void WrongType(const std::string& name, const Json& found, absl::string_view expected);

  const Json& json_;
  std::string path_;
  T1Report& report_;
  std::set<std::string> asked_;
};

}  // namespace tune
