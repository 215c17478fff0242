#include "client/extract/loops/nest_walk.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "client/extract/loops/loop_form.h"
#include "client/extract/region/escaping_values.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/values_behind.h"
#include "client/extract/tree/write_visitor.h"

namespace tune {
namespace {

// The variable that ++, --, += or -= of a whole expression advances; null for others.
const clang::VarDecl* AdvancedBy(const clang::Stmt& statement) {
  const auto* written = llvm::dyn_cast<clang::Expr>(&statement);
  const auto* binary =
      written == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(written->IgnoreParens());
  const bool sets = binary != nullptr && binary->getOpcode() != clang::BO_AddAssign &&
                    binary->getOpcode() != clang::BO_SubAssign;
  return sets ? nullptr : ChangedBy(statement);
}

bool IsSetBelow(const clang::Stmt& statement, const clang::VarDecl* variable) {
  const std::vector<const clang::VarDecl*> written = VariablesWrittenIn(statement);
  return std::find(written.begin(), written.end(), variable) != written.end();
}

// A sum, null for zero, and the loops whose numbers of iterations are in it, which may not be negative.
struct AdvancedValue {
  clang::Expr* sum = nullptr;
  std::set<const clang::Stmt*> loops = {};
};

// A `for` loop from `start` on by steps of one.
struct UnitLoop {
  clang::VarDecl* iterator;
  clang::Expr *start, *number;  // of iterations
  bool decreases;
};

// Follows one variable through a nest.
class NestReader {
 public:
  NestReader(const clang::ASTContext& ast, const clang::FunctionDecl& function,
             const RegionVariables& variables, clang::VarDecl* variable)
      : ast_(ast), function_(function), variables_(variables), variable_(*variable) {}

  // False where the nest is none of these. `slot` has its outermost loop.
  bool Read(clang::Stmt** slot) {
    const TreeMaker make = At(**slot);
    AdvancedValue value{make.Value(&variable_)};
    return Statement(slot, &value);
  }

  std::vector<std::pair<clang::Stmt**, clang::Stmt*>> changes;  // slots, and what is to stand there

 private:
  TreeMaker At(const clang::Stmt& place) const { return TreeMaker(ast_, function_, place.getBeginLoc()); }
  clang::QualType type() const { return variable_.getType().getUnqualifiedType(); }

  // What is known of parameters and constants alone, before the region as well.
  bool IsInvariant(const clang::Expr& expression) const {
    const std::vector<const clang::ValueDecl*> names = NamedIn(&expression);
    return expression.getType()->isIntegerType() && !expression.HasSideEffects(ast_) &&
           std::all_of(names.begin(), names.end(), [&](const clang::ValueDecl* name) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
             return llvm::isa<clang::EnumConstantDecl>(name) ||
                    (variable != nullptr && variable->getType()->isIntegerType() &&
                     !variables_.IsWritten(variable) && !variables_.IsDeclaredInside(variable));
           });
  }

  clang::Expr* Combined(clang::BinaryOperatorKind op, clang::Expr* left, clang::Expr* right) const {
    return At(*right).Operation(op, left, Converted(ast_, right, type()), type());
  }
  AdvancedValue Sum(const AdvancedValue& a, const AdvancedValue& b) const {
    if (a.sum == nullptr) return b;
    if (b.sum == nullptr) return a;
    AdvancedValue sum{Combined(clang::BO_Add, a.sum, b.sum), a.loops};
    sum.loops.insert(b.loops.begin(), b.loops.end());
    return sum;
  }
  // The value so many times.
  AdvancedValue Times(clang::Expr* number, const AdvancedValue& value) const {
    if (value.sum == nullptr) return value;
    const auto* one = llvm::dyn_cast<clang::IntegerLiteral>(value.sum->IgnoreParenImpCasts());
    if (one != nullptr && one->getValue() == 1) return {Converted(ast_, number, type()), value.loops};
    return {Combined(clang::BO_Mul, Converted(ast_, number, type()), value.sum), value.loops};
  }

