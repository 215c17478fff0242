#include "client/extract/loops/counting_loop.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>
#include <set>

#include "client/extract/loops/loop_form.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/statement_list.h"
#include "client/extract/tree/values_behind.h"
#include "client/extract/tree/write_visitor.h"

namespace tune {
namespace {

// A loop, and what sets its iterator: a declaration, an assignment, or null for what it is before the region.
struct CountingLoop {
  const clang::VarDecl* iterator;
  clang::Stmt* setting;
};

int64_t TimesWritten(const clang::Stmt& statement, const clang::VarDecl* variable) {
  const std::vector<const clang::VarDecl*> written = VariablesWrittenIn(statement);
  return std::count(written.begin(), written.end(), variable);
}

int64_t TimesMentioned(const Statements& statements, const clang::VarDecl* variable) {
  const std::vector<const clang::ValueDecl*> names = NamedIn(statements);
  return std::count(names.begin(), names.end(), variable);
}

class LoopFinder {
 public:
  LoopFinder(const clang::ASTContext& ast, const FoundRegion& region) : ast_(ast), region_(region) {}

  void FindIn(const Statements& list, bool is_outermost) {
    for (size_t i = 0; i < list.size(); ++i) {
      const clang::Stmt* before = i > 0 ? list[i - 1] : nullptr;
      if (auto loop = Read(*list[i], before, is_outermost)) {
        if (loop->setting != nullptr) settings.insert(loop->setting);
        loops.emplace(list[i], *loop);
      }
      FindBelow(*list[i]);
    }
  }

  std::map<const clang::Stmt*, CountingLoop> loops;
  std::set<const clang::Stmt*> settings;

 private:
  void FindBelow(const clang::Stmt& statement) {
    if (llvm::isa<clang::CompoundStmt>(statement)) return FindIn(StatementsOf(statement), false);
    for (const clang::Stmt* part : statement.children()) {
      if (part == nullptr || !IsStatementOf(statement, part)) continue;
      llvm::isa<clang::CompoundStmt>(*part) ? FindBelow(*part) : FindIn({part}, false);
    }
  }

  std::optional<CountingLoop> Read(const clang::Stmt& statement, const clang::Stmt* before,
                                   bool is_outermost) {
    const auto* counted = llvm::dyn_cast<clang::ForStmt>(&statement);
    const bool is_open =
        counted != nullptr ? counted->getInit() == nullptr : llvm::isa<clang::WhileStmt>(statement);
    if (!is_open) return std::nullopt;
    const Accepted<LoopForm> read = ReadForm(ast_, statement);
    if (IsRefused(read)) return std::nullopt;
    const LoopForm& form = std::get<0>(read);
    if (form.iterator == nullptr || !IsCounter(*form.iterator) || TimesWritten(statement, form.iterator) != 1)
      return std::nullopt;
    clang::Stmt* setting = SettingOf(before, form.iterator);
    const int64_t elsewhere =
        TimesMentioned(region_.statements, form.iterator) - TimesMentioned({&statement}, form.iterator);
    const bool names = setting != nullptr && llvm::isa<clang::Expr>(setting);  // not a declaration
    if (elsewhere != (names ? 1 : 0)) return std::nullopt;
    if (setting == nullptr && !(is_outermost && Enters(form.iterator))) return std::nullopt;
    return CountingLoop{form.iterator, setting};
  }

  // Others are what derived indices are about.
  bool IsCounter(const clang::VarDecl& variable) {
    const clang::QualType type = variable.getType();
    const bool is_plain =
        type->isSignedIntegerType() && ast_.getTypeSize(type) >= ast_.getTypeSize(ast_.IntTy);
    return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() && !is_plain &&
           !type.isVolatileQualified() && variables().IsReachedByName(&variable);
  }

  static clang::Stmt* SettingOf(const clang::Stmt* before, const clang::VarDecl* iterator) {
    if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(before)) {
      const bool sets = declaration->isSingleDecl() && declaration->getSingleDecl() == iterator &&
                        iterator->getInit() != nullptr;
      return sets ? const_cast<clang::Stmt*>(before) : nullptr;
    }
    const auto* written = llvm::dyn_cast_or_null<clang::Expr>(before);
    const auto* assignment =
        written == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(written->IgnoreParens());
    const bool sets = assignment != nullptr && assignment->getOpcode() == clang::BO_Assign &&
                      NamedVariable(assignment->getLHS()) == iterator;
    return sets ? const_cast<clang::Stmt*>(before) : nullptr;
  }

