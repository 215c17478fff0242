// What a function does with its variables once a region is left.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "client/extract/region/region_finder.h"

namespace clang {
class ASTContext;
class CFG;
class CFGBlock;
class DeclRefExpr;
class SourceManager;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

// Follows the ways through clang's graph of the region's function: loops, jumps, handlers of exceptions.
class ValuesBehind {
 public:
  ValuesBehind(const clang::ASTContext& ast, const FoundRegion& region);
  ~ValuesBehind();

  // What may read the value that the region leaves in the variable, as no plain assignment stands on some way
  // to it: the first one in the text. Null where nothing does. Ways end where the region is entered again.
  const clang::DeclRefExpr* ReadOf(const clang::VarDecl* variable) const;

  // Whether the region may be executed again with the value that it left in the variable.
  bool ComesAgain(const clang::VarDecl* variable) const;

  // Whether neither happens: nobody has what the region leaves in the variable.
  bool IsLost(const clang::VarDecl* variable) const {
    return ReadOf(variable) == nullptr && !ComesAgain(variable);
  }

  // References outside of the region, in the order of the text.
  const std::map<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>>& references() const {
    return references_;
  }

 private:
  enum class Event { kNone, kInside, kSets, kReads };
  using Position = std::pair<const clang::CFGBlock*, unsigned>;  // before that element of the block

  unsigned Byte(clang::SourceLocation place) const;
  bool IsInside(const clang::Stmt& node) const;
  Event EventOf(const clang::Stmt& node, const clang::VarDecl* variable) const;
  void FindExits();
  // Calls ends(event, node) for what happens to the variable on the ways from these positions; true ends a
  // way.
  void Follow(std::vector<Position> open, const clang::VarDecl* variable,
              const std::function<bool(Event, const clang::Stmt&)>& ends) const;

  const clang::SourceManager& manager_;
  const unsigned begin_, end_;                   // of the region, in bytes of the main file
  std::unique_ptr<clang::CFG> graph_;            // null where clang makes none
  std::vector<Position> exits_;                  // behind what is inside and before what is not
  std::set<const clang::DeclRefExpr*> targets_;  // of plain assignments
  std::map<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>> references_;
};

}  // namespace tune