  // What the statement, which AdvancedBy knows, adds.
  std::optional<AdvancedValue> AddedBy(clang::Stmt& statement) const {
    auto* expression = llvm::cast<clang::Expr>(statement).IgnoreParens();
    const TreeMaker make = At(statement);
    clang::Expr* zero = make.Number(0, type());
    if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      clang::Expr* one = make.Number(1, type());
      return AdvancedValue{unary->isIncrementOp() ? one : make.Operation(clang::BO_Sub, zero, one, type())};
    }
    auto& binary = llvm::cast<clang::BinaryOperator>(*expression);
    if (!IsInvariant(*binary.getRHS()) || !binary.getRHS()->getType()->isSignedIntegerType())
      return std::nullopt;
    clang::Expr* added = Converted(ast_, binary.getRHS(), type());
    if (binary.getOpcode() == clang::BO_AddAssign) return AdvancedValue{added};
    return AdvancedValue{make.Operation(clang::BO_Sub, zero, added, type())};
  }

  std::optional<UnitLoop> ReadUnitLoop(clang::ForStmt& loop) const {
    const Accepted<LoopForm> read = ReadForm(ast_, loop);
    if (IsRefused(read)) return std::nullopt;
    const LoopForm& form = std::get<0>(read);
    const auto* condition = llvm::dyn_cast<clang::BinaryOperator>(Bare(form.condition));
    const auto* step = llvm::dyn_cast<clang::UnaryOperator>(form.step->IgnoreParens());
    if (form.place != LoopForm::Step::kBehindBody || form.negated || form.start == nullptr ||
        !form.declared.empty() || !form.before.empty() || condition == nullptr || step == nullptr ||
        !step->isIncrementDecrementOp() || NamedVariable(condition->getLHS()) != form.iterator ||
        !IsInvariant(*form.start) || !IsInvariant(*condition->getRHS()) || HasJump(form.body))
      return std::nullopt;
    UnitLoop unit{const_cast<clang::VarDecl*>(form.iterator), const_cast<clang::Expr*>(form.start), nullptr,
                  step->isDecrementOp()};
    const clang::BinaryOperatorKind op = condition->getOpcode();
    const bool is_open = op == (unit.decreases ? clang::BO_GT : clang::BO_LT) || op == clang::BO_NE;
    if (!is_open && op != (unit.decreases ? clang::BO_GE : clang::BO_LE)) return std::nullopt;
    unit.number = Distance(unit, condition->getRHS(), loop);
    if (!is_open) unit.number = Combined(clang::BO_Add, unit.number, At(loop).Number(1, type()));
    return unit;
  }

  // From the start of the loop to a value.
  clang::Expr* Distance(const UnitLoop& loop, clang::Expr* to, const clang::Stmt& place) const {
    clang::Expr *from = Converted(ast_, loop.start, type()), *end = Converted(ast_, to, type());
    if (loop.decreases) std::swap(from, end);
    clang::Expr::EvalResult value;
    if (!from->isValueDependent() && from->EvaluateAsInt(value, ast_) && value.Val.getInt() == 0) return end;
    return At(place).Operation(clang::BO_Sub, end, from, type());
  }

  // What the step of a loop's header does beside its iterator.
  struct Header {
    clang::Expr* step;    // without what advances the variable; null for nothing
    AdvancedValue added;  // by the rest
  };
  std::optional<Header> ReadHeader(clang::ForStmt& loop) const {
    if (Mentions(loop.getInit(), &variable_) || Mentions(loop.getCond(), &variable_) ||
        loop.getConditionVariable() != nullptr)
      return std::nullopt;
    Header header{nullptr, {}};
    return ReadSteps(loop.getInc(), &header) ? std::optional(header) : std::nullopt;
  }
  bool ReadSteps(clang::Expr* written, Header* header) const {
    if (written == nullptr) return true;
    auto* comma = llvm::dyn_cast<clang::BinaryOperator>(written->IgnoreParens());
    if (comma != nullptr && comma->isCommaOp())
      return ReadSteps(comma->getLHS(), header) && ReadSteps(comma->getRHS(), header);
    if (AdvancedBy(*written) == &variable_) {
      const std::optional<AdvancedValue> added = AddedBy(*written);
      if (added) header->added = Sum(header->added, *added);
      return added.has_value();
    }
    header->step = header->step == nullptr
                       ? written
                       : At(*written).Operation(clang::BO_Comma, header->step, written, written->getType());
    return !Mentions(written, &variable_);
  }

