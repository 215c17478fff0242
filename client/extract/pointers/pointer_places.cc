#include "client/extract/pointers/pointer_places.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr int kLongestPeriod = 6;  // of two and of three pointers that are exchanged side by side

using Exchange = std::map<const clang::VarDecl*, const clang::VarDecl*>;  // what each is set to

// Follows an iteration of a loop's body, as far as it sets pointers to one another.
class BodyExchange {
 public:
  BodyExchange(std::set<const clang::VarDecl*> set, const Statements& body) : set_(std::move(set)) {
    for (const clang::Stmt* statement : body) Follow(*statement);
  }

  // The pointers that an iteration reads as the one before left them, and what it sets them to, in terms of
  // what pointers are at its start; nothing where it does that in another way.
  std::optional<Exchange> Carried() const {
    Exchange carried;
    for (const clang::VarDecl* pointer : read_) {
      const auto value = values_.find(pointer);
      if (value == values_.end() || value->second == nullptr || set_.count(value->second) == 0)
        return std::nullopt;
      carried.emplace(pointer, value->second);
    }
    for (const auto& [pointer, value] : carried) {
      if (carried.count(value) == 0) return std::nullopt;
    }
    return carried;
  }

 private:
  void Follow(const clang::Stmt& statement) {
    const auto* once = llvm::dyn_cast<clang::DoStmt>(&statement);
    if (once != nullptr && IsExecutedOnce(*once)) return Follow(*once->getBody());
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
      for (const clang::Stmt* part : block->body()) Follow(*part);
      return;
    }
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) return Declare(*declarations);
    const std::vector<PointerSetting> settings = PointerSettings(statement);
    if (settings.empty()) {
      Mention(statement);
      for (const clang::VarDecl* pointer : SetBy(statement)) values_[pointer] = nullptr;
      return;
    }
    Exchange now = values_;
    for (const PointerSetting& setting : settings) {
      Mention(*setting.value);
      now[setting.pointer] = ValueAt(*setting.value);
    }
    values_ = std::move(now);
  }

  void Declare(const clang::DeclStmt& declarations) {
    for (const clang::Decl* declaration : declarations.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable == nullptr) continue;
      if (variable->getInit() != nullptr) Mention(*variable->getInit());
      if (variable->getType()->isPointerType())
        values_[variable] = variable->getInit() == nullptr ? nullptr : ValueAt(*variable->getInit());
    }
  }

  // What the expression points to, at the start of the iteration; null for what is not followed.
  const clang::VarDecl* ValueAt(const clang::Expr& expression) const {
    const clang::VarDecl* pointer = NamedVariable(&expression);
    const auto value = values_.find(pointer);
    return value == values_.end() ? pointer : value->second;
  }

  void Mention(const clang::Stmt& statement) {
    for (const clang::ValueDecl* name : NamedIn(&statement)) {
      const auto* pointer = llvm::dyn_cast<clang::VarDecl>(name);
      if (pointer != nullptr && set_.count(pointer) > 0 && values_.count(pointer) == 0) read_.insert(pointer);
    }
  }

  std::set<const clang::VarDecl*> SetBy(const clang::Stmt& statement) const {
    std::set<const clang::VarDecl*> all;
    for (const clang::ValueDecl* name : NamedIn(&statement)) {
      const auto* pointer = llvm::dyn_cast<clang::VarDecl>(name);
      if (pointer != nullptr && set_.count(pointer) > 0 && IsSetIn(statement, pointer)) all.insert(pointer);
    }
    return all;
  }

  static bool IsSetIn(const clang::Stmt& statement, const clang::VarDecl* pointer) {
    for (const PointerSetting& setting : PointerSettings(statement)) {
      if (setting.pointer == pointer) return true;
    }
    return std::any_of(statement.child_begin(), statement.child_end(), [&](const clang::Stmt* child) {
      return child != nullptr && IsSetIn(*child, pointer);
    });
  }

  const std::set<const clang::VarDecl*> set_;  // by the body
  Exchange values_;                            // of what was set so far; null: not known
  std::set<const clang::VarDecl*> read_;       // before it is set
};

// After so many iterations everything is what it was; 0 where that takes too many.
int PeriodOf(const Exchange& exchange) {
  Exchange now;
  for (const auto& [pointer, value] : exchange) now[pointer] = pointer;
  for (int period = 1; period <= kLongestPeriod; ++period) {
    Exchange next;
    for (const auto& [pointer, value] : exchange) next[pointer] = now.at(value);
    now = std::move(next);
    if (std::all_of(now.begin(), now.end(), [](const auto& entry) { return entry.first == entry.second; }))
      return period;
  }
  return 0;
}

