#include "client/extract/pointers/pointer_walk.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "client/extract/pointers/pointer_start.h"
#include "client/extract/region/escaping_values.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/values_behind.h"

namespace tune {
namespace {

// What an expression does to a pointer, as far as it is looked at here.
enum class PointerUse { kNone, kRead, kMove, kSet };
struct UsedPointer {
  PointerUse use = PointerUse::kNone;
  clang::VarDecl* pointer = nullptr;
};

clang::VarDecl* NamedPointer(clang::Expr* expression) {
  auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  auto* variable = reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return variable != nullptr && variable->getType()->isPointerType() ? variable : nullptr;
}

// Of the expression itself, not of what is in it.
UsedPointer UseOf(clang::Stmt* statement) {
  if (auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(statement);
      cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) {
    clang::VarDecl* pointer = NamedPointer(cast->getSubExpr());
    return {pointer == nullptr ? PointerUse::kNone : PointerUse::kRead, pointer};
  }
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
      unary != nullptr && unary->isIncrementDecrementOp()) {
    clang::VarDecl* pointer = NamedPointer(unary->getSubExpr());
    return {pointer == nullptr ? PointerUse::kNone : PointerUse::kMove, pointer};
  }
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
      binary != nullptr && binary->isAssignmentOp()) {
    clang::VarDecl* pointer = NamedPointer(binary->getLHS());
    if (pointer == nullptr) return {};
    return {binary->getOpcode() == clang::BO_Assign ? PointerUse::kSet : PointerUse::kMove, pointer};
  }
  return {};
}

// Whether nobody has the value of a part of the statement, which nobody has the value of either.
bool IsDiscarded(const clang::Stmt& whole, const clang::Stmt* part) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole)) return part != loop->getCond();
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&whole)) return part == loop->getBody();
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&whole)) return part == loop->getBody();
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&whole)) return part != choice->getCond();
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&whole)) return part != choice->getCond();
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&whole)) return part == label->getSubStmt();
  if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&whole)) return part == label->getSubStmt();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&whole)) return binary->isCommaOp();
  return llvm::isa<clang::CompoundStmt>(whole) || llvm::isa<clang::ParenExpr>(whole);
}

struct EarlierDeclared {
  bool operator()(const clang::VarDecl* a, const clang::VarDecl* b) const {
    return a->getLocation() == b->getLocation() ? a < b : a->getLocation() < b->getLocation();
  }
};

bool SetsInside(clang::Stmt* statement, const clang::VarDecl* pointer) {
  const UsedPointer used = UseOf(statement);
  if (used.use == PointerUse::kSet && used.pointer == pointer) return true;
  const auto parts = statement->children();
  return std::any_of(parts.begin(), parts.end(),
                     [&](clang::Stmt* part) { return part != nullptr && SetsInside(part, pointer); });
}

// Finds the pointers that statements move, and those of which they do more than that.
class WalkFinder {
 public:
  void Statement(clang::Stmt* statement, bool is_discarded) {
    if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      kept.insert(NamedPointer(reference));
      return;
    }
    const UsedPointer used = UseOf(statement);
    if (used.use == PointerUse::kRead) return;
    if (used.use == PointerUse::kMove) moved.insert(used.pointer);
    if (used.use != PointerUse::kNone && !is_discarded) kept.insert(used.pointer);
    clang::Stmt* target = used.use == PointerUse::kNone ? nullptr : *statement->child_begin();
    for (clang::Stmt* child : statement->children()) {
      if (child != nullptr && child != target)
        Statement(child, is_discarded && IsDiscarded(*statement, child));
    }
  }

  std::set<clang::VarDecl*, EarlierDeclared> moved;
  std::set<clang::VarDecl*> kept;
};

// The pointer whose value the expression is; null for others.
clang::VarDecl* ReadPointer(clang::Expr* expression) {
  clang::Expr* value = expression->IgnoreParens();
  while (auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value)) {
    if (cast->getCastKind() != clang::CK_NoOp) break;
    value = cast->getSubExpr()->IgnoreParens();
  }
  const UsedPointer used = UseOf(value);
  return used.use == PointerUse::kRead ? used.pointer : nullptr;
}

class WalkLowerer {
 public:
  WalkLowerer(const clang::ASTContext& ast, const clang::FunctionDecl& function,
              const RegionVariables& variables, TreeChanges* changes)
      : ast_(const_cast<clang::ASTContext&>(ast)),
        function_(function),
        variables_(variables),
        changes_(changes) {}

  void Take(clang::VarDecl* pointer) {
    const TreeMaker make(ast_, function_, pointer->getLocation());
    places_[pointer] = make.Variable(pointer->getNameAsString(), ast_.LongTy);
  }
  bool IsTaken(clang::VarDecl* pointer) const { return places_.count(pointer) > 0; }

  // long at = 0;
  clang::Stmt* Declaration(clang::VarDecl* pointer, clang::SourceLocation place) {
    return Declared({PlaceOf(pointer, place)}, place);
  }

