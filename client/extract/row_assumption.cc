#include "client/extract/row_assumption.h"

#include <clang/AST/Decl.h>

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/scop/row_distance.h"

namespace tune {
namespace {

std::string NameOf(const RowTable& table) { return table.variable->getNameAsString(); }

// The table's part of names.
std::string SuffixOf(const RowTable& table, int number) {
  return number == 1 ? NameOf(table) : absl::StrCat(NameOf(table), "_", number);
}

// `$` stands for the table's part of names.
std::string ForTable(const RowAssumption& rows, const RowTable& table, absl::string_view text) {
  return absl::StrReplaceAll(text, {{"$", SuffixOf(table, rows.number)}});
}

bool IsWritten(const RowAssumption& rows, const RowTable& table) {
  return std::any_of(rows.scop.arrays().begin(), rows.scop.arrays().end(), [&](const v1::Array& array) {
    return array.name() == NameOf(table) && !array.read_only();
  });
}

std::string CheckTable(const RowAssumption& rows, const RowTable& table) {
  const auto ends = rows.bounds.ends.find(NameOf(table));
  if (ends == rows.bounds.ends.end()) return "tune_apart = 0;\n";
  return ForTable(
      rows, table,
      absl::StrCat(
          "if (tune_apart) {\n"
          "  tune_count_$ = ",
          BoundText(rows, ends->second[0]),
          ";\n"
          "  tune_used_$ = tune_row_$ = ",
          BoundText(rows, ends->second[1]),
          ";\n"
          "  tune_apart = tune_count_$ > 0 && tune_used_$ > 0 && tune_rows_$[0] != 0;\n"
          "}\n"
          "if (tune_apart && tune_count_$ > 1)\n"
          "  tune_row_$ = (long)((__UINTPTR_TYPE__)tune_rows_$[1] - "
          "(__UINTPTR_TYPE__)tune_rows_$[0]) / (long)sizeof(*tune_rows_$[0]);\n"
          "for (tune_at = 1; tune_apart && tune_at < tune_count_$; tune_at++)\n"
          "  tune_apart = (__UINTPTR_TYPE__)tune_rows_$[tune_at] > "
          "(__UINTPTR_TYPE__)tune_rows_$[tune_at - 1] &&\n"
          "      (__UINTPTR_TYPE__)tune_rows_$[tune_at] - (__UINTPTR_TYPE__)tune_rows_$[tune_at - 1] ==\n"
          "          (__UINTPTR_TYPE__)tune_row_$ * sizeof(*tune_rows_$[0]);\n"
          "tune_apart = tune_apart && tune_row_$ >= tune_used_$;\n"));
}

}  // namespace

std::vector<std::string> NamesOf(const std::vector<RowTable>& tables) {
  std::vector<std::string> names;
  for (const RowTable& table : tables) names.push_back(NameOf(table));
  return names;
}

std::vector<std::string> RowDistances(const std::vector<RowTable>& tables) {
  std::vector<std::string> distances;
  for (const RowTable& table : tables) distances.push_back(kRowDistance + NameOf(table));
  return distances;
}

std::string BoundText(const RowAssumption& rows, const std::string& text) {
  std::map<std::string, std::string> names;
  for (const RowTable& table : rows.tables)
    names[kRowDistance + NameOf(table)] = kRowDistance + SuffixOf(table, rows.number);
  return InLongs(text, rows.scop, names);
}

std::string DeclareTables(const RowAssumption& rows) {
  std::string text;
  for (const RowTable& table : rows.tables) {
    const std::string name = NameOf(table);
    absl::StrAppend(&text, "__typeof__(&", name, "[0]) const ", ForTable(rows, table, "tune_rows_$ = "), name,
                    ForTable(rows, table, ";\nlong tune_count_$ = 0, tune_used_$ = 0, tune_row_$ = 0;\n"));
  }
  return rows.tables.empty() ? "" : text + "long tune_at;\n";
}

std::vector<std::string> TablesAreThere(const RowAssumption& rows) {
  std::vector<std::string> terms;
  for (const RowTable& table : rows.tables) terms.push_back(ForTable(rows, table, "tune_rows_$ != 0"));
  return terms;
}

std::string CheckRows(const RowAssumption& rows) {
  std::string text;
  for (const RowTable& table : rows.tables) text += CheckTable(rows, table);
  for (const RowTable& written : rows.tables) {
    if (!IsWritten(rows, written)) continue;
    const MemoryRange range = RangeOfRows(rows, written);
    for (const RowTable& table : rows.tables) {
      absl::StrAppend(&text, "tune_apart = tune_apart &&\n    (", range.end,
                      ForTable(rows, table,
                               " <= (__UINTPTR_TYPE__)tune_rows_$ ||\n"
                               "     (__UINTPTR_TYPE__)(tune_rows_$ + tune_count_$) <= "),
                      range.begin, ");\n");
    }
  }
  return text;
}

MemoryRange RangeOfRows(const RowAssumption& rows, const RowTable& table) {
  return {ForTable(rows, table, "(__UINTPTR_TYPE__)tune_rows_$[0]"),
          ForTable(rows, table, "(__UINTPTR_TYPE__)(tune_rows_$[tune_count_$ - 1] + tune_used_$)")};
}

// Compilers take what was allocated by itself for apart from what is reached from another allocation: a
// pointer to all rows has to be one of which they do not know where it comes from.
std::string DeclareArrays(const RowAssumption& rows) {
  std::string pointers, arrays;
  for (const RowTable& table : rows.tables) {
    absl::StrAppend(&pointers, table.element,
                    ForTable(rows, table,
                             " *tune_base_$ = tune_rows_$[0];\n"
                             "__asm__ __volatile__(\"\" : \"+r\"(tune_base_$) : \"r\"(tune_rows_$) : "
                             "\"memory\");\n"));
    absl::StrAppend(&arrays, table.element, " (*const ", NameOf(table),
                    ForTable(rows, table, ")[tune_row_$] = ("), table.element,
                    ForTable(rows, table, " (*)[tune_row_$])tune_base_$;\n"));
  }
  return pointers + arrays;
}

}  // namespace tune
