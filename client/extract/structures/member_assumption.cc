#include "client/extract/structures/member_assumption.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/array/array_object.h"

namespace tune {

namespace {

std::string Declaration(const MemberRead& member, const std::string& reached) {
  const bool is_array = member.type.empty();
  const std::string type = is_array        ? absl::StrCat("__typeof__(", member.text, ") *const ")
                           : member.is_set ? member.type
                           : absl::EndsWith(member.type, "*") ? member.type + "const "
                           : absl::EndsWith(member.type, "&") ? member.type
                                                              : absl::StrCat("const ", member.type, " ");
  const std::string object =
      member.value.empty() ? absl::StrCat(is_array ? "&" : "", member.text) : member.value;
  const std::string value = reached.empty() ? object : absl::StrCat(reached, " ? ", object, " : 0");
  return absl::StrCat(type, member.name, " = ", value, ";\n");
}

std::string ReachedName(int group) { return absl::StrCat("tune_reached_", group); }

}  // namespace

std::string DeclareMembers(const MemberReads& reads, const std::vector<std::string>& reached) {
  std::string text;
  for (int group = 0; group <= GroupsOf(reads); ++group) {
    const std::string name = group == 0 ? "" : ReachedName(group);
    if (group > 0)
      absl::StrAppend(&text, "int ", name, " = ", reached[static_cast<size_t>(group) - 1], ";\n");
    for (const MemberRead& member : reads.members) {
      if (member.group == group) text += Declaration(member, name);
    }
  }
  return text;
}

int GroupsOf(const MemberReads& reads) {
  int groups = 0;
  for (const MemberRead& member : reads.members) groups = std::max(groups, member.group);
  return groups;
}

std::vector<std::string> MembersFrom(const MemberReads& reads, int group) {
  std::vector<std::string> names;
  for (const MemberRead& member : reads.members) {
    if (member.group >= group) names.push_back(member.name);
  }
  return names;
}

std::vector<std::string> MembersAreReached(const MemberReads& reads) {
  std::vector<std::string> conditions;
  for (int group = 1; group <= GroupsOf(reads); ++group) conditions.push_back(ReachedName(group));
  return conditions;
}

std::string WithMembers(absl::string_view text, int64_t begin, const MemberReads& reads) {
  std::string result;
  int64_t copied = 0;
  for (const MemberUse& use : reads.uses) {
    const int64_t place = use.offset - begin;
    absl::StrAppend(&result, text.substr(copied, place - copied), use.text);
    copied = place + use.length;
  }
  return absl::StrCat(result, text.substr(copied));
}

int64_t PlaceWithoutMembers(int64_t place, int64_t begin, const MemberReads& reads) {
  for (const MemberUse& use : reads.uses) {
    if (place <= use.offset - begin) break;
    const auto length = static_cast<int64_t>(use.text.size());
    place = std::max(use.offset - begin, place + use.length - length);
  }
  return place;
}

MemoryRange RangeOf(const v1::Array& array, const std::string& first_extent) {
  std::string object = IndexedObject(array), count = absl::StrCat("(", first_extent, ")");
  if (array.extents_size() == 0) {
    if (!array.is_pointer()) object = absl::StrCat("&", object);
    count = "1";
  }
  for (int d = 1; array.is_flat() && !array.has_structure() && d < array.extents_size(); ++d)
    absl::StrAppend(&count, " * (", array.extents(d).c_expression(), ")");
  return {absl::StrCat("(__UINTPTR_TYPE__)(", object, ")"),
          absl::StrCat("(__UINTPTR_TYPE__)(", object, " + ", count, ")")};
}

std::string CheckMembers(const MemberReads& reads, const std::vector<MemoryRange>& written) {
  std::set<std::string> cells;
  for (const MemberRead& member : reads.members) cells.insert(member.cells.begin(), member.cells.end());
  std::vector<std::string> conditions;
  for (const std::string& cell : cells) {
    conditions.push_back(absl::StrCat("(tune_end <= (__UINTPTR_TYPE__)&", cell, " || (__UINTPTR_TYPE__)(&",
                                      cell, " + 1) <= tune_begin)"));
  }
  std::string text;
  for (const MemoryRange& range : written) {
    if (conditions.empty()) break;
    absl::StrAppend(&text, "if (tune_apart) {\n  const __UINTPTR_TYPE__ tune_begin = ", range.begin,
                    ";\n  const __UINTPTR_TYPE__ tune_end = ", range.end,
                    ";\n  tune_apart = ", absl::StrJoin(conditions, " &&\n      "), ";\n}\n");
  }
  return text;
}

}  // namespace tune
