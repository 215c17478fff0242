// C text that takes tables of rows for arrays in two dimensions, where the running program finds that they
// are.
#pragma once

#include <string>
#include <vector>

#include "client/extract/arrays/access_bounds.h"
#include "client/extract/pointers/row_table.h"
#include "client/extract/structures/member_assumption.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// What such text is made of: tables, and how far the accesses of a region reach that has arrays in their
// place.
struct RowAssumption {
  const std::vector<RowTable>& tables;
  const v1::Scop& scop;
  const AccessBounds& bounds;  // of the arrays' names; without them nothing holds
  int number = 1;              // of the region, from 1, among those of a file that get such text
};

// The parameters that are distances between rows, in a text of number 1.
std::vector<std::string> RowDistances(const std::vector<RowTable>& tables);
// Of the arrays that stand for them.
std::vector<std::string> NamesOf(const std::vector<RowTable>& tables);

// Text of InLongs, with the names that distances have in this region.
std::string BoundText(const RowAssumption& rows, const std::string& text);

// Variables; that all tables are there, an expression.
std::string DeclareTables(const RowAssumption& rows);
std::vector<std::string> TablesAreThere(const RowAssumption& rows);
// Statements that set tune_apart to 0 unless all rows of each table, from the first to the last that the
// region's loops reach, lie one behind the other at one distance, which is no less than what of a row they
// reach, and no row that is written has a table in it.
std::string CheckRows(const RowAssumption& rows);
// What of memory the rows are.
MemoryRange RangeOfRows(const RowAssumption& rows, const RowTable& table);
// Arrays by the names of the tables, where all that holds.
std::string DeclareArrays(const RowAssumption& rows);

}  // namespace tune