// Whether all point to one type, whatever its qualifiers: `void *` may have been between them.
bool AreOfOneType(const clang::ASTContext& constant, const Exchange& exchange) {
  auto& ast = const_cast<clang::ASTContext&>(constant);
  const auto pointee = [&](const clang::VarDecl* pointer) {
    clang::Qualifiers qualifiers;
    return ast.getUnqualifiedArrayType(pointer->getType()->getPointeeType(), qualifiers);
  };
  return std::all_of(exchange.begin(), exchange.end(), [&](const auto& entry) {
    const clang::QualType one = pointee(entry.first), other = pointee(entry.second);
    // C asks for one size of arrays of variable length.
    return ast.getLangOpts().CPlusPlus ? ast.hasSameType(one, other) : ast.typesAreCompatible(one, other);
  });
}

}  // namespace

bool PointerPlaces::Sets(const clang::Stmt& statement, LoopNest& nest) const {
  const std::vector<PointerSetting> settings = PointerSettings(statement);
  const bool is_ours =
      !settings.empty() && std::all_of(settings.begin(), settings.end(), [&](const auto& each) {
        return region_.pointers.count(each.pointer) > 0;
      });
  if (!is_ours) return false;
  const auto scope = std::make_shared<const LoopNest>(nest);
  for (const PointerSetting& setting : settings)
    nest.definitions[setting.pointer] = Definition{scope, setting.value, nullptr, nullptr};
  return true;
}

bool PointerPlaces::Declares(const clang::VarDecl& variable, LoopNest& nest) const {
  if (region_.pointers.count(&variable) == 0) return false;
  const auto scope = std::make_shared<const LoopNest>(nest);
  nest.definitions[&variable] = Definition{scope, variable.getInit(), nullptr, nullptr};
  return true;
}

PointerPlaces::Pointers PointerPlaces::SetIn(const clang::Stmt& statement) const {
  struct Finder : TreeVisitor {
    Pointers all;
    void Add(const clang::Stmt& part) {
      for (const PointerSetting& setting : PointerSettings(part)) all.insert(setting.pointer);
    }
    bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
      Add(*operation);
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      Add(*call);
      return true;
    }
  } finder;
  finder.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  Pointers followed;
  for (const clang::VarDecl* pointer : finder.all) {
    if (region_.pointers.count(pointer) > 0) followed.insert(pointer);
  }
  return followed;
}

PointerPlaces::Pointers PointerPlaces::SetIn(const Statements& statements) const {
  Pointers all;
  for (const clang::Stmt* statement : statements) {
    if (statement != nullptr) all.merge(SetIn(*statement));
  }
  return all;
}

void PointerPlaces::MakeUnknown(const Pointers& pointers, LoopNest* nest) const {
  for (const clang::VarDecl* pointer : pointers)
    nest->definitions[pointer] = Definition{nullptr, nullptr, nullptr, nullptr};
}

void PointerPlaces::Forget(const Statements& statements, LoopNest* nest) const {
  if (!region_.pointers.empty()) MakeUnknown(SetIn(statements), nest);
}

void PointerPlaces::LeaveBlock(const clang::Stmt& block, const LoopNest& inner, LoopNest* nest) const {
  if (region_.pointers.empty()) return;
  for (const clang::VarDecl* pointer : SetIn(block)) {
    const auto value = inner.definitions.find(pointer);
    if (value != inner.definitions.end()) nest->definitions[pointer] = value->second;
  }
}

std::vector<LoopNest> PointerPlaces::EnterLoop(const LoopForm& form, const Loop& inner,
                                               const LoopNest& outer) const {
  const Pointers set = region_.pointers.empty() ? Pointers() : SetIn(form.body);
  if (set.empty()) return {inner.nest};
  LoopNest any = inner.nest;
  MakeUnknown(set, &any);
  const std::optional<Exchange> exchange =
      HasJump(form.body) ? std::nullopt : BodyExchange(set, form.body).Carried();
  const int period = exchange && AreOfOneType(region_.ast, *exchange) ? PeriodOf(*exchange) : 0;
  if (period == 0) return {any};
  const isl::pw_aff phase =
      RoundsBefore(region_, inner).mod(isl::val(region_.ctx, static_cast<long>(period)));
  const isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(region_.parameter_space));
  const auto before = std::make_shared<const LoopNest>(outer);
  const TreeMaker make(region_.ast, region_.variables.function(), form.header.getBegin());
  Exchange now;
  for (const auto& [pointer, value] : *exchange) now[pointer] = pointer;
  std::vector<LoopNest> phases;
  for (long k = 0; k < period; ++k) {
    LoopNest nest = any;
    if (period > 1) nest.domain = nest.domain.intersect(phase.eq_set(zero.add_constant(k))).coalesce();
    for (const auto& [pointer, value] : now) {
      const clang::Expr* read = make.Value(const_cast<clang::VarDecl*>(value));
      nest.definitions[pointer] = Definition{before, read, nullptr, nullptr};
    }
    phases.push_back(std::move(nest));
    Exchange next;
    for (const auto& [pointer, value] : *exchange) next[pointer] = now.at(value);
    now = std::move(next);
  }
  return phases;
}

}  // namespace tune
