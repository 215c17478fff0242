// A scop in the making, some of whose live ranges have arrays of their own.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/transform/expansion/expansion_plan.h"

namespace tune {

// Starts as a copy of a scop; each call of Add changes it. Everything throws isl::exception.
class ExpandedScop {
 public:
  // `scop` must outlive this object.
  explicit ExpandedScop(const ParsedScop& scop);

  // Gives the range, of `array`, an array of its own: its references access [dimensions of the iteration,
  // element] of a new array. Values that come from before the region are copied in before everything else,
  // values that outlive it are copied back after everything else.
  void Add(const std::string& array, const RangeExpansion& expansion);

  v1::Scop Build();

 private:
  std::string Iterator(int dimension) const;
  isl::set Instances(const isl::set& set) const;  // as the domain of the next statement
  std::string NewArray(const std::string& array, const RangeExpansion& expansion);
  isl::map NewRelation(const RangeExpansion& expansion, int statement, int access,
                       const std::string& name) const;
  void CopyIn(const std::string& array, const RangeExpansion& expansion, const std::string& name);
  void CopyOut(const std::string& array, const RangeExpansion& expansion, const std::string& name);
  isl::schedule AddCopy(const isl::set& instances, const isl::map& from, const isl::map& to, int line);
  void RemoveUnusedArrays();

  const ParsedScop& scop_;
  v1::Scop result_;
  std::set<std::string> names_;  // C identifiers that are taken
  std::string iterator_prefix_ = "c";
  std::set<std::string> expanded_;
  std::vector<isl::schedule> before_, after_;
};

}  // namespace tune
