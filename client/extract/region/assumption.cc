#include "client/extract/region/assumption.h"

#include <clang/AST/Decl.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/extract/pointers/row_assumption.h"
#include "common/tuned/checked_place.h"

namespace tune {
namespace {

// `indentation` before every line but empty ones and those for the preprocessor.
std::string Indented(absl::string_view text, absl::string_view indentation) {
  std::string result;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!line.empty() && line[0] != '#') absl::StrAppend(&result, indentation);
    absl::StrAppend(&result, line, "\n");
  }
  result.pop_back();
  return result;
}

}  // namespace

absl::Status Assumption::Learn(const v1::Scop& scop, const std::map<std::string, std::string>& reached) {
  if (!HasConditions()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(bounds_, FindAccessBounds(scop, reached, NamesOf(tables_), RowDistances(tables_)));
  scop_ = scop;
  for (int group = 1; group <= GroupsOf(members_); ++group) {
    std::vector<std::string> unknown = MembersFrom(members_, group);
    for (const std::string& distance : RowDistances(tables_)) unknown.push_back(distance);
    TUNE_ASSIGN_OR_RETURN(std::string reached, FindExecution(scop, unknown));
    reached_.push_back(std::move(reached));
  }
  return absl::OkStatus();
}

// What of memory the region writes by pointers, and what they may point to.
std::vector<MemoryRange> Assumption::Written(int number) const {
  const RowAssumption rows{tables_, scop_, bounds_, number};
  std::vector<MemoryRange> written;
  for (const v1::Array& array : scop_.arrays()) {
    if (array.read_only() || array.declared_inside() || array.overlap() == v1::Array::NONE) continue;
    const auto table = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const RowTable& each) { return each.array == array.name(); });
    const auto first = bounds_.first_extents.find(array.name());
    const std::string extent = first != bounds_.first_extents.end() ? BoundText(rows, first->second)
                               : array.extents_size() > 0           ? array.extents(0).c_expression()
                                                                    : "";
    written.push_back(table != tables_.end() ? RangeOfRows(rows, *table) : RangeOf(array, extent));
  }
  return written;
}

std::string Assumption::Lines(int number) const {
  const RowAssumption rows{tables_, scop_, bounds_, number};
  std::vector<std::string> reached;
  for (int group = 1; group <= GroupsOf(members_); ++group) {
    const auto place = static_cast<size_t>(group) - 1;
    reached.push_back(place < reached_.size() ? BoundText(rows, reached_[place]) : "0");
  }
  std::vector<std::string> conditions = members_.conditions;
  for (const std::string& reached_one : MembersAreReached(members_)) conditions.push_back(reached_one);
  for (const std::string& table : TablesAreThere(rows)) conditions.push_back(table);
  conditions.push_back(
      bounds_.condition.empty() ? "0" : absl::StrCat("(", BoundText(rows, bounds_.condition), ")"));
  const std::string lines =
      absl::StrCat(DeclareMembers(members_, reached), KeepElements(exchanged_), DeclareTables(rows),
                   "int tune_apart = ", absl::StrJoin(conditions, " && "), ";\n", CheckRows(rows));
  return absl::StrCat(lines, CheckMembers(members_, Written(number)), "if (tune_apart) {\n",
                      Indented(DeclareArrays(rows), "  "));
}

MarkedPlace Assumption::PlaceOf(absl::string_view text, const v1::SourceRegion& source, bool has_pragmas,
                                int number) const {
  const absl::string_view line = text.substr(source.begin_offset());
  const absl::string_view indentation = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
  MarkedPlace place{source, has_pragmas};
  const std::string settings = SetPointers(kept_);
  if (!kept_.settings.empty()) {
    place.before = absl::StrCat("{ /* tunectl: what the region does to pointers is done behind it */\n",
                                Indented(KeepPointers(kept_), "  "));
    place.after = absl::StrCat(Indented(settings, "  "), "}\n");
  }
  place.before = Indented(place.before, indentation);
  place.after = Indented(place.after, indentation);
  if (!HasConditions()) return place;
  std::string before =
      absl::StrCat("{ /* tunectl: what the code relies on is checked here; else the original runs */\n",
                   Indented(Lines(number), "  "));
  if (NeedsBoundMacros(before)) before = absl::StrCat(kBoundMacros, before, kEndOfBoundMacros);
  const absl::string_view body =
      text.substr(source.body_begin_offset(), source.body_end_offset() - source.body_begin_offset());
  const char* const end = absl::EndsWith(body, "\n") ? "" : "\n";
  absl::StrAppend(&place.before, Indented(before, indentation));
  place.after = absl::StrCat(
      indentation, "  ", kOriginalBegins, "\n", body, end, indentation, "  ", kOriginalEnds, "\n",
      Indented(ExchangeAgain(exchanged_), absl::StrCat(indentation, "  ")), indentation, "}\n", place.after);
  place.opening = OpeningOf(members_.opened, number);
  place.opens_at = members_.opening;
  if (!members_.uses.empty()) place.body = WithMembers(body, source.body_begin_offset(), members_);
  return place;
}

}  // namespace tune