  // What the statement adds to the variable.
  std::optional<AdvancedValue> Added(clang::Stmt& statement) const {
    if (!Mentions(&statement, &variable_) || !IsSetBelow(statement, &variable_)) return AdvancedValue{};
    if (AdvancedBy(statement) == &variable_) return AddedBy(statement);
    if (auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
      AdvancedValue sum;
      for (clang::Stmt* part : block->body()) {
        const std::optional<AdvancedValue> added = Added(*part);
        if (!added) return std::nullopt;
        sum = Sum(sum, *added);
      }
      return sum;
    }
    auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement);
    if (loop == nullptr) return std::nullopt;
    const std::optional<AdvancedValue> each = AddedByIteration(*loop);
    const std::optional<UnitLoop> unit = ReadUnitLoop(*loop);
    if (!each || !unit) return std::nullopt;
    AdvancedValue all = Times(unit->number, *each);
    all.loops.insert(loop);
    return all;
  }
  std::optional<AdvancedValue> AddedByIteration(clang::ForStmt& loop) const {
    const std::optional<Header> header = ReadHeader(loop);
    const std::optional<AdvancedValue> body = Added(*loop.getBody());
    if (!header || !body) return std::nullopt;
    return Sum(*body, header->added);
  }

  // Notes the changes of what stands in the slot, before which the variable has this value.
  bool Statement(clang::Stmt** slot, AdvancedValue* value) {
    clang::Stmt& statement = **slot;
    if (!Mentions(&statement, &variable_)) return true;
    if (!IsSetBelow(statement, &variable_)) return Uses(slot, *value);
    const std::optional<AdvancedValue> added = Added(statement);
    if (!added) return false;
    if (AdvancedBy(statement) == &variable_) {
      changes.emplace_back(
          slot, new (const_cast<clang::ASTContext&>(ast_)) clang::NullStmt(statement.getBeginLoc()));
      *value = Sum(*value, *added);
      return true;
    }
    if (auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
      for (clang::Stmt*& part : block->children())
        if (!Statement(&part, value)) return false;
      return true;
    }
    auto& loop = llvm::cast<clang::ForStmt>(statement);
    if (!Loop(loop, *value)) return false;
    *value = Sum(*value, *added);
    return true;
  }

  bool Loop(clang::ForStmt& loop, const AdvancedValue& before) {
    const UnitLoop unit = *ReadUnitLoop(loop);
    const Header header = *ReadHeader(loop);
    if (header.step == nullptr) return false;
    const AdvancedValue each = *AddedByIteration(loop);
    clang::Expr* rounds = Distance(unit, At(loop).Value(unit.iterator), loop);
    AdvancedValue start = Sum(before, Times(rounds, each));
    around_.insert(&loop);
    bool done = true;
    for (clang::Stmt*& part : loop.children()) {
      if (part == loop.getInc() && header.step != part) changes.emplace_back(&part, header.step);
      if (part == loop.getBody()) done = Statement(&part, &start);
    }
    around_.erase(&loop);
    return done;
  }

  // Lets the value stand where the variable is read.
  bool Uses(clang::Stmt** slot, const AdvancedValue& value) {
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(*slot);
        cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue &&
        NamedVariable(cast->getSubExpr()) == &variable_) {
      const bool is_inside = std::all_of(value.loops.begin(), value.loops.end(),
                                         [&](const clang::Stmt* loop) { return around_.count(loop) > 0; });
      if (is_inside) changes.emplace_back(slot, value.sum);
      return is_inside;
    }
    if (llvm::isa<clang::DeclRefExpr>(**slot))
      return llvm::cast<clang::DeclRefExpr>(**slot).getDecl() != &variable_;
    for (clang::Stmt*& child : (*slot)->children())
      if (child != nullptr && !Uses(&child, value)) return false;
    return true;
  }

  const clang::ASTContext& ast_;
  const clang::FunctionDecl& function_;
  const RegionVariables& variables_;
  clang::VarDecl& variable_;
  std::set<const clang::Stmt*> around_;  // loops around what is read
};

// Finds nests, and what advances in their inner loops.
class NestWalkFinder {
 public:
  NestWalkFinder(const clang::ASTContext& ast, const FoundRegion& region, TreeChanges* changes)
      : ast_(ast),
        region_(region),
        variables_(ast, *region.function, region.statements),
        behind_(ast, region),
        changes_(changes) {}

