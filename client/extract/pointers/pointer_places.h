// Pointers that a region sets, followed through its statements.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "client/extract/loops/loop_domain.h"
#include "client/extract/loops/loop_form.h"
#include "client/extract/region/region.h"

namespace tune {

// Region::pointers as LoopNest::definitions: what each points to at the place that is being read. One without
// a definition points to what it did before the region; of one with a definition without expression nothing
// is known.
class PointerPlaces {
 public:
  explicit PointerPlaces(Region& region) : region_(region) {}

  // A statement that sets followed pointers alone is known from then on, and none of the scop's; nor is a
  // declaration.
  bool Sets(const clang::Stmt& statement, LoopNest& nest) const;
  bool Declares(const clang::VarDecl& variable, LoopNest& nest) const;

  // Nothing is known behind the statements of pointers that they set.
  void Forget(const Statements& statements, LoopNest* nest) const;
  // Behind a block, whose end is in `inner`, what it set is known.
  void LeaveBlock(const clang::Stmt& block, const LoopNest& inner, LoopNest* nest) const;

  // The iterations of a loop that is entered in `outer`, by what pointers are there: where each iteration
  // exchanges the pointers that the next one reads, the same is so every few iterations. One nest, in which
  // nothing is known of such pointers, where that is not so.
  std::vector<LoopNest> EnterLoop(const LoopForm& form, const Loop& inner, const LoopNest& outer) const;

 private:
  using Pointers = std::set<const clang::VarDecl*>;

  Pointers SetIn(const clang::Stmt& statement) const;
  Pointers SetIn(const Statements& statements) const;
  void MakeUnknown(const Pointers& pointers, LoopNest* nest) const;

  Region& region_;
};

}  // namespace tune