  // Whether the loop counts on from what the variable is before the region, and nobody has it afterwards.
  bool Enters(const clang::VarDecl* variable) {
    return !variables().IsDeclaredInside(variable) && ValuesBehind(ast_, region_).IsLost(variable);
  }

  const RegionVariables& variables() {
    if (!variables_) variables_.emplace(ast_, *region_.function, region_.statements);
    return *variables_;
  }

  const clang::ASTContext& ast_;
  const FoundRegion& region_;
  std::optional<RegionVariables> variables_;
};

class LoopMakerOfCounts {
 public:
  LoopMakerOfCounts(const clang::ASTContext& ast, const clang::FunctionDecl& function, TreeChanges* changes)
      : ast_(const_cast<clang::ASTContext&>(ast)), function_(function), changes_(changes) {}

  clang::Stmt* Make(clang::Stmt& written, const CountingLoop& loop) {
    auto* made = new (ast_)
        clang::ForStmt(ast_, Start(written, loop), Condition(written), nullptr, Step(written), Body(written),
                       written.getBeginLoc(), written.getBeginLoc(), RightParenthesis(written));
    for (clang::Stmt*& part : made->children()) {
      if (part != nullptr && part != made->getInit()) NameOthers(ast_, function_, own_, &part, changes_);
    }
    own_.clear();
    return made;
  }

 private:
  clang::Stmt* Start(const clang::Stmt& written, const CountingLoop& loop) {
    if (loop.setting != nullptr) return loop.setting;
    // unsigned n = n; of which the first one is our own.
    const TreeMaker make(ast_, function_, written.getBeginLoc());
    clang::VarDecl* own =
        make.Variable(loop.iterator->getNameAsString(), loop.iterator->getType().getUnqualifiedType());
    own->setInit(make.Value(const_cast<clang::VarDecl*>(loop.iterator)));
    own_.emplace(loop.iterator, own);
    return new (ast_) clang::DeclStmt(clang::DeclGroupRef(own), written.getBeginLoc(), written.getBeginLoc());
  }

  static clang::Expr* Condition(clang::Stmt& written) {
    if (auto* counted = llvm::dyn_cast<clang::ForStmt>(&written)) return counted->getCond();
    clang::Expr* condition = llvm::cast<clang::WhileStmt>(written).getCond();
    const auto* always = llvm::dyn_cast<clang::IntegerLiteral>(Bare(condition));
    return always != nullptr && always->getValue() != 0 ? nullptr : condition;
  }
  static clang::Expr* Step(clang::Stmt& written) {
    auto* counted = llvm::dyn_cast<clang::ForStmt>(&written);
    return counted == nullptr ? nullptr : counted->getInc();
  }
  static clang::Stmt* Body(clang::Stmt& written) {
    auto* counted = llvm::dyn_cast<clang::ForStmt>(&written);
    return counted == nullptr ? llvm::cast<clang::WhileStmt>(written).getBody() : counted->getBody();
  }
  static clang::SourceLocation RightParenthesis(const clang::Stmt& written) {
    const auto* counted = llvm::dyn_cast<clang::ForStmt>(&written);
    return counted == nullptr ? llvm::cast<clang::WhileStmt>(written).getRParenLoc()
                              : counted->getRParenLoc();
  }

  clang::ASTContext& ast_;
  const clang::FunctionDecl& function_;
  TreeChanges* const changes_;
  std::map<const clang::VarDecl*, clang::VarDecl*> own_;
};

}  // namespace

CountingLoops::CountingLoops(const clang::ASTContext& ast, const FoundRegion& region)
    : statements_(region.statements) {
  LoopFinder finder(ast, region);
  finder.FindIn(statements_, /*is_outermost=*/true);
  if (finder.loops.empty()) return;
  LoopMakerOfCounts maker(ast, *region.function, &changes_);
  ReplaceStatements(ast, &statements_, &changes_,
                    [&](clang::Stmt* statement, std::vector<clang::Stmt*>* all) {
                      if (finder.settings.count(statement) > 0) return true;  // in the loop's header
                      const auto loop = finder.loops.find(statement);
                      if (loop == finder.loops.end()) return false;
                      all->push_back(maker.Make(*statement, loop->second));
                      return true;
                    });
}

}  // namespace tune
