#include "client/extract/tree/values_behind.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Analysis/CFG.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "client/extract/source/main_file.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

class Names : public TreeVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    references.push_back(reference);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParens());
    if (operation->getOpcode() == clang::BO_Assign && target != nullptr) targets.insert(target);
    return true;
  }
  std::vector<const clang::DeclRefExpr*> references;
  std::set<const clang::DeclRefExpr*> targets;
};

const clang::Stmt* NodeAt(const clang::CFGBlock& block, unsigned element) {
  const auto statement = block[element].getAs<clang::CFGStmt>();
  return statement ? statement->getStmt() : nullptr;
}

// Calls visit(next) for what may be executed after the block.
void ForEachNext(const clang::CFGBlock& block, const std::function<void(const clang::CFGBlock*)>& visit) {
  for (const clang::CFGBlock::AdjacentBlock& next : block.succs()) {
    const clang::CFGBlock* reached = next.getReachableBlock();
    if (reached == nullptr) reached = next.getPossiblyUnreachableBlock();
    if (reached != nullptr) visit(reached);
  }
}

}  // namespace

ValuesBehind::ValuesBehind(const clang::ASTContext& ast, const FoundRegion& region)
    : manager_(ast.getSourceManager()), begin_(Byte(region.begin)), end_(Byte(region.end)) {
  clang::Stmt* body = region.function->getBody();
  Names names;
  names.TraverseStmt(body);
  targets_ = std::move(names.targets);
  for (const clang::DeclRefExpr* reference : names.references) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable != nullptr && !IsInside(*reference)) references_[variable].push_back(reference);
  }
  clang::CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  options.AddEHEdges = true;
  options.PruneTriviallyFalseEdges = false;
  graph_ = clang::CFG::buildCFG(region.function, body, &const_cast<clang::ASTContext&>(ast), options);
  if (graph_ != nullptr) FindExits();
}

ValuesBehind::~ValuesBehind() = default;

unsigned ValuesBehind::Byte(clang::SourceLocation place) const {
  return manager_.getFileOffset(PlaceInMainFile(manager_, place));
}

bool ValuesBehind::IsInside(const clang::Stmt& node) const {
  const unsigned byte = Byte(node.getBeginLoc());
  return begin_ <= byte && byte <= end_;
}

void ValuesBehind::FindExits() {
  const auto is_inside = [&](const clang::CFGBlock& block, unsigned element) {
    const clang::Stmt* node = element < block.size() ? NodeAt(block, element) : nullptr;
    return node != nullptr && IsInside(*node);
  };
  for (const clang::CFGBlock* block : *graph_) {
    for (unsigned i = 0; i < block->size(); ++i)
      if (is_inside(*block, i) && !is_inside(*block, i + 1)) exits_.emplace_back(block, i + 1);
  }
}

ValuesBehind::Event ValuesBehind::EventOf(const clang::Stmt& node, const clang::VarDecl* variable) const {
  if (IsInside(node)) return Event::kInside;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node)) {
    return reference->getDecl() == variable && targets_.count(reference) == 0 ? Event::kReads : Event::kNone;
  }
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&node)) {
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    const bool sets = target != nullptr && target->getDecl() == variable && targets_.count(target) > 0;
    return sets ? Event::kSets : Event::kNone;
  }
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node)) {
    const bool declares =
        std::find(declaration->decl_begin(), declaration->decl_end(), variable) != declaration->decl_end();
    return declares ? Event::kSets : Event::kNone;
  }
  return Event::kNone;
}

void ValuesBehind::Follow(std::vector<Position> open, const clang::VarDecl* variable,
                          const std::function<bool(Event, const clang::Stmt&)>& ends) const {
  std::set<const clang::CFGBlock*> entered;
  while (!open.empty()) {
    const auto [block, from] = open.back();
    open.pop_back();
    bool ended = false;
    for (unsigned i = from; i < block->size() && !ended; ++i) {
      const clang::Stmt* node = NodeAt(*block, i);
      const Event event = node == nullptr ? Event::kNone : EventOf(*node, variable);
      ended = event != Event::kNone && ends(event, *node);
    }
    if (ended) continue;
    ForEachNext(*block, [&](const clang::CFGBlock* next) {
      if (entered.insert(next).second) open.emplace_back(next, 0);
    });
  }
}

const clang::DeclRefExpr* ValuesBehind::ReadOf(const clang::VarDecl* variable) const {
  const auto named = references_.find(variable);
  if (named == references_.end()) return nullptr;
  if (exits_.empty()) return named->second.front();
  const clang::DeclRefExpr* first = nullptr;
  Follow(exits_, variable, [&](Event event, const clang::Stmt& node) {
    if (event == Event::kReads && (first == nullptr || Byte(node.getBeginLoc()) < Byte(first->getLocation())))
      first = llvm::cast<clang::DeclRefExpr>(&node);
    return true;
  });
  return first;
}

bool ValuesBehind::ComesAgain(const clang::VarDecl* variable) const {
  if (exits_.empty()) return true;
  // Not every way from one part of the region to another leaves it.
  const auto leaves = [&](const clang::CFGBlock& block, unsigned from) {
    const clang::Stmt* loop = block.getLoopTarget();
    if (loop != nullptr && !IsInside(*loop)) return true;
    for (unsigned i = from; i < block.size(); ++i)
      if (const clang::Stmt* node = NodeAt(block, i); node != nullptr) return !IsInside(*node);
    return false;
  };
  std::vector<Position> open;
  for (const auto& [block, from] : exits_) {
    if (leaves(*block, from)) open.emplace_back(block, from);
    if (from < block->size()) continue;
    ForEachNext(*block, [&](const clang::CFGBlock* next) {
      if (leaves(*next, 0)) open.emplace_back(next, 0);
    });
  }
  bool comes_again = false;
  Follow(std::move(open), variable, [&](Event event, const clang::Stmt&) {
    comes_again = comes_again || event == Event::kInside;
    return event != Event::kReads;
  });
  return comes_again;
}

}  // namespace tune
