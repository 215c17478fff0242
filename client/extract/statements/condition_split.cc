#include "client/extract/statements/condition_split.h"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <utility>

#include "client/extract/integers/affine_expression.h"
#include "client/extract/statements/guard.h"
#include "client/extract/statements/value_expression.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// Nothing where the condition is not affine; the region's context is then as it was.
std::optional<isl::set> AffineCondition(Region& region, const LoopNest& nest, const clang::Expr& condition) {
  const isl::set context = region.context;
  Accepted<isl::set> holds = ReadCondition(region, nest, condition);
  if (!IsRefused(holds)) return std::get<0>(std::move(holds));
  region.context = context;
  return std::nullopt;
}

bool MentionsIterator(const LoopNest& nest, const clang::Expr& condition) {
  struct Finder : TreeVisitor {
    const LoopNest* nest;
    bool found = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      found = found || nest->Find(variable) != nullptr || nest->affine_locals.count(variable) > 0;
      return true;
    }
  } finder;
  finder.nest = &nest;
  finder.TraverseStmt(const_cast<clang::Expr*>(&condition));
  return finder.found;
}

// Whether a part that is not affine has conditions on iterators, or what is computed from them, in it: what
// stands beside them may be evaluated for some iterations only.
bool HasInnerBounds(const LoopNest& nest, const clang::Expr& part) {
  const std::vector<const clang::Expr*> inner = IntegerConditions(part);
  return std::any_of(inner.begin(), inner.end(), [&](const clang::Expr* condition) {
    return condition != &part && MentionsIterator(nest, *condition);
  });
}

// The parts of a condition: a set of iterations for those that are affine, and a guard for the others.
struct ReadParts {
  isl::set affine;  // [params, iterators] -> { : }
  Guard data;
};

Accepted<ReadParts> ReadAll(Region& region, const LoopNest& nest, const ConditionParts& parts,
                            const std::string& statement) {
  ReadParts read{
      parts.all ? isl::set::universe(region.parameter_space) : isl::set::empty(region.parameter_space), {}};
  read.data.all = parts.all;
  for (const clang::Expr* part : parts.parts) {
    if (const std::optional<isl::set> holds = AffineCondition(region, nest, *part)) {
      read.affine = parts.all ? read.affine.intersect(*holds) : read.affine.unite(*holds);
      continue;
    }
    TUNE_ASSIGN_OR_REFUSE(v1::Expression value, ValueReader(region, nest, statement).Read(*part));
    (void)value;
    if (HasInnerBounds(nest, *part)) {
      return Refusal{part->getSourceRange(), "a condition on iterators inside of one on data",
                     "write it as `if` statements inside one another"};
    }
    read.data.conditions.push_back(part);
  }
  return read;
}

void RemoveUnreached(const Region& region, std::vector<LoopNest>* places) {
  const auto reached = [&](const LoopNest& place) { return IsReached(region, place); };
  places->erase(std::stable_partition(places->begin(), places->end(), reached), places->end());
}

}  // namespace

Accepted<ConditionSplit> SplitCondition(Region& region, const LoopNest& nest, const clang::IfStmt& choice,
                                        const Statements& guarded, const std::string& statement) {
  bool negated = false;
  const clang::Expr& condition = WithoutNegation(*choice.getCond(), &negated);
  const ConditionParts parts = PartsOf(condition);
  TUNE_ASSIGN_OR_REFUSE(ReadParts read, ReadAll(region, nest, parts, statement));
  Guard& data = read.data;
  ConditionSplit split;
  LoopNest then = nest, otherwise = nest;
  then.domain = nest.domain.intersect(read.affine).coalesce();
  otherwise.domain = nest.domain.subtract(read.affine).coalesce();
  const LoopNest& open = parts.all ? then : otherwise;  // where the data decide
  if (data.conditions.empty()) {
    split.then = {then};
    split.otherwise = {otherwise};
  } else {
    if (!MayBeRepeated(region.variables, condition, guarded) && IsReached(region, open)) {
      split.kept = KeptCondition{data, open};
      data = Guard{{}, true, region.variables.ConditionOf(choice), false};
    }
    LoopNest holds = open, fails = open;
    holds.guards.push_back(data);
    data.negated = true;
    fails.guards.push_back(data);
    split.then = parts.all ? std::vector{holds} : std::vector{then, holds};
    split.otherwise = parts.all ? std::vector{otherwise, fails} : std::vector{fails};
  }
  if (negated) std::swap(split.then, split.otherwise);
  RemoveUnreached(region, &split.then);
  RemoveUnreached(region, &split.otherwise);
  return split;
}

bool IsData(Region& region, const LoopNest& nest, const clang::Expr& condition) {
  bool negated = false;
  const std::vector<const clang::Expr*> parts = PartsOf(WithoutNegation(condition, &negated)).parts;
  return std::none_of(parts.begin(), parts.end(), [&](const clang::Expr* part) {
    return AffineCondition(region, nest, *part).has_value() || HasInnerBounds(nest, *part);
  });
}

bool IsReached(const Region& region, const LoopNest& nest) {
  return !nest.domain.intersect(region.context).is_empty();
}

}  // namespace tune
