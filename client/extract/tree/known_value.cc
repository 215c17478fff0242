#include "client/extract/tree/known_value.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "client/extract/region/region_variables.h"
#include "client/extract/tree/tree_visitor.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr int kLongestChain = 4;  // of variables that are set to one another

// What the variables of a file are set to.
class Settings : public TreeVisitor {
 public:
  explicit Settings(const clang::ASTContext& ast) : ast_(ast) { TraverseDecl(ast.getTranslationUnitDecl()); }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) values_[variable->getCanonicalDecl()].push_back(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (!operation->isAssignmentOp()) return true;
    const clang::VarDecl* variable = NamedVariable(operation->getLHS());
    if (variable == nullptr) return true;
    if (operation->getOpcode() == clang::BO_Assign) {
      values_[variable->getCanonicalDecl()].push_back(operation->getRHS());
    } else {
      changing_.insert(variable->getCanonicalDecl());
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    const bool changes = operation->isIncrementDecrementOp() || operation->getOpcode() == clang::UO_AddrOf;
    const clang::VarDecl* variable = changes ? NamedVariable(operation->getSubExpr()) : nullptr;
    if (variable != nullptr) changing_.insert(variable->getCanonicalDecl());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* function = call->getDirectCallee();
    const clang::FunctionDecl* definition = nullptr;
    if (function == nullptr || !function->hasBody(definition)) return true;
    for (unsigned i = 0; i < call->getNumArgs() && i < definition->getNumParams(); ++i)
      values_[definition->getParamDecl(i)->getCanonicalDecl()].push_back(call->getArg(i));
    return true;
  }

  std::optional<llvm::APSInt> ValueOf(const clang::VarDecl* variable, int chain) const {
    const clang::QualType type = variable->getType();
    const auto values = values_.find(variable->getCanonicalDecl());
    if (!type->isIntegerType() || type.isVolatileQualified() || chain > kLongestChain ||
        changing_.count(variable->getCanonicalDecl()) > 0 || values == values_.end())
      return std::nullopt;
    std::optional<llvm::APSInt> common;
    for (const clang::Expr* expression : values->second) {
      const std::optional<llvm::APSInt> value = ValueOf(*expression, chain);
      if (!value || (common && llvm::APSInt::compareValues(*common, *value) != 0)) return std::nullopt;
      common = value;
    }
    return common;
  }

 private:
  std::optional<llvm::APSInt> ValueOf(const clang::Expr& expression, int chain) const {
    clang::Expr::EvalResult result;
    if (!expression.isValueDependent() && expression.EvaluateAsInt(result, ast_)) return result.Val.getInt();
    const clang::VarDecl* other = NamedVariable(&expression);
    return other == nullptr ? std::nullopt : ValueOf(other, chain + 1);
  }

  const clang::ASTContext& ast_;
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> values_;
  std::set<const clang::VarDecl*> changing_;  // in ways that are not followed
};

bool InvolvesParameter(const isl::pw_aff& value, const isl::id& id) {
  const int position = FindDimension(value, isl_dim_param, id.name());
  return position >= 0 && Involves(value, isl_dim_param, position, 1);
}

}  // namespace

const clang::VarDecl* AskForValues(Region& region, const LoopNest& nest, const isl::pw_aff& value) {
  for (const Iterator& iterator : nest.iterators) {
    if (InvolvesParameter(value, iterator.id)) return nullptr;
  }
  const Settings settings(region.ast);
  for (const auto& [variable, id] : region.parameters) {
    if (region.values.count(variable) > 0 || !InvolvesParameter(value, id)) continue;
    const std::optional<llvm::APSInt> known = settings.ValueOf(variable, 0);
    if (!known) return variable;
    region.found_values.emplace(variable, isl::val(region.ctx, llvm::toString(*known, 10)));
  }
  return nullptr;
}

std::map<std::string, std::string> KnownParameters(const Region& region) {
  std::map<std::string, std::string> known;
  if (region.parameters.empty()) return known;
  const Settings settings(region.ast);
  for (const auto& [variable, id] : region.parameters) {
    const std::optional<llvm::APSInt> value = settings.ValueOf(variable, 0);
    if (value) known.emplace(id.name(), llvm::toString(*value, 10));
  }
  return known;
}

}  // namespace tune