  // `statements`: of the region, or of a block.
  void List(const std::vector<clang::Stmt**>& statements, bool is_outermost) {
    for (size_t i = 0; i < statements.size(); ++i) {
      if (llvm::isa<clang::ForStmt>(**statements[i])) {
        for (clang::VarDecl* variable : AdvancedInside(**statements[i])) {
          const bool is_around = IsDeclaredIn({*statements[i]}, variable);  // and begins anew inside
          if (!is_around && IsOver(statements, i, variable, is_outermost)) Take(statements[i], variable);
        }
      }
      Below(**statements[i]);
    }
  }

  bool any = false;

 private:
  void Below(clang::Stmt& statement) {
    std::vector<clang::Stmt**> parts;
    for (clang::Stmt*& part : statement.children()) {
      if (part == nullptr || !IsStatementOf(statement, part)) continue;
      parts.push_back(&part);
      if (!llvm::isa<clang::CompoundStmt>(statement)) Below(*part);
    }
    if (llvm::isa<clang::CompoundStmt>(statement)) List(parts, false);
  }

  void Take(clang::Stmt** slot, clang::VarDecl* variable) {
    NestReader reader(ast_, *region_.function, variables_, variable);
    if (!reader.Read(slot)) return;
    for (const auto& [place, now] : reader.changes) changes_->Change(place, now);
    any = true;
  }

  // Integers that are reached by their names, in the order in which loops inside of the loop advance them.
  std::vector<clang::VarDecl*> AdvancedInside(const clang::Stmt& loop) const {
    std::vector<clang::VarDecl*> all;
    Collect(loop, 0, &all);
    return all;
  }
  void Collect(const clang::Stmt& statement, int depth, std::vector<clang::VarDecl*>* all) const {
    const clang::VarDecl* variable = depth > 1 ? AdvancedBy(statement) : nullptr;
    if (variable != nullptr && variables_.assigned_indices().count(variable) > 0 &&
        !variables_.IsIterator(variable) && std::find(all->begin(), all->end(), variable) == all->end())
      all->push_back(const_cast<clang::VarDecl*>(variable));
    const bool is_loop = llvm::isa<clang::ForStmt>(statement);
    for (const clang::Stmt* part : statement.children())
      if (part != nullptr) Collect(*part, depth + (is_loop ? 1 : 0), all);
  }

  // Whether nobody has the variable's value behind the nest, and the nest begins with one that is known.
  bool IsOver(const std::vector<clang::Stmt**>& statements, size_t nest, const clang::VarDecl* variable,
              bool is_outermost) const {
    int64_t inside = 0;
    bool is_set = is_outermost;
    for (size_t i = 0; i < statements.size(); ++i) {
      const std::vector<const clang::ValueDecl*> names = NamedIn(*statements[i]);
      inside += std::count(names.begin(), names.end(), variable);
      if (i > nest && Mentions(*statements[i], variable)) return false;
      if (i < nest) is_set = is_set || Sets(**statements[i], variable);
    }
    const std::vector<const clang::ValueDecl*> all = NamedIn(region_.statements);
    return is_set && inside == std::count(all.begin(), all.end(), variable) &&
           (variables_.IsDeclaredInside(variable) || behind_.IsLost(variable));
  }
  static bool Sets(const clang::Stmt& statement, const clang::VarDecl* variable) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      return std::find(declaration->decl_begin(), declaration->decl_end(), variable) !=
             declaration->decl_end();
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    if (binary == nullptr) return false;
    if (binary->isCommaOp()) return Sets(*binary->getLHS(), variable) || Sets(*binary->getRHS(), variable);
    return binary->getOpcode() == clang::BO_Assign && NamedVariable(binary->getLHS()) == variable;
  }

  const clang::ASTContext& ast_;
  const FoundRegion& region_;
  const RegionVariables variables_;
  const ValuesBehind behind_;
  TreeChanges* const changes_;
};

}  // namespace

NestWalks::NestWalks(const clang::ASTContext& ast, const FoundRegion& region) {
  NestWalkFinder finder(ast, region, &changes_);
  std::vector<clang::Stmt*> list;
  std::vector<clang::Stmt**> slots;
  for (const clang::Stmt* statement : region.statements) list.push_back(const_cast<clang::Stmt*>(statement));
  for (clang::Stmt*& statement : list) slots.push_back(&statement);
  finder.List(slots, /*is_outermost=*/true);
  any_ = finder.any;
}

}  // namespace tune
