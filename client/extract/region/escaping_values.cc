#include "client/extract/region/escaping_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {

std::vector<Refusal> CheckEscapingValues(const ValuesBehind& behind, const FoundRegion& region,
                                         const RegionVariables& variables) {
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
  for (const auto& [variable, references] : behind.references()) {
    std::string name = variable->getNameAsString();
    if (variables.IsDeclaredInside(variable)) {
      refusals.push_back({references.front()->getSourceRange(),
                          absl::StrCat("`", name, "` is declared inside the region and used outside of it"),
                          "declare it before `#pragma scop`"});
      continue;
    }
    if (!variables.IsIterator(variable)) continue;
    if (const clang::DeclRefExpr* read = behind.ReadOf(variable)) {
      refusals.push_back(
          {read->getSourceRange(),
           absl::StrCat("the value that the iterator `", name, "` has after the region is used"),
           "use the loop's bound instead, or another variable"});
    }
  }
  return refusals;
}

namespace {

int64_t TimesNamed(const clang::Stmt& statement, const clang::VarDecl* pointer) {
  const std::vector<const clang::ValueDecl*> names = NamedIn(&statement);
  return std::count(names.begin(), names.end(), pointer);
}

}  // namespace

bool IsDeclaredIn(const Statements& statements, const clang::VarDecl* variable) {
  struct Finder : TreeVisitor {
    const clang::VarDecl* sought;
    bool found = false;
    bool VisitVarDecl(clang::VarDecl* declared) override { return !(found = found || declared == sought); }
  } finder;
  finder.sought = variable;
  for (const clang::Stmt* statement : statements) finder.TraverseStmt(const_cast<clang::Stmt*>(statement));
  return finder.found;
}

FirstUse FirstUseOf(const clang::VarDecl* pointer, const Statements& statements) {
  bool may_skip = false;  // a jump leaves out what stands behind
  for (const clang::Stmt* statement : statements) {
    if (statement == nullptr) continue;
    if (TimesNamed(*statement, pointer) == 0) {
      may_skip = may_skip || HasJump(*statement);
      continue;
    }
    const std::vector<PointerSetting> settings = PointerSettings(*statement);
    if (!settings.empty()) {
      const bool sets = settings.size() == 1 && settings[0].pointer == pointer;
      return sets && !may_skip && TimesNamed(*statement, pointer) == 1 ? FirstUse::kSet : FirstUse::kRead;
    }
    const auto* once = llvm::dyn_cast<clang::DoStmt>(statement);
    const clang::Stmt* inner = once != nullptr && IsExecutedOnce(*once) ? once->getBody() : statement;
    if (llvm::isa<clang::CompoundStmt>(inner)) {
      const FirstUse use = FirstUseOf(pointer, StatementsOf(*inner));
      if (use == FirstUse::kNone) continue;
      return may_skip ? FirstUse::kRead : use;
    }
    // A loop may have no iterations: what it sets first may be read behind it.
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(inner);
    const bool sets = loop != nullptr && !may_skip && !HasJump(*loop->getBody()) &&
                      TimesNamed(*loop, pointer) == TimesNamed(*loop->getBody(), pointer) &&
                      FirstUseOf(pointer, StatementsOf(*loop->getBody())) == FirstUse::kSet;
    if (!sets) return FirstUse::kRead;
  }
  return FirstUse::kNone;
}

std::set<const clang::VarDecl*> PointersReadBehind(const ValuesBehind& behind, const FoundRegion& region,
                                                   const std::set<const clang::VarDecl*>& pointers) {
  std::set<const clang::VarDecl*> read;
  for (const clang::VarDecl* pointer : pointers) {
    if (IsDeclaredIn(region.statements, pointer)) continue;
    const bool is_read_again =
        FirstUseOf(pointer, region.statements) == FirstUse::kRead && behind.ComesAgain(pointer);
    if (is_read_again || behind.ReadOf(pointer) != nullptr) read.insert(pointer);
  }
  return read;
}

}  // namespace tune
