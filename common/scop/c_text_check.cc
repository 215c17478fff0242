#include "common/scop/c_text_check.h"

#include <algorithm>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/scop/c_functions.h"
#include "common/scop/c_tokens.h"
#include "common/scop/member_type.h"

namespace tune {
namespace {

constexpr size_t kLongest = 4096;  // bytes of a text
constexpr int kMostMembers = 10'000;

absl::Status Refused(const std::string& why, const std::string& text) {
  return absl::InvalidArgumentError(absl::StrCat(why, ": ", absl::CHexEscape(text.substr(0, 200))));
}

bool IsMark(const CWord& word, absl::string_view mark) {
  return word.kind == CToken::kMark && word.text == mark;
}

// The place of the parenthesis that closes the one at `open`; the number of words where none does.
size_t Closing(const std::vector<CWord>& words, size_t open) {
  int depth = 0;
  for (size_t at = open; at < words.size(); ++at) {
    if (IsMark(words[at], "(")) ++depth;
    if (IsMark(words[at], ")") && --depth == 0) return at;
  }
  return words.size();
}

// Whether the words from `begin` up to `end` name a type of numbers, such as size_t.
bool IsType(const std::vector<CWord>& words, size_t begin, size_t end) {
  std::string name;
  for (size_t at = begin; at < end; ++at) {
    if (words[at].kind != CToken::kName) return false;
    absl::StrAppend(&name, name.empty() ? "" : " ", words[at].text);
  }
  return IsArithmeticType(name) || (end == begin + 1 && absl::EndsWith(name, "_t"));
}

// Whether the parenthesis at `open` only groups, or belongs to sizeof, a cast or a pure function.
bool Groups(const std::vector<CWord>& words, size_t open) {
  if (open == 0) return true;
  const CWord& before = words[open - 1];
  if (before.kind == CToken::kName) return before.text == "sizeof" || IsPureFunction(before.text);
  if (before.kind != CToken::kMark || before.text == "]") return false;
  if (before.text != ")") return true;
  size_t begin = open - 1;
  while (begin > 0 && !IsMark(words[begin], "(")) --begin;
  return IsType(words, begin + 1, open - 1);
}

// "__typeof__(n)" of a variable.
bool IsTypeOfVariable(absl::string_view text) {
  const bool is_type = absl::ConsumePrefix(&text, "__typeof__(") && absl::ConsumeSuffix(&text, ")");
  return is_type && (IsCIdentifier(text) || IsQualifiedName(text)) && text.size() <= kLongest;
}

// "X" or "X(...)", as one macro is written.
bool IsUseOfMacro(const std::vector<CWord>& words) {
  if (words.empty() || words[0].kind != CToken::kName || words[0].text == "_Pragma") return false;
  return words.size() == 1 || (IsMark(words[1], "(") && Closing(words, 1) + 1 == words.size());
}

// What a string constant may hold, in every version of C.
bool IsPlainText(const std::string& text) {
  return text.size() <= kLongest && !absl::StrContains(text, "??") &&
         std::all_of(text.begin(), text.end(), [](char c) { return absl::ascii_isprint(c); });
}

// "struct particle", "particle".
bool IsTypeOfStructures(absl::string_view text) {
  absl::ConsumePrefix(&text, "struct ");
  return IsCIdentifier(text) && text != "struct";
}

// "x", "position.x", "rows[0][1].y": names and numbers, nothing that could be more.
bool IsMemberPath(const std::string& text) {
  const auto words = CTokens(text);
  if (!words || words->empty() || text.size() > kLongest) return false;
  bool after_name = false;
  for (size_t at = 0; at < words->size(); ++at) {
    const CWord& word = (*words)[at];
    if (!after_name) {
      if (word.kind != CToken::kName || !IsCIdentifier(std::string(word.text))) return false;
      after_name = true;
    } else if (IsMark(word, ".")) {
      after_name = false;
    } else {
      const bool is_subscript = IsMark(word, "[") && at + 2 < words->size() &&
                                IsMark((*words)[at + 2], "]") &&
                                absl::c_all_of((*words)[at + 1].text, absl::ascii_isdigit);
      if (!is_subscript) return false;
      at += 2;
    }
  }
  return after_name;
}

// "::space::n" of C++.
bool IsFullName(absl::string_view text) { return text.size() <= kLongest && IsQualifiedName(text); }

// "sizeof (A[0])", "sizeof(struct particle)": of a type, or an element or member of a variable.
bool IsSize(const std::string& text) {
  const auto words = CTokens(text);
  if (!words || words->size() < 4 || text.size() > kLongest || (*words)[0].text != "sizeof" ||
      !IsMark((*words)[1], "(") || Closing(*words, 1) + 1 != words->size())
    return false;
  return CheckCExpression(text).ok() && absl::c_all_of(*words, [](const CWord& word) {
           static const auto* const kMarks = new std::set<std::string>{"(",  ")", "[", "]", "*", ".", "->",
                                                                       "::", ":", "<", ">", ",", "+", "-"};
           return word.kind != CToken::kMark || kMarks->count(std::string(word.text)) > 0;
         });
}

// "dx[3]", "::space::w[0][12]"
bool IsElement(absl::string_view text) {
  const size_t bracket = text.find('[');
  if (bracket == absl::string_view::npos || text.size() > kLongest) return false;
  const absl::string_view name = text.substr(0, bracket);
  if (!IsCIdentifier(name) && !IsFullName(name)) return false;
  for (text = text.substr(bracket); !text.empty();) {
    const size_t end = text.find(']');
    if (text[0] != '[' || end == absl::string_view::npos || end < 2 || end > 9) return false;
    if (!absl::c_all_of(text.substr(1, end - 1), absl::ascii_isdigit)) return false;
    text = text.substr(end + 1);
  }
  return true;
}

bool IsSignedConstant(absl::string_view text) {
  return IsCConstant(absl::StartsWith(text, "-") ? text.substr(1) : text);
}

}  // namespace

absl::Status CheckCExpression(const std::string& text) {
  const auto words = CTokens(text);
  if (!words || words->empty() || text.size() > kLongest) return Refused("no C expression", text);
  for (size_t at = 0; at < words->size(); ++at) {
    const CWord& word = (*words)[at];
    if (word.kind == CToken::kText) return Refused("a text in quotes", text);
    if (!IsMark(word, "(")) continue;
    if (!Groups(*words, at)) return Refused("a call", text);
    if (Closing(*words, at) == words->size()) return Refused("parentheses do not match", text);
  }
  const auto count = [&](absl::string_view mark) {
    return std::count_if(words->begin(), words->end(), [&](const CWord& word) { return IsMark(word, mark); });
  };
  if (count("(") != count(")") || count("[") != count("]")) return Refused("brackets do not match", text);
  return absl::OkStatus();
}

absl::Status CheckMeaning(const v1::Meaning& meaning) {
  const std::string &text = meaning.text(), &value = meaning.value();
  const auto words = CTokens(text);
  switch (meaning.kind()) {
    case v1::Meaning::EXPANSION:
      if (!words || !IsUseOfMacro(*words) || !IsPlainText(text)) return Refused("no use of a macro", text);
      if (!IsPlainText(value)) return Refused("no tokens of a macro", value);
      return absl::OkStatus();
    case v1::Meaning::DEFINED:
    case v1::Meaning::UNDEFINED:
      if (!IsCIdentifier(text)) return Refused("no name of a macro", text);
      return absl::OkStatus();
    case v1::Meaning::TYPE:
      if (!IsCIdentifier(text) && !IsFullName(text) && !IsTypeOfMember(text) && !IsTypeOfVariable(text))
        return Refused("no name of a type", text);
      if (!IsArithmeticType(value)) return Refused("no type of numbers", value);
      return absl::OkStatus();
    case v1::Meaning::CONSTANT:
      if (!IsCIdentifier(text) && !IsFullName(text) && !IsSize(text) && !IsElement(text) &&
          text != kSignOfCharacters)
        return Refused("no name of a constant", text);
      if (!IsSignedConstant(value)) return Refused("no constant", value);
      return absl::OkStatus();
    default:
      return Refused("a meaning of no kind", text);
  }
}

absl::Status CheckStructure(const v1::Array& array) {
  const v1::Structure& structure = array.structure();
  int64_t elements = 0;
  if (array.extents_size() == 0 || array.declared_inside() ||
      !absl::SimpleAtoi(array.extents(array.extents_size() - 1).c_expression(), &elements) || elements < 1)
    return absl::InvalidArgumentError("structures without a number of elements");
  if (!structure.c_type().empty() && !IsTypeOfStructures(structure.c_type()))
    return Refused("no type of structures", structure.c_type());
  const std::string& member = structure.member_type();
  if (!member.empty() && member != "long long" && member != "unsigned long long")
    return Refused("no type of members", member);
  if (structure.members_size() > kMostMembers || structure.others_size() > kMostMembers)
    return absl::InvalidArgumentError("too many members");
  for (const v1::Member& member : structure.members()) {
    if (!IsMemberPath(member.path())) return Refused("no path of a member", member.path());
    if (member.place() < 0 || member.place() >= elements)
      return Refused("a member outside of its structure", member.path());
  }
  int64_t end = 0;
  for (const v1::Places& places : structure.others()) {
    if (places.first() < end || places.count() < 1 || places.first() >= elements ||
        places.count() > elements - places.first())
      return absl::InvalidArgumentError("places that are not inside of structures, or not in order");
    end = places.first() + places.count();
  }
  return absl::OkStatus();
}

}  // namespace tune
