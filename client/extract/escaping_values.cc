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
  unsigned order;     // byte of the main file; of the end of the assignment for an assigned variable
  bool sets;          // the target of a plain assignment
  unsigned set_till;  // then, where what may be left out with the assignment ends
  clang::SourceRange range;
};

// References to variables outside of the region, and the loops around it, also those that jumps make.
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
    const bool sets = set != set_at_.end();
    references[variable].push_back(
        {sets ? set->second : byte, sets, sets ? ChoiceEnd(byte) : 0, reference->getSourceRange()});
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {  // before its operands
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParens());
    if (operation->getOpcode() == clang::BO_Assign && target != nullptr)
      set_at_[target] = Byte(operation->getEndLoc()) + 1;
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override { return AddLoop(*loop) && AddChoice(*loop->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    return AddLoop(*loop) && AddChoice(*loop->getBody());
  }
  bool VisitDoStmt(clang::DoStmt* loop) override { return AddLoop(*loop); }
  bool VisitIfStmt(clang::IfStmt* choice) override {
    return AddChoice(*choice->getThen()) && (choice->getElse() == nullptr || AddChoice(*choice->getElse()));
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) override { return AddChoice(*choice->getBody()); }
  bool VisitGotoStmt(clang::GotoStmt* jump) override {
    const unsigned label = Byte(jump->getLabel()->getLocation());
    if (label < begin && Byte(jump->getGotoLoc()) > begin) loop_begin = std::min(loop_begin, label);
    return true;
  }

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

  bool AddChoice(const clang::Stmt& part) {
    const unsigned first = Byte(part.getBeginLoc());
    if (first > end) choices_.emplace_back(first, Byte(part.getEndLoc()) + 1);
    return true;
  }
  // The end of the innermost part, behind the region, that holds the byte and may be left out.
  unsigned ChoiceEnd(unsigned byte) const {
    unsigned innermost = ~0u;
    for (const auto& [first, last] : choices_) {
      if (first <= byte && byte < last) innermost = std::min(innermost, last);
    }
    return innermost;
  }

  const clang::SourceManager& manager_;
  std::map<const clang::DeclRefExpr*, unsigned> set_at_;
  std::vector<std::pair<unsigned, unsigned>> choices_;  // what conditions and loops may leave out: bytes

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

// The first reference in [from, to) that reads what the variable was before, or null.
const Reference* FirstRead(const std::vector<Reference>& references, unsigned from, unsigned to) {
  const Reference* next = First(references, from, to);
  while (next != nullptr && next->sets)
    next = First(references, std::max(next->set_till, next->order + 1), to);
  return next;
}

// The reference behind the region that reads what the region leaves in the variable, or null.
const Reference* ReadOf(const Outside& outside, const std::vector<Reference>& references) {
  const Reference* behind = FirstRead(references, outside.end, ~0u);
  return behind != nullptr ? behind : FirstRead(references, outside.loop_begin, outside.begin);
}

}  // namespace

std::vector<Refusal> CheckEscapingValues(const clang::ASTContext& ast, const FoundRegion& region,
                                         const RegionVariables& variables) {
  Outside outside(ast, region);
  std::vector<Refusal> refusals;
  for (const clang::VarDecl* iterator : variables.iterators()) {
    if (variables.IsDeclaredInside(iterator) || variables.IsReachedByName(iterator)) continue;
    refusals.push_back(
        {{region.begin, region.begin},
         absl::StrCat("the value that the iterator `", iterator->getNameAsString(),
                      "` has after the region may be read elsewhere: it is not a local variable, "
                      "or something points to it"),
         "declare an iterator in the loop, `for (int i = ...`"});
  }
  for (const auto& [variable, references] : outside.references) {
    std::string name = variable->getNameAsString();
    if (variables.IsDeclaredInside(variable)) {
      refusals.push_back({references.front().range,
                          absl::StrCat("`", name, "` is declared inside the region and used outside of it"),
                          "declare it before `#pragma scop`"});
      continue;
    }
    if (!variables.IsIterator(variable)) continue;
    if (const Reference* read = ReadOf(outside, references)) {
      refusals.push_back(
          {read->range, absl::StrCat("the value that the iterator `", name, "` has after the region is used"),
           "use the loop's bound instead, or another variable"});
    }
  }
  return refusals;
}

std::set<const clang::VarDecl*> ReadBehind(const clang::ASTContext& ast, const FoundRegion& region) {
  Outside outside(ast, region);
  std::set<const clang::VarDecl*> read;
  for (const auto& [variable, references] : outside.references) {
    if (ReadOf(outside, references) != nullptr) read.insert(variable);
  }
  return read;
}

}  // namespace tune
