#include "client/extract/pointers/row_assumption.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/scop/row_distance.h"

namespace tune {
namespace {

// The table's part of names.
std::string SuffixOf(const RowTable& table, int number) {
  return number == 1 ? table.name : absl::StrCat(table.name, "_", number);
}

// `$` stands for the table's part of names.
std::string ForTable(const RowAssumption& rows, const RowTable& table, absl::string_view text) {
  return absl::StrReplaceAll(text, {{"$", SuffixOf(table, rows.number)}});
}

// The same before the region. The lengths of arrays in C++ are constant variables, which are declared with
// the arrays.
std::string BeforeArrays(const RowAssumption& rows, const RowTable& table, absl::string_view text) {
  const std::string distance = table.vectors.empty() ? "tune_row_$" : "tune_distance_$";
  return ForTable(rows, table, absl::StrReplaceAll(text, {{"tune_row_$", distance}}));
}

// C for the pointer to a row.
std::string RowAt(const RowTable& table, const std::string& row) {
  return absl::StrCat("tune_rows_$[", row, table.vectors.empty() ? "]" : "].data()");
}

// That all rows are there, and have what the region reaches. Vectors may be shorter.
std::string CheckLengths(const RowTable& table) {
  if (table.vectors.empty()) return "";
  const std::string name = table.name;
  std::string text =
      absl::StrCat("tune_apart = tune_apart && (__SIZE_TYPE__)tune_count_$ <= ", name, ".size();\n");
  if (table.of_one_length) {
    absl::StrAppend(&text, "for (tune_at = 0; tune_apart && (__SIZE_TYPE__)tune_at < ", name,
                    ".size(); tune_at++)\n  tune_apart = ", name, "[tune_at].size() == ", name,
                    "[0].size();\n");
  }
  return absl::StrCat(text,
                      "for (tune_at = 0; tune_apart && tune_at < tune_count_$; tune_at++)\n"
                      "  tune_apart = tune_rows_$[tune_at].size() >= (__SIZE_TYPE__)tune_used_$;\n");
}

bool IsWritten(const RowAssumption& rows, const RowTable& table) {
  return std::any_of(rows.scop.arrays().begin(), rows.scop.arrays().end(), [&](const v1::Array& array) {
    return array.name() == table.array && !array.read_only();
  });
}

std::string CheckTable(const RowAssumption& rows, const RowTable& table) {
  const auto ends = rows.bounds.ends.find(table.array);
  if (ends == rows.bounds.ends.end()) return "tune_apart = 0;\n";
  const std::string first = RowAt(table, "0"), second = RowAt(table, "1"), next = RowAt(table, "tune_at"),
                    last = RowAt(table, "tune_at - 1");
  return BeforeArrays(rows, table,
                      absl::StrCat("if (tune_apart) {\n"
                                   "  tune_count_$ = ",
                                   BoundText(rows, ends->second[0]),
                                   ";\n"
                                   "  tune_used_$ = tune_row_$ = ",
                                   BoundText(rows, ends->second[1]),
                                   ";\n"
                                   "  tune_apart = tune_count_$ > 0 && tune_used_$ > 0",
                                   table.vectors.empty() ? absl::StrCat(" && ", first, " != 0") : "",
                                   ";\n"
                                   "}\n",
                                   CheckLengths(table),
                                   "if (tune_apart && tune_count_$ > 1)\n"
                                   "  tune_row_$ = (long)((__UINTPTR_TYPE__)",
                                   second, " - (__UINTPTR_TYPE__)", first, ") / (long)sizeof(*", first,
                                   ");\n"
                                   "for (tune_at = 1; tune_apart && tune_at < tune_count_$; tune_at++)\n"
                                   "  tune_apart = (__UINTPTR_TYPE__)",
                                   next, " > (__UINTPTR_TYPE__)", last,
                                   " &&\n"
                                   "      (__UINTPTR_TYPE__)",
                                   next, " - (__UINTPTR_TYPE__)", last,
                                   " ==\n"
                                   "          (__UINTPTR_TYPE__)tune_row_$ * sizeof(*",
                                   first,
                                   ");\n"
                                   "tune_apart = tune_apart && tune_row_$ >= tune_used_$;\n"));
}

}  // namespace

std::vector<std::string> NamesOf(const std::vector<RowTable>& tables) {
  std::vector<std::string> names;
  for (const RowTable& table : tables) names.push_back(table.array);
  return names;
}

std::vector<std::string> RowDistances(const std::vector<RowTable>& tables) {
  std::vector<std::string> distances;
  for (const RowTable& table : tables) distances.push_back(kRowDistance + table.name);
  return distances;
}

std::string BoundText(const RowAssumption& rows, const std::string& text) {
  std::map<std::string, std::string> names;
  for (const RowTable& table : rows.tables)
    names[kRowDistance + table.name] = kRowDistance + SuffixOf(table, rows.number);
  return InLongs(text, rows.scop, names);
}

std::string DeclareTables(const RowAssumption& rows) {
  std::string text;
  for (const RowTable& table : rows.tables) {
    const std::string name = table.name;
    const bool is_vector = !table.vectors.empty();
    absl::StrAppend(
        &text, is_vector ? "auto *" : absl::StrCat("__typeof__(&", name, "[0]) "), "const ",
        ForTable(rows, table, "tune_rows_$ = "), name, is_vector ? ".data()" : "",
        BeforeArrays(rows, table, ";\nlong tune_count_$ = 0, tune_used_$ = 0, tune_row_$ = 0;\n"));
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
  return {ForTable(rows, table, "(__UINTPTR_TYPE__)" + RowAt(table, "0")),
          ForTable(rows, table,
                   absl::StrCat("(__UINTPTR_TYPE__)(", RowAt(table, "tune_count_$ - 1"), " + tune_used_$)"))};
}

// Compilers take what was allocated by itself for apart from what is reached from another allocation: a
// pointer to all rows has to be one of which they do not know where it comes from. Other builds may have
// other elements.
std::string DeclareArrays(const RowAssumption& rows) {
  std::string pointers, arrays;
  for (const RowTable& table : rows.tables) {
    const bool is_vector = !table.vectors.empty();
    absl::StrAppend(&pointers, ForTable(rows, table,
                                        absl::StrCat(is_vector ? "auto *" : "__typeof__(tune_rows_$[0] + 0) ",
                                                     "tune_base_$ = ", RowAt(table, "0"),
                                                     ";\n"
                                                     "__asm__ __volatile__(\"\" : \"+r\"(tune_base_$) : "
                                                     "\"r\"(tune_rows_$) : \"memory\");\n")));
    absl::StrAppend(&arrays,
                    is_vector ? ForTable(rows, table, "const long tune_row_$ = tune_distance_$;\n") : "",
                    ForTable(rows, table,
                             absl::StrCat("typedef __typeof__(*tune_base_$) tune_element_$;\n"
                                          "tune_element_$ (*",
                                          is_vector ? "" : "const ", table.array, ")[tune_row_$] = (",
                                          is_vector ? absl::StrCat("__typeof__(", table.array, ")")
                                                    : "tune_element_$ (*)[tune_row_$]",
                                          ")tune_base_$;\n")));
  }
  return pointers + arrays;
}

}  // namespace tune