  void Statement(clang::Stmt** slot) {
    if (made_.count(*slot) > 0) return;
    if (auto* operation = llvm::dyn_cast<clang::BinaryOperator>(*slot)) {
      if (clang::Expr* counted = Counted(*operation)) changes_->Change(slot, counted);
    }
    const UsedPointer used = UseOf(*slot);
    const bool is_ours = used.use != PointerUse::kNone && IsTaken(used.pointer);
    if (is_ours && used.use == PointerUse::kRead) return changes_->Change(slot, Value(**slot, used.pointer));
    Parts(**slot);
    if (is_ours && used.use == PointerUse::kSet)
      Begin(used.pointer, llvm::cast<clang::BinaryOperator>(*slot)->getRHS());
    if (is_ours)
      changes_->Change(
          slot, used.use == PointerUse::kMove ? Moved(**slot, used.pointer) : Set(**slot, used.pointer));
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(*slot)) Declarations(slot, *declaration);
  }

 private:
  TreeMaker MakeAt(const clang::Stmt& place) const { return TreeMaker(ast_, function_, place.getBeginLoc()); }

  clang::VarDecl* PlaceOf(clang::VarDecl* pointer, clang::SourceLocation place) {
    clang::VarDecl* at = places_.at(pointer);
    at->setInit(TreeMaker(ast_, function_, place).Number(0, ast_.LongTy));
    return at;
  }

  clang::Stmt* Declared(std::vector<clang::Decl*> all, clang::SourceLocation place) {
    const auto group = clang::DeclGroupRef::Create(ast_, all.data(), static_cast<unsigned>(all.size()));
    return new (ast_) clang::DeclStmt(group, place, place);
  }

  // p + at
  clang::Expr* Value(clang::Stmt& read, clang::VarDecl* pointer) {
    auto& value = llvm::cast<clang::Expr>(read);
    clang::Expr* sum = MakeAt(read).Operation(clang::BO_Add, &value, MakeAt(read).Value(places_.at(pointer)),
                                              value.getType());
    made_.insert(sum);
    return sum;
  }

  clang::Expr* Moved(const clang::Stmt& move, clang::VarDecl* pointer) {
    clang::Expr* at = MakeAt(move).Name(places_.at(pointer));
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&move)) {
      return clang::UnaryOperator::Create(ast_, at, unary->getOpcode(), ast_.LongTy, clang::VK_PRValue,
                                          clang::OK_Ordinary, unary->getOperatorLoc(), false,
                                          clang::FPOptionsOverride());
    }
    const auto& binary = llvm::cast<clang::BinaryOperator>(move);
    return clang::CompoundAssignOperator::Create(ast_, at, Converted(ast_, binary.getRHS(), ast_.LongTy),
                                                 binary.getOpcode(), ast_.LongTy, clang::VK_PRValue,
                                                 clang::OK_Ordinary, binary.getOperatorLoc(),
                                                 clang::FPOptionsOverride(), ast_.LongTy, ast_.LongTy);
  }

  // p = e, at = 0
  clang::Expr* Set(clang::Stmt& setting, clang::VarDecl* pointer) {
    const TreeMaker make = MakeAt(setting);
    auto* begins =
        llvm::cast<clang::Expr>(make.Assignment(make.Name(places_.at(pointer)), make.Number(0, ast_.LongTy)));
    return make.Operation(clang::BO_Comma, llvm::cast<clang::Expr>(&setting), begins, ast_.LongTy);
  }

  void Declarations(clang::Stmt** slot, clang::DeclStmt& statement) {
    std::vector<clang::Decl*> all;
    for (clang::Decl* each : statement.decls()) {
      all.push_back(each);
      auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr || !IsTaken(variable)) continue;
      all.push_back(PlaceOf(variable, variable->getLocation()));
      if (variable->getInit() != nullptr) Begin(variable, variable->getInit());
    }
    if (static_cast<long>(all.size()) > std::distance(statement.decl_begin(), statement.decl_end()))
      changes_->Change(slot, Declared(all, statement.getBeginLoc()));
  }

  // --- where pointers began: what they were set to last ---
  void Begin(clang::VarDecl* pointer, clang::Expr* value) {
    starts_.erase(pointer);
    const std::optional<PointerStart> start = StartOf(ast_, variables_, *value);
    if (start && IsUnchanged(variables_, *start)) starts_.emplace(pointer, *start);
  }
  // Of pointers that the statement sets: it may, or may not, be executed before.
  void ForgetStarts(clang::Stmt* statement) {
    for (auto next = starts_.begin(); next != starts_.end();)
      next = SetsInside(statement, next->first) ? starts_.erase(next) : std::next(next);
  }

  // What is set in a part of a statement is known behind it in lists alone: others may leave the part out, or
  // come to it another way.
  void Parts(clang::Stmt& statement) {
    const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    const bool is_list = llvm::isa<clang::CompoundStmt>(statement) ||
                         llvm::isa<clang::ParenExpr>(statement) || (comma != nullptr && comma->isCommaOp());
    if (llvm::isa<clang::LabelStmt>(statement) || llvm::isa<clang::SwitchCase>(statement)) starts_.clear();
    if (!is_list) ForgetStarts(&statement);
    auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement);
    for (clang::Stmt*& child : statement.children()) {
      if (child == nullptr) continue;
      Statement(&child);
      const bool is_start = loop != nullptr && child == loop->getInit();
      if (is_list || (is_start && !SetsAgain(*loop))) continue;
      ForgetStarts(child);
    }
    if (!is_list) ForgetStarts(&statement);
  }
  // Whether an iteration may set a pointer that the start of the loop sets.
  bool SetsAgain(clang::ForStmt& loop) const {
    return std::any_of(starts_.begin(), starts_.end(), [&](const auto& start) {
      return SetsInside(loop.getBody(), start.first) ||
             (loop.getInc() != nullptr && SetsInside(loop.getInc(), start.first));
    });
  }

  // p < a + n, where p was a: at < n. p - a: at. Null for others.
  clang::Expr* Counted(clang::BinaryOperator& operation) {
    if (operation.getOpcode() == clang::BO_Sub && operation.getType()->isIntegerType())
      return Distance(operation.getLHS(), operation.getRHS());
    if (!operation.isComparisonOp()) return nullptr;
    if (clang::Expr* counted =
            Counted(operation, operation.getLHS(), operation.getRHS(), operation.getOpcode()))
      return counted;
    return Counted(operation, operation.getRHS(), operation.getLHS(),
                   clang::BinaryOperator::reverseComparisonOp(operation.getOpcode()));
  }
  clang::Expr* Counted(const clang::BinaryOperator& comparison, clang::Expr* left, clang::Expr* right,
                       clang::BinaryOperatorKind op) {
    const auto start = starts_.find(ReadPointer(left));
    if (start == starts_.end() || !right->getType()->isPointerType()) return nullptr;
    const std::optional<PointerStart> end = StartOf(ast_, variables_, *right);
    if (!end || end->base != start->second.base) return nullptr;
    const TreeMaker make = MakeAt(comparison);
    clang::Expr* number = end->distance == nullptr ? make.Number(0, ast_.LongTy) : end->distance;
    return make.Operation(op, Reached(*start, make), number, comparison.getType());
  }
  clang::Expr* Distance(clang::Expr* left, clang::Expr* right) {
    const auto start = starts_.find(ReadPointer(left));
    if (start == starts_.end() || !right->getType()->isPointerType()) return nullptr;
    const std::optional<PointerStart> from = StartOf(ast_, variables_, *right);
    if (!from || from->base != start->second.base || from->distance != nullptr) return nullptr;
    return Reached(*start, MakeAt(*left));
  }
  // How far behind the start of the array the pointer is.
  clang::Expr* Reached(const std::pair<clang::VarDecl* const, PointerStart>& start, const TreeMaker& make) {
    clang::Expr* at = make.Value(places_.at(start.first));
    clang::Expr* distance = start.second.distance;
    if (distance == nullptr) return at;
    return make.Operation(clang::BO_Add, at, Converted(ast_, distance, ast_.LongTy), ast_.LongTy);
  }

  clang::ASTContext& ast_;
  const clang::FunctionDecl& function_;
  const RegionVariables& variables_;
  TreeChanges* const changes_;
  std::map<clang::VarDecl*, clang::VarDecl*> places_;  // what says how far each pointer is
  std::map<clang::VarDecl*, PointerStart> starts_;     // of those of which it is known
  std::set<const clang::Stmt*> made_;                  // values of pointers
};

