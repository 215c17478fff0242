#include "client/extract/escaping_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "client/extract/main_file.h"
#include "client/extract/tree_visitor.h"

namespace tune {
namespace {

struct Reference {
  unsigned order;  // byte of the main file; of the end of the assignment for an assigned variable
  bool sets;       // the target of a plain assignment
  clang::SourceRange range;
};

// References to variables outside of the region, and the loops around it.
class Outside : public TreeVisitor {
 public:
  Outside(const clang::ASTContext& ast, const FoundRegion& region)
      : manager_(ast.getSourceManager()), begin(Byte(region.begin)), end(Byte(region.end)) {
    TraverseStmt(region.function->getBody());
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    unsigned byte = Byte(reference->getLocation());
    if (variable == nullptr || (begin <= byte && byte <= end)) return true;
    auto set = set_at_.find(reference);
    references[variable].push_back(
        {set == set_at_.end() ? byte : set->second, set != set_at_.end(), reference->getSourceRange()});
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {  // before its operands
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParens());
    if (operation->getOpcode() == clang::BO_Assign && target != nullptr)
      set_at_[target] = Byte(operation->getEndLoc()) + 1;
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override { return AddLoop(*loop); }
  bool VisitWhileStmt(clang::WhileStmt* loop) override { return AddLoop(*loop); }
  bool VisitDoStmt(clang::DoStmt* loop) override { return AddLoop(*loop); }

 private:
  unsigned Byte(clang::SourceLocation location) const {
    return manager_.getFileOffset(PlaceInMainFile(manager_, location));
  }
  // One that begins before the region and ends behind its beginning holds all of it, even where the region's
  // last statement is its body and so its end.
  bool AddLoop(const clang::Stmt& loop) {
    unsigned first = Byte(loop.getBeginLoc());
    if (first < begin && Byte(loop.getEndLoc()) > begin) loop_begin = std::min(loop_begin, first);
    return true;
  }

  const clang::SourceManager& manager_;
  std::map<const clang::DeclRefExpr*, unsigned> set_at_;

 public:
  unsigned begin, end;        // of the region
  unsigned loop_begin = ~0u;  // of the outermost loop around it
  std::map<const clang::VarDecl*, std::vector<Reference>> references;
};

// The first reference in [from, to), or null.
const Reference* First(const std::vector<Reference>& references, unsigned from, unsigned to) {
  const Reference* first = nullptr;
  for (const Reference& reference : references) {
    if (reference.order < from || reference.order >= to) continue;
    if (first == nullptr || reference.order < first->order) first = &reference;
  }
  return first;
}

}  // namespace

std::vector<Refusal> CheckEscapingValues(const clang::ASTContext& ast, const FoundRegion& region,
                                         const RegionVariables& variables) {
  Outside outside(ast, region);
  std::vector<Refusal> refusals;
  for (const auto& [variable, references] : outside.references) {
    std::string name = variable->getNameAsString();
    if (variables.IsDeclaredInside(variable)) {
      refusals.push_back({references.front().range,
                          absl::StrCat("`", name, "` is declared inside the region and used outside of it"),
                          "declare it before `#pragma scop`"});
      continue;
    }
    if (!variables.IsIterator(variable)) continue;
    for (const Reference* next :
         {First(references, outside.end, ~0u), First(references, outside.loop_begin, outside.begin)}) {
      if (next == nullptr || next->sets) continue;
      refusals.push_back(
          {next->range, absl::StrCat("the value that the iterator `", name, "` has after the region is used"),
           "use the loop's bound instead, or another variable"});
      break;
    }
  }
  return refusals;
}

std::set<const clang::VarDecl*> ReadBehind(const clang::ASTContext& ast, const FoundRegion& region) {
  Outside outside(ast, region);
  std::set<const clang::VarDecl*> read;
  for (const auto& [variable, references] : outside.references) {
    for (const Reference* next :
         {First(references, outside.end, ~0u), First(references, outside.loop_begin, outside.begin)}) {
      if (next != nullptr && !next->sets) read.insert(variable);
    }
  }
  return read;
}

}  // namespace tune
