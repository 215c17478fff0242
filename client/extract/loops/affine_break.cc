#include "client/extract/loops/affine_break.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <utility>

#include "client/extract/forms/forward_jump.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/tree/body_end.h"
#include "common/isl/bounds.h"
#include "common/isl/relations.h"
#include "common/isl/spaces.h"

namespace tune {
namespace {

Refusal NotKnown(clang::SourceRange range) {
  return {range,
          "a `break` under a condition on data: the number of iterations is not known before the loop runs",
          "express the end of the loop in its condition, or end the region before the loop"};
}

// Follows the statements of a loop's body through the iterations that reach them.
class BreakFinder {
 public:
  BreakFinder(Region& region, LoopNest at) : region_(region), at_(std::move(at)) {}

  // Of the iterations that reach the statements, [params, iterators] -> { : }, those that go on behind them.
  Accepted<isl::set> Follow(const Statements& statements, isl::set reached) {
    for (const clang::Stmt* statement : statements) {
      TUNE_ASSIGN_OR_REFUSE(reached, FollowOne(WithoutLabels(*statement), reached));
    }
    return reached;
  }

  const isl::set& stops() const { return stops_; }

 private:
  Accepted<isl::set> FollowOne(const clang::Stmt& statement, const isl::set& reached) {
    const isl::set none = isl::set::empty(reached.space());
    if (llvm::isa<clang::BreakStmt>(statement)) {
      if (may_be_left_out_) return NotKnown(statement.getSourceRange());
      stops_ = stops_.unite(reached);
      return none;
    }
    if (llvm::isa<clang::ContinueStmt>(statement)) return none;
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) Declare(*declarations);
    if (!HasJump(statement)) return reached;
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement))
      return Follow(StatementsOf(*block), reached);
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement)) return FollowChoice(*choice, reached);
    return NotKnown(statement.getSourceRange());
  }

  // Variables that keep what they are declared with.
  void Declare(const clang::DeclStmt& declarations) {
    for (const clang::Decl* each : declarations.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      const bool stays = variable != nullptr && variable->getType()->isIntegerType() &&
                         variable->getInit() != nullptr && !region_.variables.IsWritten(variable);
      if (!stays) continue;
      at_.affine_locals.erase(variable);
      Accepted<isl::pw_aff> value = ReadAffine(region_, at_, *variable->getInit(), Position::kValue);
      if (!IsRefused(value)) at_.affine_locals.emplace(variable, std::get<0>(std::move(value)));
    }
  }

  Accepted<isl::set> FollowChoice(const clang::IfStmt& choice, const isl::set& reached) {
    LoopNest nest = at_;
    nest.domain = reached;
    const Accepted<isl::set> read = ReadCondition(region_, nest, *choice.getCond());
    if (IsRefused(read) && HasBreak(choice)) return NotKnown(choice.getCond()->getSourceRange());
    if (IsRefused(read)) {  // it may go on with the next iteration
      may_be_left_out_ = true;
      return reached;
    }
    const isl::set& holds = std::get<0>(read);
    TUNE_ASSIGN_OR_REFUSE(isl::set then, Follow({choice.getThen()}, reached.intersect(holds)));
    isl::set otherwise = reached.subtract(holds);
    if (choice.getElse() != nullptr) {
      TUNE_ASSIGN_OR_REFUSE(otherwise, Follow({choice.getElse()}, otherwise));
    }
    return then.unite(otherwise).coalesce();
  }

  Region& region_;
  LoopNest at_;
  bool may_be_left_out_ = false;  // data decide whether an iteration reaches what follows
  isl::set stops_ = isl::set::empty(at_.domain.space());
};

}  // namespace

std::optional<Refusal> EndAtBreaks(Region& region, const LoopNest& at, const LoopForm& form, Loop* loop) {
  const bool has_break = std::any_of(form.body.begin(), form.body.end(),
                                     [](const clang::Stmt* statement) { return HasBreak(*statement); });
  if (!has_break) return std::nullopt;
  BreakFinder finder(region, at);
  const Accepted<isl::set> end = finder.Follow(form.body, at.domain);
  if (IsRefused(end)) return std::get<Refusal>(end);
  const isl::multi_id tuple(SetSpace(region.ctx, 0, 1), isl::id_list(at.iterators.back().id));
  const isl::set stops = finder.stops().unbind_params(tuple);  // [params, outer] -> { [i] }
  const isl::map up = LexLess(stops.space());                  // { [i] -> [i'] }: i' behind i
  const isl::set behind = stops.apply(loop->decreases ? up.reverse() : up);
  loop->nest.domain = loop->nest.domain.subtract(behind.bind(tuple)).coalesce();
  const isl::pw_aff first = loop->decreases ? DimensionMax(stops, 0) : DimensionMin(stops, 0);
  loop->behind = loop->behind.intersect_domain(first.domain().complement()).union_add(first).coalesce();
  return std::nullopt;
}

}  // namespace tune