// Whether it is a local pointer to numbers or structures that its name alone reaches.
bool MayWalk(const RegionVariables& variables, const clang::VarDecl& pointer) {
  const clang::QualType to = pointer.getType()->getPointeeType();
  return variables.IsReachedByName(&pointer) && !pointer.getType().isVolatileQualified() &&
         (to->isArithmeticType() || (to->isRecordType() && !to->isIncompleteType()));
}

}  // namespace

PointerWalks::PointerWalks(const clang::ASTContext& ast, const FoundRegion& region)
    : statements_(region.statements) {
  WalkFinder finder;
  for (const clang::Stmt* statement : statements_)
    finder.Statement(const_cast<clang::Stmt*>(statement), /*is_discarded=*/true);
  if (finder.moved.empty()) return;
  const RegionVariables variables(ast, *region.function, statements_);
  const ValuesBehind behind(ast, region);
  WalkLowerer lowerer(ast, *region.function, variables, &changes_);
  Statements outside;
  for (clang::VarDecl* pointer : finder.moved) {
    const bool walks = finder.kept.count(pointer) == 0 && MayWalk(variables, *pointer) &&
                       PointersReadBehind(behind, region, {pointer}).empty();
    if (!walks) continue;
    lowerer.Take(pointer);
    if (!IsDeclaredIn(statements_, pointer))
      outside.push_back(lowerer.Declaration(pointer, statements_.front()->getBeginLoc()));
  }
  statements_.insert(statements_.begin(), outside.begin(), outside.end());
  for (const clang::Stmt*& statement : statements_) lowerer.Statement(const_cast<clang::Stmt**>(&statement));
}

}  // namespace tune
