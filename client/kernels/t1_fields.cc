#include "client/kernels/t1_fields.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"

namespace tune {

std::string JsonKind(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::null:
      return "null";
    default:
      return json.is_number_float() ? "a number with a fraction" : "a number";
  }
}

T1Object::T1Object(const Json& json, std::string path, T1Report* report)
    : json_(json), path_(std::move(path)), report_(*report) {
  if (!json_.is_object())
    report_.faults.Add(
        absl::StrCat(path_.empty() ? "the file" : path_, ": expected an object, found ", JsonKind(json_)));
}

std::string T1Object::PathOf(const std::string& name) const {
  return path_.empty() ? EscapeLine(name) : absl::StrCat(path_, ".", EscapeLine(name));
}

void T1Object::Fault(const std::string& name, absl::string_view why) {
  report_.faults.Add(absl::StrCat(PathOf(name), ": ", why));
}

void T1Object::Note(const std::string& name, absl::string_view why) {
  report_.notes.push_back(absl::StrCat(PathOf(name), ": ", why));
}

void T1Object::WrongType(const std::string& name, const Json& found, absl::string_view expected) {
  Fault(name, absl::StrCat("expected ", expected, ", found ", JsonKind(found)));
}

const Json* T1Object::Find(const std::string& name) {
  asked_.insert(name);
  if (!json_.is_object()) return nullptr;
  const auto found = json_.find(name);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

void T1Object::Require(const std::string& name) {
  if (json_.is_object() && !json_.contains(name)) Fault(name, "is missing");
}

std::optional<std::string> T1Object::Text(const std::string& name) {
  const Json* const found = Find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  WrongType(name, *found, "a string");
  return std::nullopt;
}

std::optional<double> T1Object::Number(const std::string& name) {
  const Json* const found = Find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_number()) return found->get<double>();
  WrongType(name, *found, "a number");
  return std::nullopt;
}

std::optional<int64_t> T1Object::Integer(const std::string& name) {
  const Json* const found = Find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_number_integer()) return found->get<int64_t>();
  WrongType(name, *found, "a whole number");
  return std::nullopt;
}

std::optional<bool> T1Object::Boolean(const std::string& name) {
  const Json* const found = Find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_boolean()) return found->get<bool>();
  WrongType(name, *found, "a boolean");
  return std::nullopt;
}

std::vector<std::string> T1Object::Texts(const std::string& name) {
  const Json* const found = Find(name);
  std::vector<std::string> texts;
  if (found == nullptr) return texts;
  if (!found->is_array()) WrongType(name, *found, "an array of strings");
  for (const Json& text : found->is_array() ? *found : Json::array()) {
    if (text.is_string()) {
      texts.push_back(text.get<std::string>());
    } else {
      WrongType(absl::StrCat(name, "[", texts.size(), "]"), text, "a string");
    }
  }
  return texts;
}

std::vector<T1Object> T1Object::Objects(const std::string& name) {
  const Json* const found = Find(name);
  std::vector<T1Object> objects;
  if (found == nullptr) return objects;
  if (!found->is_array()) {
    WrongType(name, *found, "an array of objects");
    return objects;
  }
  for (const Json& object : *found)
    objects.emplace_back(object, absl::StrCat(PathOf(name), "[", objects.size(), "]"), &report_);
  return objects;
}

std::optional<std::string> T1Object::Word(const std::string& name, const std::vector<std::string>& words) {
  const std::optional<std::string> text = Text(name);
  if (!text.has_value() || std::find(words.begin(), words.end(), *text) != words.end()) return text;
  Fault(name, absl::StrCat("\"", EscapeLine(*text), "\" is none of: ", absl::StrJoin(words, ", ")));
  return std::nullopt;
}

void T1Object::NoteOthers() {
  if (!json_.is_object()) return;
  for (const auto& [name, value] : json_.items()) {
    if (!asked_.contains(name)) Note(name, "is no field of the format, and is not taken");
  }
}

}  // namespace tune
