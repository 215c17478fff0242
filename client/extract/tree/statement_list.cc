#include "client/extract/tree/statement_list.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace tune {
namespace {

class ListReplacer {
 public:
  ListReplacer(const clang::ASTContext& ast, TreeChanges* changes, const ReplaceStatement& replace)
      : ast_(const_cast<clang::ASTContext&>(ast)), changes_(changes), replace_(replace) {}

  // Adds what stands for the statement in the end.
  void AddTo(std::vector<clang::Stmt*>* all, clang::Stmt* statement) {
    std::vector<clang::Stmt*> parts;
    if (!replace_(statement, &parts)) return all->push_back(WithNewParts(statement));
    for (clang::Stmt* part : parts) AddTo(all, part);
  }

 private:
  // The statement, or a block that has other statements.
  clang::Stmt* WithNewParts(clang::Stmt* statement) {
    if (auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
      std::vector<clang::Stmt*> all;
      for (clang::Stmt* part : block->body()) AddTo(&all, part);
      if (std::vector<clang::Stmt*>(block->body_begin(), block->body_end()) == all) return statement;
      return Block(all, *block);
    }
    for (clang::Stmt*& part : statement->children()) {
      if (part == nullptr || !IsStatementOf(*statement, part)) continue;
      std::vector<clang::Stmt*> all;
      AddTo(&all, part);
      if (all.size() != 1) {
        changes_->Change(&part, Block(all, *part));
      } else if (all[0] != part) {
        changes_->Change(&part, all[0]);
      }
    }
    return statement;
  }

  clang::Stmt* Block(const std::vector<clang::Stmt*>& all, const clang::Stmt& place) {
    return clang::CompoundStmt::Create(ast_, all, clang::FPOptionsOverride(), place.getBeginLoc(),
                                       place.getEndLoc());
  }

  clang::ASTContext& ast_;
  TreeChanges* const changes_;
  const ReplaceStatement& replace_;
};

}  // namespace

void ReplaceStatements(const clang::ASTContext& ast, Statements* list, TreeChanges* changes,
                       const ReplaceStatement& replace) {
  ListReplacer replacer(ast, changes, replace);
  std::vector<clang::Stmt*> all;
  for (const clang::Stmt* statement : *list) replacer.AddTo(&all, const_cast<clang::Stmt*>(statement));
  list->assign(all.begin(), all.end());
}

}  // namespace tune
