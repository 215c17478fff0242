#include "client/extract/forms/forward_jump.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "client/extract/statements/refused_statement.h"

namespace tune {
namespace {

template <class Kind>
void AppendAll(const clang::Stmt* statement, std::vector<const Kind*>* all) {
  if (statement == nullptr) return;
  if (const auto* found = llvm::dyn_cast<Kind>(statement)) all->push_back(found);
  for (const clang::Stmt* child : statement->children()) AppendAll(child, all);
}

template <class Kind>
std::vector<const Kind*> AllIn(const Statements& statements) {
  std::vector<const Kind*> all;
  for (const clang::Stmt* statement : statements) AppendAll(statement, &all);
  return all;
}

Exits LabelsOf(const clang::Stmt& statement) {
  Exits labels;
  const clang::Stmt* inner = &statement;
  while (const auto* label = llvm::dyn_cast<clang::LabelStmt>(inner)) {
    labels.insert(label->getDecl());
    inner = label->getSubStmt();
  }
  return labels;
}

// The last statement of a branch where it is a `goto`.
const clang::GotoStmt* JumpAtEnd(const clang::Stmt* branch) {
  if (branch == nullptr) return nullptr;
  const Statements statements = StatementsOf(*branch);
  return statements.empty() ? nullptr : llvm::dyn_cast<clang::GotoStmt>(statements.back());
}

class Ways {
 public:
  Ways(const Statements& list, size_t position, const Exits& exits)
      : list_(list), position_(position), exits_(exits) {}

  Accepted<Detour> Read(const clang::IfStmt& choice) {
    TUNE_ASSIGN_OR_REFUSE(const size_t then, GoesOnAt(JumpAtEnd(choice.getThen())));
    TUNE_ASSIGN_OR_REFUSE(const size_t otherwise, GoesOnAt(JumpAtEnd(choice.getElse())));
    first_ = std::min(then, otherwise);
    second_ = std::max(then, otherwise);
    size_t first_end = second_;
    Detour detour;
    detour.meet = second_;
    if (first_ < second_) {
      // The first way may jump over the second.
      if (const auto* jump = llvm::dyn_cast<clang::GotoStmt>(list_[second_ - 1])) {
        TUNE_ASSIGN_OR_REFUSE(detour.meet, Position(*jump));
        if (detour.meet < second_) return RefuseStatement(*jump);
        --first_end;
      }
    }
    meet_ = detour.meet;
    if (const clang::GotoStmt* jump = JumpInside()) {
      return Refusal{jump->getSourceRange(), "a `goto` into statements that another `goto` leads around",
                     "use `if` statements"};
    }
    for (size_t i = position_ + 1; i < meet_; ++i) {
      if (!llvm::isa<clang::DeclStmt>(WithoutLabels(*list_[i]))) continue;
      return Refusal{list_[i]->getSourceRange(), "a declaration that a `goto` leads around",
                     "declare it before the `if`, or put it in a block of its own"};
    }
    detour.exits = meet_ < list_.size() ? LabelsOf(*list_[meet_]) : exits_;
    detour.then = Way(choice.getThen(), then, first_end);
    detour.otherwise = Way(choice.getElse(), otherwise, first_end);
    return detour;
  }

 private:
  // Where a branch goes on.
  Accepted<size_t> GoesOnAt(const clang::GotoStmt* jump) const {
    if (jump == nullptr) return position_ + 1;
    TUNE_ASSIGN_OR_REFUSE(const size_t target, Position(*jump));
    if (target <= position_) return RefuseStatement(*jump);
    return target;
  }

  // Of what it leads to; the end for an exit.
  Accepted<size_t> Position(const clang::GotoStmt& jump) const {
    if (exits_.count(jump.getLabel()) > 0) return list_.size();
    for (size_t i = 0; i < list_.size(); ++i) {
      if (LabelsOf(*list_[i]).count(jump.getLabel()) > 0) return i;
    }
    return RefuseStatement(jump);
  }

  // One that leads from elsewhere into one of the ways, behind its begin, or to its begin.
  const clang::GotoStmt* JumpInside() const {
    for (size_t from = 0; from < list_.size(); ++from) {
      for (const clang::GotoStmt* jump : AllIn<clang::GotoStmt>({list_[from]})) {
        const Accepted<size_t> found = Position(*jump);
        if (IsRefused(found)) continue;  // where it leads has no part in this list
        const size_t target = std::get<0>(found);
        if (from == position_ || target <= position_ || target >= meet_) continue;
        const bool in_first = from >= first_ && from < second_, in_second = from >= second_ && from < meet_;
        if (target < first_ || (target == first_ && !in_first)) return jump;
        if (target < second_ ? !in_first : target == second_ ? !in_first && !in_second : !in_second)
          return jump;
      }
    }
    return nullptr;
  }

  // The branch, and the part of the list until the end of its way.
  Statements Way(const clang::Stmt* branch, size_t goes_on, size_t first_end) const {
    Statements way = branch == nullptr ? Statements{} : StatementsOf(*branch);
    if (JumpAtEnd(branch) != nullptr) way.pop_back();
    const size_t end = goes_on == second_ ? meet_ : first_end;
    for (size_t i = goes_on; i < end; ++i) way.push_back(list_[i]);
    return way;
  }

  const Statements& list_;
  const size_t position_;
  const Exits& exits_;
  size_t first_ = 0, second_ = 0, meet_ = 0;
};

}  // namespace

const clang::Stmt& WithoutLabels(const clang::Stmt& statement) {
  const clang::Stmt* inner = &statement;
  while (const auto* label = llvm::dyn_cast<clang::LabelStmt>(inner)) inner = label->getSubStmt();
  return *inner;
}

const clang::LabelDecl* JumpTarget(const clang::Stmt& statement) {
  const auto* jump = llvm::dyn_cast<clang::GotoStmt>(&statement);
  return jump == nullptr ? nullptr : jump->getLabel();
}

std::optional<Accepted<Detour>> DetourAt(const Statements& list, size_t position, const Exits& exits) {
  const auto* choice = llvm::dyn_cast<clang::IfStmt>(&WithoutLabels(*list[position]));
  if (choice == nullptr) return std::nullopt;
  if (JumpAtEnd(choice->getThen()) == nullptr && JumpAtEnd(choice->getElse()) == nullptr) return std::nullopt;
  return Ways(list, position, exits).Read(*choice);
}

const clang::LabelDecl* EnteredLabel(const Statements& statements) {
  const std::vector<const clang::GotoStmt*> inside = AllIn<clang::GotoStmt>(statements);
  for (const clang::LabelStmt* label : AllIn<clang::LabelStmt>(statements)) {
    const auto* function = llvm::dyn_cast<clang::Decl>(label->getDecl()->getDeclContext());
    const clang::Stmt* body = function == nullptr ? nullptr : function->getBody();
    if (body == nullptr) return label->getDecl();
    const auto leads_to = [&](const clang::GotoStmt* jump) { return jump->getLabel() == label->getDecl(); };
    const std::vector<const clang::GotoStmt*> all = AllIn<clang::GotoStmt>({body});
    if (std::count_if(all.begin(), all.end(), leads_to) !=
        std::count_if(inside.begin(), inside.end(), leads_to))
      return label->getDecl();
  }
  return nullptr;
}

}  // namespace tune
