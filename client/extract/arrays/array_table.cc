#include "client/extract/arrays/array_table.h"

namespace tune {

ArrayTable::Entry& ArrayTable::Find(const clang::VarDecl* variable, clang::SourceRange use) {
  for (Entry& entry : entries_) {
    if (entry.variable == variable) return entry;
  }
  entries_.push_back({variable, variables_.UniqueName(variable), use, false, {}, {}});
  return entries_.back();
}

}  // namespace tune
