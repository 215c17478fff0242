// The arrays and scalars that the statements of a region access.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "client/extract/region/region.h"

namespace tune {

class ArrayTable {
 public:
  struct Entry {
    const clang::VarDecl* variable;
    const clang::Type* member;  // of structures: the type of the members that are its elements; else null
    std::string name;           // in the scop
    clang::SourceRange use;     // where the region first mentions it
    bool is_written = false;
    std::vector<isl::map> accessed;  // S -> A, restricted to the instances that reach it
    // Those of them that no condition on data may prevent, and where they stand.
    std::vector<std::pair<isl::map, clang::SourceRange>> certain = {};
  };

  explicit ArrayTable(const RegionVariables& variables) : variables_(variables) {}

  // The entry of the variable, or of its members of that canonical type, made when it is new. Of several
  // types the first one has the variable's name.
  Entry& Find(const clang::VarDecl* variable, clang::SourceRange use, const clang::Type* member = nullptr);

  const std::vector<Entry>& entries() const { return entries_; }  // in order of first use

 private:
  std::string NewName(const clang::VarDecl* variable, const clang::Type* member) const;

  const RegionVariables& variables_;
  std::vector<Entry> entries_;
};

}  // namespace tune
